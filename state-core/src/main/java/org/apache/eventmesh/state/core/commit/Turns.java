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
package org.apache.eventmesh.state.core.commit;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Lets writes of this process that rely on a key and change it follow one another, each deciding on what the one before has
 * left. Otherwise each of many writers on one key would be refused by every one before it. Safety does not hang on it: what
 * counts are the conditions of the commits, and other processes take no turns here.
 */
final class Turns {
    private final Executor executor;

    /** Guarded by this, as everything in a line and a turn. */
    private final Map<Bytes, Line> lines = new HashMap<>();

    private static final class Line {
        private final Set<Turn> waiting = new LinkedHashSet<>();

        /** What the last write left; unknown before the first. */
        private Optional<Optional<Entry>> left = Optional.empty();
    }

    /** A place in the lines of some keys; it has come when it is the first in all of them. */
    final class Turn {
        private final Set<Bytes> keys;
        private final Consumer<Map<Bytes, Optional<Entry>>> come;
        private boolean mine;

        private Turn(Set<Bytes> keys, Consumer<Map<Bytes, Optional<Entry>>> come) {
            this.keys = keys;
            this.come = come;
        }

        /** Whether it has come. */
        boolean isMine() {
            synchronized (Turns.this) {
                return mine;
            }
        }

        boolean covers(Collection<Bytes> others) {
            return keys.containsAll(others);
        }

        /** Nothing was written, or nobody knows. May be called again. */
        void end() {
            end(List.of(), 0);
        }

        /** These were written, and are what the next one finds. */
        void end(List<Change> changes, long revision) {
            endTurn(this, changes, revision);
        }
    }

    /** @param executor where waiting turns are told that they have come */
    Turns(Executor executor) {
        this.executor = executor;
    }

    /**
     * Gets in line.
     *
     * @param come called when the turn comes later, with what is known of its keys; not called when it has come at once
     */
    synchronized Turn take(Set<Bytes> keys, Consumer<Map<Bytes, Optional<Entry>>> come) {
        Turn turn = new Turn(keys, come);
        // in all lines in one step: so of any two turns the same one is first wherever they meet
        keys.forEach(key -> lines.computeIfAbsent(key, k -> new Line()).waiting.add(turn));
        turn.mine = isFirst(turn);
        return turn;
    }

    /** Whether somebody writes this key, or waits to. */
    synchronized boolean isBusy(Bytes key) {
        return lines.containsKey(key);
    }

    private synchronized void endTurn(Turn turn, List<Change> changes, long revision) {
        for (Change change : changes) {
            Line line = lines.get(change.key());
            if (line != null && turn.keys.contains(change.key())) {
                line.left = Optional.of(
                        change instanceof Change.Put put
                                ? Optional.of(new Entry(put.key(), put.value(), revision))
                                : Optional.empty());
            }
        }
        for (Bytes key : turn.keys) {
            Line line = lines.get(key);
            if (line != null && line.waiting.remove(turn)) {
                if (line.waiting.isEmpty()) {
                    lines.remove(key);
                } else {
                    tell(line.waiting.iterator().next());
                }
            }
        }
    }

    private void tell(Turn next) {
        if (!next.mine && isFirst(next)) {
            next.mine = true;
            Map<Bytes, Optional<Entry>> left = new HashMap<>();
            next.keys.forEach(key -> Optional.ofNullable(lines.get(key))
                    .flatMap(line -> line.left)
                    .ifPresent(entry -> left.put(key, entry)));
            executor.execute(() -> next.come.accept(left));
        }
    }

    private boolean isFirst(Turn turn) {
        for (Bytes key : turn.keys) {
            Line line = lines.get(key);
            if (line == null || line.waiting.iterator().next() != turn) {
                return false;
            }
        }
        return true;
    }
}
