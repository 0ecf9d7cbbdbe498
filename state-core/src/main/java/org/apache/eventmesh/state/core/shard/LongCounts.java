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

import java.util.Arrays;

/** Counts by a non-negative long; a count of zero takes no room. Boxing would cost more than the counting. */
final class LongCounts {
    private static final long FREE = -1;

    private long[] keys = new long[16];
    private int[] counts = new int[16];
    private int used;

    LongCounts() {
        Arrays.fill(keys, FREE);
    }

    int get(long key) {
        int at = find(key);
        return keys[at] == key ? counts[at] : 0;
    }

    /** Adds, possibly less than nothing; the count afterwards. */
    int add(long key, int more) {
        int at = find(key);
        if (keys[at] == FREE) {
            if (2 * (used + 1) > keys.length) {
                grow();
                at = find(key);
            }
            keys[at] = key;
            used++;
        }
        counts[at] += more;
        int count = counts[at];
        if (count == 0) {
            remove(at);
        }
        return count;
    }

    boolean isEmpty() {
        return used == 0;
    }

    private int find(long key) {
        int at = slot(key);
        while (keys[at] != FREE && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }

    private int slot(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & (keys.length - 1);
    }

    /** Moves up what a search would otherwise not reach any more. */
    private void remove(int at) {
        int free = at;
        for (int next = (free + 1) & (keys.length - 1); keys[next] != FREE; next = (next + 1) & (keys.length - 1)) {
            int home = slot(keys[next]);
            boolean reachable = free <= next ? home > free && home <= next : home > free || home <= next;
            if (!reachable) {
                keys[free] = keys[next];
                counts[free] = counts[next];
                free = next;
            }
        }
        keys[free] = FREE;
        counts[free] = 0;
        used--;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldCounts = counts;
        keys = new long[2 * oldKeys.length];
        Arrays.fill(keys, FREE);
        counts = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != FREE) {
                int at = find(oldKeys[i]);
                keys[at] = oldKeys[i];
                counts[at] = oldCounts[i];
            }
        }
    }
}
