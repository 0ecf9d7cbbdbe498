/*
 * Licensed to the Apache Software Foundation (ASF) under one or more
 * contributor license agreements. See the NOTICE file distributed with
 * this work for additional information regarding copyright ownership.
 * The ASF licenses this file to You under the Apache License, Version 2.0
 * (the "License"); you may not use this file except in compliance with
 * the License. You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.eventmesh.state.tck.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;

/** Listings read to their end; a record that cannot be decoded is an error. */
final class Pages {
    private static final int LIMIT = 500;

    private Pages() {}

    static <T> List<T> all(Function<PageRequest, CompletionStage<Page<T>>> listing) {
        List<T> all = new ArrayList<>();
        for (Optional<PageRequest> next = Optional.of(PageRequest.first(LIMIT)); next.isPresent(); ) {
            Page<T> page = Await.result(listing.apply(next.get()));
            if (!page.unreadable().isEmpty()) {
                throw new AssertionError("cannot be decoded: " + page.unreadable());
            }
            all.addAll(page.items());
            next = page.next();
        }
        return all;
    }

    /** The open deliveries of a partition. */
    static List<Delivery> open(StateStores stores, Partition partition) {
        return all(page -> stores.deliveries().list(DeliveryFilter.of(partition), page));
    }
}
