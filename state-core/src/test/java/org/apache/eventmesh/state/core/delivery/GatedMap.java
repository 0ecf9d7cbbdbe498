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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;

/** A map whose commits to the shard of the tests wait, while its gate is closed, for the test to say their fate. */
final class GatedMap extends MapEngine {
    private static final Bytes SHARD = ShardKeys.shard(Node.PARTITION);

    private final Limits limits;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean closed;
    private int commits;

    GatedMap() {
        this(new Limits(1_000, 1 << 20));
    }

    GatedMap(Limits limits) {
        this.limits = limits;
    }

    /** A commit before the engine. */
    final class Waiting {
        private final Commit commit;
        private final CompletableFuture<CommitResult> fate = new CompletableFuture<>();

        Waiting(Commit commit) {
            this.commit = commit;
        }

        /** What the engine makes of it now. */
        void decide() {
            fate.complete(apply(commit));
        }

        void fail(StateStoreException failure) {
            fate.completeExceptionally(failure);
        }

        /** It is in the map, and its caller will never hear so. */
        void applyAndFail(StateStoreException failure) {
            apply(commit);
            fate.completeExceptionally(failure);
        }
    }

    synchronized void close(boolean gate) {
        closed = gate;
    }

    /** The next commit at the gate. */
    Waiting next() {
        Awaitility.await().until(() -> {
            synchronized (this) {
                return !waiting.isEmpty();
            }
        });
        synchronized (this) {
            return waiting.removeFirst();
        }
    }

    /** Opens the gate, and lets the engine decide what waits. */
    void open() {
        List<Waiting> all;
        synchronized (this) {
            closed = false;
            all = new ArrayList<>(waiting);
            waiting.clear();
        }
        all.forEach(Waiting::decide);
    }

    /** How many commits to the shard there were. */
    synchronized int commits() {
        return commits;
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> handed, Durability level) {
        List<CompletionStage<CommitResult>> fates = new ArrayList<>();
        for (Commit commit : handed) {
            boolean toShard = commit.conditions().stream()
                    .anyMatch(condition -> condition.key().equals(SHARD));
            if (toShard) {
                commits++;
            }
            if (toShard && closed) {
                Waiting held = new Waiting(commit);
                waiting.addLast(held);
                fates.add(held.fate);
            } else {
                fates.add(CompletableFuture.completedStage(apply(commit)));
            }
        }
        return fates;
    }
}
