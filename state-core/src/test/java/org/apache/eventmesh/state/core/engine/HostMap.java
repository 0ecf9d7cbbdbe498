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
package org.apache.eventmesh.state.core.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** The map of one host: what is synced of it, and what happens at a commit, is for the test to say. */
public final class HostMap extends MapEngine {
    private final String name;
    private final AtomicReference<At> at = new AtomicReference<>(At.NOTHING);
    private volatile long synced = Long.MAX_VALUE;

    /** What happens at the next commit that changes such a key; it fails when there is a failure. */
    private record At(Predicate<Bytes> key, Runnable before, List<StateStoreException> failure) {
        private static final At NOTHING = new At(key -> false, () -> {}, List.of());
    }

    public HostMap(String name) {
        this.name = name;
    }

    @Override
    public String incarnation() {
        return name;
    }

    /** What is committed from now on is not synced until {@link #sync}. */
    public synchronized void holdSync() {
        synced = super.syncedRevision();
    }

    public void sync() {
        synced = Long.MAX_VALUE;
    }

    @Override
    public synchronized long syncedRevision() {
        return Math.min(synced, super.syncedRevision());
    }

    /** Done once, before the next commit that changes such a key; reads go on meanwhile. */
    public void beforeCommit(Predicate<Bytes> key, Runnable task) {
        at.set(new At(key, task, List.of()));
    }

    /** The next commit that changes such a key fails. */
    public void failCommit(Predicate<Bytes> key, StateStoreException failure) {
        at.set(new At(key, () -> {}, List.of(failure)));
    }

    /** What is done before a commit may take its time: whoever reads does not wait for it. */
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        At now = at.get();
        boolean hit = commits.stream()
                .flatMap(commit -> commit.changes().stream())
                .anyMatch(change -> now.key().test(change.key()));
        if (hit && at.compareAndSet(now, At.NOTHING)) {
            now.before().run();
            if (!now.failure().isEmpty()) {
                return commits.stream()
                        .<CompletionStage<CommitResult>>map(commit ->
                                CompletableFuture.failedStage(now.failure().get(0)))
                        .toList();
            }
        }
        return super.commit(commits, level);
    }
}
