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
package org.apache.eventmesh.state.core.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.Partition;

/** Open deliveries by what they wait for: their time, their receiver, or an operator. */
final class Waiting {
    private final TreeSet<OpenDelivery> due = new TreeSet<>(ShardIndex.DUE_ORDER);
    private final Map<Receiver, NavigableMap<Long, OpenDelivery>> held = new HashMap<>();
    private final NavigableMap<Long, OpenDelivery> unreadable = new TreeMap<>();

    /** Readable ones that are not given up, in due order. */
    NavigableSet<OpenDelivery> due() {
        return due;
    }

    /** By the receiver of their last hand-out that has not ended. */
    Map<Receiver, NavigableMap<Long, OpenDelivery>> held() {
        return held;
    }

    /** By number. */
    NavigableMap<Long, OpenDelivery> unreadable() {
        return unreadable;
    }

    /** When the first is due that is not due yet; empty when there is none. */
    OptionalLong nextDue(Partition partition, long now) {
        OpenDelivery next = due.higher(OpenDelivery.behind(partition, now));
        return next == null ? OptionalLong.empty() : OptionalLong.of(next.dueAt());
    }

    void add(OpenDelivery delivery) {
        if (!delivery.readable()) {
            unreadable.put(delivery.number(), delivery);
        } else if (!delivery.givenUp()) {
            due.add(delivery);
        }
        Receiver holder = delivery.holder();
        if (holder != null) {
            held.computeIfAbsent(holder, r -> new TreeMap<>()).put(delivery.number(), delivery);
        }
    }

    void remove(OpenDelivery delivery) {
        due.remove(delivery);
        unreadable.remove(delivery.number());
        Receiver holder = delivery.holder();
        if (holder != null) {
            NavigableMap<Long, OpenDelivery> his = held.get(holder);
            if (his != null && his.remove(delivery.number()) != null && his.isEmpty()) {
                held.remove(holder);
            }
        }
    }
}
