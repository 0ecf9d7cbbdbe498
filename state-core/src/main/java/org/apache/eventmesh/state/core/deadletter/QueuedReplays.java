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
package org.apache.eventmesh.state.core.deadletter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.read.TableView;
import org.apache.eventmesh.state.core.read.ViewListener;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Finishes the requests that wait for the owner of a partition, where that is this store set: those that it finds when it
 * claims the partition, and those that come while it has it. What fails is tried again.
 */
public final class QueuedReplays implements AutoCloseable {
    private static final int AT_ONCE = 64;
    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final long ANY = 0;

    private final Backend backend;
    private final Replays replays;
    private final TableView<ReplayKey> queue;
    private final Set<KeyRange> again = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Starts to watch. */
    public QueuedReplays(Backend backend, Replays replays) {
        this.backend = backend;
        this.replays = replays;
        this.queue = new TableView<>(
                backend, StoreName.DEAD_LETTERS, ReplayKey.allQueued(), entry -> ReplayKey.readQueued(entry.key()));
        queue.watch(new ViewListener<>() {
            @Override
            public void resynchronised(SortedMap<Bytes, ReplayKey> all) {
                goOver(ReplayKey.allQueued());
            }

            @Override
            public void changed(Bytes key, Optional<ReplayKey> before, Optional<ReplayKey> now) {
                now.ifPresent(QueuedReplays.this::finish);
            }
        });
    }

    /** A partition is ours now: what waited for that is done, without anybody waiting for it. */
    public void claimed(Partition partition) {
        goOver(ReplayKey.queuedIn(partition));
    }

    /** Goes over all that wait; how many of them became deliveries. */
    public CompletionStage<Long> finish() {
        return finish(ReplayKey.allQueued(), 0);
    }

    /** As {@link #finish()}, with a deadline. */
    public CompletionStage<Long> reconcile() {
        // what was begun goes on when nobody waits for it any more
        Ask<Long> ask = backend.ask(DeadLetters.operation("reconcile", ""), () -> false);
        finish().whenComplete((done, failure) -> {
            if (failure == null) {
                ask.answer(done);
            } else {
                ask.fail(failure);
            }
        });
        return ask.stage();
    }

    @Override
    public void close() {
        closed = true;
        queue.close();
    }

    private CompletionStage<Long> finish(KeyRange rest, long before) {
        return backend.scan(rest, AT_ONCE).thenCompose(slice -> finish(rest, slice, before));
    }

    private CompletionStage<Long> finish(KeyRange rest, Slice slice, long before) {
        List<CompletableFuture<Boolean>> begun = new ArrayList<>();
        for (Entry entry : slice.entries()) {
            try {
                begun.add(finish(ReplayKey.readQueued(entry.key())).toCompletableFuture());
            } catch (CorruptStateException e) {
                // nobody can tell what it asks for; the view reports it
            }
        }
        return CompletableFuture.allOf(begun.toArray(CompletableFuture<?>[]::new))
                .thenCompose(done -> {
                    long now = before
                            + begun.stream().filter(CompletableFuture::join).count();
                    return slice.more() ? finish(rest.after(last(slice)), now) : CompletableFuture.completedStage(now);
                });
    }

    /** Whether it became a delivery; not, where another owns the partition. */
    private CompletionStage<Boolean> finish(ReplayKey key) {
        return replays.here(key, ANY).handle((answer, failure) -> {
            if (failure != null) {
                later(ReplayKey.queuedIn(key.id().partition()));
                return false;
            }
            return answer.map(ReplayAnswer::state).equals(Optional.of(ReplayRecord.State.REPLAYED));
        });
    }

    private void goOver(KeyRange waiting) {
        if (!closed) {
            finish(waiting, 0).whenComplete((done, failure) -> {
                if (failure != null) {
                    later(waiting);
                }
            });
        }
    }

    /** Once for all that failed there meanwhile. */
    private void later(KeyRange waiting) {
        if (!closed && again.add(waiting)) {
            backend.deadlines().after(PAUSE, () -> {
                again.remove(waiting);
                goOver(waiting);
            });
        }
    }

    private static Bytes last(Slice slice) {
        return slice.entries().get(slice.entries().size() - 1).key();
    }
}
