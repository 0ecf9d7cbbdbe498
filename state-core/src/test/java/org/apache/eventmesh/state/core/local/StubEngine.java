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
package org.apache.eventmesh.state.core.local;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** Applies at once; the test decides when, and in which order, the answers to commits come. */
final class StubEngine implements Engine {
    /** A commit that was applied and whose answer is held back. */
    record Held(CompletableFuture<CommitResult> stage, CommitResult result) {
        void answer() {
            stage.complete(result);
        }

        void fail(RuntimeException failure) {
            stage.completeExceptionally(failure);
        }
    }

    final TreeMap<Bytes, Entry> entries = new TreeMap<>();
    final List<Held> held = new ArrayList<>();
    boolean holding;
    boolean failing;
    volatile boolean closed;
    Runnable onClose = () -> {};
    long revision;

    @Override
    public String incarnation() {
        return "stub";
    }

    @Override
    public Limits limits() {
        return new Limits(4, 1000);
    }

    @Override
    public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        List<CompletionStage<CommitResult>> fates = new ArrayList<>();
        for (Commit commit : commits) {
            fates.add(answer(() -> apply(commit)).thenCompose(this::hold));
        }
        return fates;
    }

    private CompletionStage<CommitResult> hold(CommitResult result) {
        Held answer = new Held(new CompletableFuture<>(), result);
        if (holding) {
            held.add(answer);
        } else {
            answer.answer();
        }
        return answer.stage();
    }

    private CommitResult apply(Commit commit) {
        if (failing) {
            throw new StoreUnavailableException("the stub fails");
        }
        List<Bytes> conditioned =
                commit.conditions().stream().map(condition -> condition.key()).toList();
        boolean refused =
                commit.conditions().stream().anyMatch(condition -> condition.revision() != revisionOf(condition.key()));
        if (refused) {
            return new CommitResult.Refused(present(conditioned));
        }
        revision++;
        for (Change change : commit.changes()) {
            if (change instanceof Change.Put put) {
                if (put.lease().isPresent()) {
                    throw new AssertionError("a lease was handed to an engine without leases");
                }
                entries.put(put.key(), new Entry(put.key(), put.value(), revision));
            } else {
                entries.remove(change.key());
            }
        }
        return new CommitResult.Applied(revision);
    }

    private long revisionOf(Bytes key) {
        return Optional.ofNullable(entries.get(key)).map(Entry::revision).orElse(0L);
    }

    private List<Entry> present(Collection<Bytes> keys) {
        return keys.stream()
                .distinct()
                .flatMap(key -> Optional.ofNullable(entries.get(key)).stream())
                .toList();
    }

    @Override
    public synchronized CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return answer(() -> present(keys));
    }

    @Override
    public synchronized CompletionStage<Slice> scan(KeyRange range, int limit) {
        return answer(() -> {
            List<Entry> inside =
                    List.copyOf(entries.subMap(range.from(), range.to()).values());
            return new Slice(inside.subList(0, Math.min(limit, inside.size())), revision, inside.size() > limit);
        });
    }

    @Override
    public synchronized long syncedRevision() {
        return revision;
    }

    @Override
    public EngineHealth health() {
        return new EngineHealth(!closed, "stub:", "");
    }

    @Override
    public void close() {
        onClose.run();
        closed = true;
    }

    private <T> CompletionStage<T> answer(Supplier<T> call) {
        try {
            if (closed) {
                throw new StoreClosedException("the stub is closed");
            }
            return CompletableFuture.completedStage(call.get());
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
