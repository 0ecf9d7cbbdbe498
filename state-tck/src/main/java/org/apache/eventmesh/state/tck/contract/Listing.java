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
package org.apache.eventmesh.state.tck.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Stages;

/** Reads a listing to its end, page by page. */
final class Listing {
    private Listing() {}

    static <T> List<T> all(int limit, Function<PageRequest, CompletionStage<Page<T>>> list) {
        return all(limit, list, () -> {});
    }

    /** Runs something after each page, as other callers would. */
    static <T> List<T> all(int limit, Function<PageRequest, CompletionStage<Page<T>>> list, Runnable between) {
        List<T> all = new ArrayList<>();
        PageRequest next = PageRequest.first(limit);
        for (int page = 0; page < 10_000; page++) {
            Page<T> found = Stages.get(list.apply(next));
            if (found.items().size() > limit) {
                throw new AssertionError(
                        "a page of " + limit + " holds " + found.items().size());
            }
            all.addAll(found.items());
            if (found.next().isEmpty()) {
                return all;
            }
            next = found.next().get();
            between.run();
        }
        throw new AssertionError("the listing has no end: " + all.size() + " records so far");
    }
}
