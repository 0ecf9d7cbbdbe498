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
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * What may be told outside of a number that commits move: its value as of the last synced commit, or a lower one that is
 * not synced yet. So it is right whether or not the commits behind the last sync survive.
 */
final class Told {
    private static final long NONE = -1;
    private static final int KEPT = 64;

    private final LongSupplier syncedRevision;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();
    private long synced = NONE;

    /**
     * @param lowest between the commit before and this one; a value that was skipped may be what a power loss leaves
     */
    private record Pending(long revision, long value, long lowest) {}

    Told(LongSupplier syncedRevision) {
        this.syncedRevision = syncedRevision;
    }

    /** Starts from what was loaded. */
    synchronized void start(OptionalLong value) {
        pending.clear();
        synced = value.orElse(NONE);
    }

    synchronized void committed(long revision, OptionalLong value) {
        settle();
        long now = value.orElse(NONE);
        Pending last = pending.peekLast();
        if (now == (last == null ? synced : last.value())) {
            return;
        }
        if (last != null && pending.size() == KEPT) {
            pending.removeLast();
            pending.addLast(new Pending(revision, now, Math.min(last.lowest(), now)));
        } else {
            pending.addLast(new Pending(revision, now, now));
        }
        settle();
    }

    synchronized OptionalLong get() {
        settle();
        long lowest = synced;
        if (lowest != NONE) {
            for (Pending p : pending) {
                lowest = p.lowest() == NONE ? lowest : Math.min(lowest, p.lowest());
            }
        }
        return lowest == NONE ? OptionalLong.empty() : OptionalLong.of(lowest);
    }

    private void settle() {
        if (pending.isEmpty()) {
            return;
        }
        long upTo = syncedRevision.getAsLong();
        for (Pending first = pending.peekFirst();
                first != null && first.revision() <= upTo;
                first = pending.peekFirst()) {
            synced = first.value();
            pending.removeFirst();
        }
    }
}
