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

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * When the marks of settled deliveries end, by the ticker. Only their numbers are kept, in the seconds in which they were
 * settled; what the marks say is read when somebody asks. For the loop's thread.
 */
final class Marks {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long lifeNanos;
    private final ArrayDeque<Bucket> buckets = new ArrayDeque<>();

    /** Of unordered deliveries whose fan-out is not confirmed: until then they recognise a repeat. By offset. */
    private final Map<Long, NumberList> held = new HashMap<>();

    private static final class Bucket {
        private final long second;

        /** Alone. */
        private final NumberList plain = new NumberList();

        /** Found by their message too, so both records end together. */
        private final NumberList byMessage = new NumberList();

        Bucket(long second) {
            this.second = second;
        }
    }

    Marks(long lifeNanos) {
        this.lifeNanos = lifeNanos;
    }

    void settled(long number, long nowNanos) {
        bucket(nowNanos).plain.add(number);
    }

    void settledByMessage(long number, long nowNanos) {
        bucket(nowNanos).byMessage.add(number);
    }

    /** Its life begins when the fan-out of its offset is confirmed. */
    void settledUnconfirmed(long number, long offset) {
        held.computeIfAbsent(offset, o -> new NumberList()).add(number);
    }

    void confirmed(long offset, long nowNanos) {
        NumberList numbers = held.remove(offset);
        while (numbers != null && !numbers.isEmpty()) {
            settledByMessage(numbers.take(), nowNanos);
        }
    }

    /** Takes the number of a mark that has ended; 0 when there is none now. */
    long takePlain(long nowNanos) {
        Bucket first = ended(nowNanos);
        return first == null || first.plain.isEmpty() ? 0 : first.plain.take();
    }

    /** The same for one that is found by its message too. */
    long takeByMessage(long nowNanos) {
        Bucket first = ended(nowNanos);
        return first == null || first.byMessage.isEmpty() ? 0 : first.byMessage.take();
    }

    boolean anyEnded(long nowNanos) {
        return ended(nowNanos) != null;
    }

    private @Nullable Bucket ended(long nowNanos) {
        for (Bucket first = buckets.peekFirst(); first != null; first = buckets.peekFirst()) {
            // the whole second has to be over
            if (nowNanos - (first.second + 1) * SECOND < lifeNanos) {
                return null;
            }
            if (!first.plain.isEmpty() || !first.byMessage.isEmpty()) {
                return first;
            }
            buckets.removeFirst();
        }
        return null;
    }

    private Bucket bucket(long nowNanos) {
        long second = Math.floorDiv(nowNanos, SECOND);
        Bucket last = buckets.peekLast();
        if (last == null || last.second < second) {
            last = new Bucket(second);
            buckets.addLast(last);
        }
        return last;
    }
}
