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
package org.apache.eventmesh.state.tck.history;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One subscriber in one partition of an ordered log.
 *
 * @param cursor the next offset to read
 * @param open by offset, the numbers of the deliveries; {@link #UNSEEN} where the answer to the opening was lost
 * @param settled the numbers of the deliveries that were acked
 */
record ReaderState(Owning owning, long cursor, SortedMap<Long, Long> open, Set<Long> settled) {
    static final long UNSEEN = 0;

    /** One that was entered at an offset. */
    static ReaderState at(long cursor) {
        return new ReaderState(Owning.NOBODY, cursor, new TreeMap<>(), Set.of());
    }

    long position() {
        return open.isEmpty() ? cursor : Math.min(cursor, open.firstKey());
    }

    ReaderState owned(Owning now) {
        return new ReaderState(now, cursor, open, settled);
    }

    ReaderState at(Owning now, long next) {
        return new ReaderState(now, next, open, settled);
    }

    /** Whether the delivery of an offset is open and may be this one. */
    boolean isOpen(long offset, long number) {
        Long known = open.get(offset);
        return known != null && (known == number || known == UNSEEN) && !settled.contains(number);
    }

    ReaderState opened(long offset, long number) {
        SortedMap<Long, Long> more = new TreeMap<>(open);
        more.put(offset, number);
        return new ReaderState(owning, Math.max(cursor, offset + 1), more, settled);
    }

    ReaderState settled(long offset, long number) {
        SortedMap<Long, Long> less = new TreeMap<>(open);
        less.remove(offset);
        Set<Long> more = new TreeSet<>(settled);
        more.add(number);
        return new ReaderState(owning, cursor, less, more);
    }

    boolean knows(long number) {
        return settled.contains(number) || open.containsValue(number);
    }

    /** Whether something is open before an offset. */
    boolean isHeldBefore(long offset) {
        Map<Long, Long> before = open.headMap(offset);
        return !before.isEmpty();
    }
}
