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
package org.apache.eventmesh.state.core.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.ShardView;
import org.apache.eventmesh.state.delivery.ShardView.Backlog;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Unreadable;

/** A shard at a glance: counts from the index, no scan and no payload. */
final class View {
    private View() {}

    static ShardView of(ShardIndex index, OptionalLong watermark) {
        Map<Subscriber, Backlog> bySubscriber = new HashMap<>();
        Optional<Instant> oldest = Optional.empty();
        for (var reader : index.readers()) {
            if (!reader.open().isEmpty()) {
                Backlog backlog = backlog(reader.open().values());
                bySubscriber.put(reader.subscriber(), backlog);
                oldest = earlier(oldest, backlog.oldest());
            }
        }
        Map<Receiver, Backlog> byReceiver = new HashMap<>();
        index.held().forEach((receiver, deliveries) -> byReceiver.put(receiver, backlog(deliveries.values())));
        List<Unreadable> unreadable = new ArrayList<>();
        index.unreadable().values().forEach(delivery -> delivery.damage().ifPresent(unreadable::add));
        unreadable.addAll(index.damagedMessages().values());
        return new ShardView(
                watermark,
                index.readNext(),
                new Backlog(index.size(), oldest),
                bySubscriber,
                byReceiver,
                index.due().isEmpty()
                        ? Optional.empty()
                        : Optional.of(Millis.instant(index.due().first().dueAt())),
                unreadable);
    }

    /** In order of numbers, which is that of opening. */
    private static Backlog backlog(Collection<OpenDelivery> deliveries) {
        for (OpenDelivery delivery : deliveries) {
            if (delivery.readable()) {
                return new Backlog(
                        deliveries.size(),
                        Optional.of(Millis.instant(delivery.record().getOpenedAtMillis())));
            }
        }
        return new Backlog(deliveries.size(), Optional.empty());
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        return one.isEmpty() || (other.isPresent() && other.get().isBefore(one.get())) ? other : one;
    }
}
