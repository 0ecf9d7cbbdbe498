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

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.id.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * What a shard remembers because the other backend of a set of two has to know it, or knew it before. Single entries may be
 * looked up on any thread; else as the index.
 */
final class Aside {
    private final NavigableMap<Long, OpenDelivery> givenUp = new ConcurrentSkipListMap<>();
    private final NavigableMap<Long, OutstandingRecord> outstanding = new ConcurrentSkipListMap<>();
    private final Map<Subscriber, NavigableSet<Long>> deadBefore = new HashMap<>();

    /** Open deliveries that are given up, by number. */
    NavigableMap<Long, OpenDelivery> givenUp() {
        return givenUp;
    }

    /** Settled deliveries of which something is outstanding, by number. */
    NavigableMap<Long, OutstandingRecord> outstanding() {
        return outstanding;
    }

    /** Offsets that are dead letters of other hosts. */
    NavigableSet<Long> deadBefore(Subscriber subscriber) {
        return deadBefore.getOrDefault(subscriber, Collections.emptyNavigableSet());
    }

    void outstanding(long number, @Nullable OutstandingRecord now) {
        if (now == null) {
            outstanding.remove(number);
        } else {
            outstanding.put(number, now);
        }
    }

    void deadBefore(Subscriber subscriber, NavigableSet<Long> now) {
        if (now.isEmpty()) {
            deadBefore.remove(subscriber);
        } else {
            deadBefore.put(subscriber, now);
        }
    }

    void addDeadBefore(Subscriber subscriber, long offset) {
        deadBefore.computeIfAbsent(subscriber, s -> new TreeSet<>()).add(offset);
    }
}
