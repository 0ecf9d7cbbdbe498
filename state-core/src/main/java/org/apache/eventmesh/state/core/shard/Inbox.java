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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Operations that wait for their turn, in order. */
final class Inbox {
    /** Fewer that were withdrawn are left where they are. */
    private static final int FEW = 1024;

    private final ArrayDeque<Pending<?>> waiting = new ArrayDeque<>();
    private int withdrawn;

    synchronized void add(Pending<?> pending) {
        waiting.addLast(pending);
    }

    /** Puts back, in front, what was taken and could not be decided. */
    synchronized void putBack(List<? extends Pending<?>> taken) {
        for (int i = taken.size() - 1; i >= 0; i--) {
            waiting.addFirst(taken.get(i));
        }
    }

    /** The first that still wait. */
    synchronized List<Pending<?>> take(int most) {
        List<Pending<?>> taken = new ArrayList<>(Math.min(most, waiting.size()));
        while (taken.size() < most && !waiting.isEmpty()) {
            Pending<?> first = waiting.removeFirst();
            if (first.waiting()) {
                taken.add(first);
            } else if (withdrawn > 0) {
                withdrawn--;
            }
        }
        return taken;
    }

    /** Those that are here now. */
    synchronized Set<Pending<?>> present() {
        return Set.copyOf(waiting);
    }

    /** Those of them that still wait. */
    synchronized List<Pending<?>> take(Set<Pending<?>> these) {
        List<Pending<?>> taken = new ArrayList<>(these.size());
        waiting.removeIf(pending -> {
            if (!these.contains(pending)) {
                return false;
            }
            if (pending.waiting()) {
                taken.add(pending);
            } else if (withdrawn > 0) {
                withdrawn--;
            }
            return true;
        });
        return taken;
    }

    /** The one whose turn is next, if any waits. */
    synchronized @Nullable Pending<?> first() {
        return waiting.peekFirst();
    }

    synchronized boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** One of those that wait was withdrawn. While a commit has no fate nobody takes, so they must not pile up. */
    synchronized void withdrawn() {
        withdrawn++;
        if (withdrawn > FEW && 2 * withdrawn > waiting.size()) {
            waiting.removeIf(pending -> !pending.waiting());
            withdrawn = 0;
        }
    }
}
