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

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.deadletter.ReplayedLetters;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.shard.RecordFailure;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.core.task.CarriedTasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes, over two backends, what crashes and outages left between them in the shards that are owned here: at each claim,
 * when asked, and from time to time. Over one backend there is nothing to finish.
 */
public final class Recovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Of the deadline: a claim waits no longer for what an earlier owner left. */
    private static final int CLAIM = 4;

    private final Sides sides;
    private final Shards shards;
    private final Positions positions;

    /** Shards in which what is left is being finished. */
    private final Set<ShardLoop> underWay = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * What was finished.
     *
     * @param letters deliveries that became dead letters
     * @param tasks settlements that were followed, and deliveries of tasks that were opened
     * @param replays deliveries of replayed letters that were opened
     * @param positions that were published
     */
    public record Finished(long letters, long tasks, long replays, long positions) {
        static final Finished NOTHING = new Finished(0, 0, 0, 0);

        Finished plus(Finished other) {
            return new Finished(
                    letters + other.letters, tasks + other.tasks, replays + other.replays, positions + other.positions);
        }
    }

    public Recovery(Sides sides, Shards shards, Positions positions) {
        this.sides = sides;
        this.shards = shards;
        this.positions = positions;
        if (sides.two()) {
            later();
        }
    }

    /**
     * A shard was claimed and loaded. A failure is only told to the log: what is left is finished later. So is what takes
     * longer than a part of the claim's deadline.
     */
    public CompletionStage<Boolean> loaded(ShardLoop loop) {
        if (!sides.two()) {
            return CompletableFuture.completedStage(true);
        }
        CompletionStage<Boolean> all = finish(loop, true).handle((finished, failure) -> {
            if (failure != null) {
                LOG.warn(
                        "{} was claimed, and what was left of it between the backends could not be finished yet",
                        loop.token().scope(),
                        failure);
            }
            return failure == null;
        });
        return Patience.of(loop, CLAIM).until(all, false);
    }

    /** Goes over all shards that are owned here; the first failure fails it, the others are finished all the same. */
    public CompletionStage<Finished> reconcile() {
        if (!sides.two()) {
            return CompletableFuture.completedStage(Finished.NOTHING);
        }
        List<CompletableFuture<Finished>> each = shards.owned().stream()
                .map(loop -> reconcile(loop).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(each.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> each.stream().map(CompletableFuture::join).reduce(Finished.NOTHING, Finished::plus));
    }

    private CompletionStage<Finished> reconcile(ShardLoop loop) {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        return finish(loop, true)
                .exceptionally(failure -> {
                    failures.add(failure);
                    return Finished.NOTHING;
                })
                .thenCompose(finished ->
                        positions.flush(loop).thenApply(count -> finished.plus(new Finished(0, 0, 0, count))))
                .thenCompose(finished -> ended(finished, failures));
    }

    /**
     * What is known to be left, then what may be missing. What fails keeps no other part from its turn, and fails the stage
     * in the end.
     *
     * @param everything also what nothing tells of: a look at all that is marked in the shared backend
     */
    private static CompletionStage<Finished> finish(ShardLoop loop, boolean everything) {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        return Aftermath.all(loop)
                .thenCompose(settled -> {
                    settled.failures().forEach(failed -> failures.add(failed.why()));
                    if (everything) {
                        settled.tell(loop);
                    }
                    Finished finished = new Finished(settled.letters(), settled.settlements(), 0, 0);
                    return everything || loop.unopened().suspected()
                            ? unopened(loop, failures).thenApply(finished::plus)
                            : CompletableFuture.completedStage(finished);
                })
                .thenCompose(finished -> ended(finished, failures));
    }

    /** Opens the deliveries that what is marked in the shared backend should have here. */
    private static CompletionStage<Finished> unopened(ShardLoop loop, List<Throwable> failures) {
        loop.unopened().looking();
        return opened(loop, new CarriedTasks(loop).all(), failures)
                .thenCompose(tasks -> opened(loop, new ReplayedLetters(loop).all(), failures)
                        .thenApply(replays -> new Finished(0, tasks, replays, 0)));
    }

    private static CompletionStage<Long> opened(
            ShardLoop loop, CompletionStage<Long> opening, List<Throwable> failures) {
        return opening.exceptionally(failure -> {
            if (!RecordFailure.is(failure)) {
                // of one record alone it would be the same again, and all others have had their turn
                loop.unopened().suspect();
            }
            failures.add(failure);
            return 0L;
        });
    }

    private static CompletionStage<Finished> ended(Finished finished, List<Throwable> failures) {
        return failures.isEmpty()
                ? CompletableFuture.completedStage(finished)
                : CompletableFuture.failedStage(failures.get(0));
    }

    private void later() {
        if (!closed) {
            sides.local().deadlines().after(EVERY, () -> {
                // first: whatever this look does, it must not be the last one
                later();
                Collection<ShardLoop> owned = shards.owned();
                sides.local().workers().execute(() -> look(owned));
            });
        }
    }

    private void look(Collection<ShardLoop> owned) {
        if (!closed) {
            positions.tick(owned);
            owned.forEach(this::look);
        }
    }

    private void look(ShardLoop loop) {
        if (closed) {
            return;
        }
        boolean left = loop.look(index ->
                        !index.givenUp().isEmpty() || !index.outstanding().isEmpty())
                || loop.unopened().suspected();
        if (left && loop.valid() && underWay.add(loop)) {
            finish(loop, false).whenComplete((finished, failure) -> {
                underWay.remove(loop);
                if (failure != null) {
                    LOG.debug(
                            "what is left of {} cannot be finished yet",
                            loop.token().scope(),
                            failure);
                }
            });
        }
    }

    /** Publishes once more, as far as the shared backend answers in time. */
    public void close(Duration patience) {
        close();
        if (!sides.two() || !sides.shared().engine().health().up()) {
            return;
        }
        CompletableFuture<?>[] each = shards.owned().stream()
                .filter(ShardLoop::valid)
                .map(loop -> positions.flush(loop).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(each).get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("not all positions could be published at close; another host would deliver again", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
