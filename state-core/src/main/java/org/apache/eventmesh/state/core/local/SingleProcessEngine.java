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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/**
 * An engine that only one process can open, with the leases and watches that it lacks, so that the stores see one kind
 * of engine. Both are kept in memory and end with the process; what stood under a lease then is deleted when the engine
 * is opened again.
 *
 * <p><b>Leases</b> run on the ticker of the configuration. Once a lease is due, no read, scan or commit that starts sees
 * a key of it: such a call waits until the keys are deleted and synced, and fails as not applied when they cannot be.
 * The end is noticed soon also when nobody calls.
 *
 * <p><b>Watches</b> read a bounded history of changes in the order of revisions. A watch that asks for more than is held,
 * or falls behind it, gets {@code Lost}. Each listener is called on a thread of its own while there is something to
 * tell, so one that blocks or throws harms only itself.
 */
public final class SingleProcessEngine implements Engine {
    private final Engine delegate;
    private final EngineConfig config;
    private final LocalRanges ranges;
    private final LocalThreads threads = new LocalThreads();
    private final LeaseTable leases;
    private final LocalWatches watches;
    private final PublishedCommits commits;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SingleProcessEngine(
            Engine delegate, EngineConfig config, LocalRanges ranges, HistoryBounds bounds, long revision) {
        this.delegate = delegate;
        this.config = config;
        this.ranges = ranges;
        History history = new History(bounds);
        CommitOrder order = new CommitOrder(history, bounds);
        order.resumeAt(revision);
        this.watches = new LocalWatches(history, threads.listeners());
        this.commits = new PublishedCommits(delegate, ranges, history, order, watches);
        this.leases = new LeaseTable(
                config.ticker(),
                new LeasedKeyDeletes(deletes -> commits.commit(deletes, Durability.DISK), threads.workers()));
    }

    /** As {@link #open(Engine, EngineConfig, LocalRanges, HistoryBounds)} with {@link HistoryBounds#DEFAULT}. */
    public static SingleProcessEngine open(Engine delegate, EngineConfig config, LocalRanges ranges) {
        return open(delegate, config, ranges, HistoryBounds.DEFAULT);
    }

    /**
     * Ends the leases of an earlier process, then takes the engine over; blocks, each step at most for the configured
     * deadline. Closes the engine when that fails.
     *
     * @param delegate open, used by nobody else from now on; closed with this
     * @param config that the engine was opened with: the ticker for leases, the deadline, the address for messages
     * @throws org.apache.eventmesh.state.failure.StateStoreException when the engine fails or does not answer
     */
    public static SingleProcessEngine open(
            Engine delegate, EngineConfig config, LocalRanges ranges, HistoryBounds bounds) {
        try {
            long revision = new EndedLeases(delegate, config.deadline()).clear(ranges.leased());
            SingleProcessEngine engine = new SingleProcessEngine(delegate, config, ranges, bounds, revision);
            engine.threads.every(engine::keepHouse);
            return engine;
        } catch (RuntimeException | Error e) {
            delegate.close();
            throw e;
        }
    }

    private void keepHouse() {
        leases.poll();
        commits.resume();
        watches.catchUp();
    }

    @Override
    public String incarnation() {
        return delegate.incarnation();
    }

    @Override
    public Limits limits() {
        return delegate.limits();
    }

    @Override
    public List<CompletionStage<CommitResult>> commit(List<Commit> asked, Durability level) {
        List<CompletionStage<CommitResult>> fates = new ArrayList<>(asked.size());
        List<Commit> ready = new ArrayList<>(asked.size());
        List<Integer> places = new ArrayList<>(asked.size());
        for (Commit commit : asked) {
            LeaseTable.Admission admission = leases.admit(commit);
            if (admission instanceof LeaseTable.Admission.Entered) {
                places.add(fates.size());
                ready.add(commit);
                fates.add(CompletableFuture.failedStage(new IllegalStateException("not handed over")));
            } else {
                fates.add(later(commit, level, admission));
            }
        }
        List<CompletionStage<CommitResult>> handedOver = handOver(ready, level);
        for (int i = 0; i < places.size(); i++) {
            fates.set(places.get(i), handedOver.get(i));
        }
        return fates;
    }

    private CompletionStage<CommitResult> later(Commit commit, Durability level, LeaseTable.Admission admission) {
        if (admission instanceof LeaseTable.Admission.Ended ended) {
            return CompletableFuture.completedStage(new CommitResult.LeaseEnded(ended.lease()));
        }
        if (admission instanceof LeaseTable.Admission.Wait wait) {
            return after(wait.gone(), () -> commit(List.of(commit), level).get(0));
        }
        return handOver(List.of(commit), level).get(0);
    }

    private List<CompletionStage<CommitResult>> handOver(List<Commit> admitted, Durability level) {
        if (admitted.isEmpty()) {
            return List.of();
        }
        List<CompletionStage<CommitResult>> stages = commits.commit(admitted, level);
        List<CompletionStage<CommitResult>> fates = new ArrayList<>(stages.size());
        for (int i = 0; i < stages.size(); i++) {
            Commit commit = admitted.get(i);
            fates.add(stages.get(i)
                    .whenComplete((result, failure) -> leases.decided(
                            commit,
                            result instanceof CommitResult.Applied applied
                                    ? OptionalLong.of(applied.revision())
                                    : OptionalLong.empty())));
        }
        return fates;
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        Set<Bytes> asked = Set.copyOf(keys);
        return afterEndings(asked::contains, () -> delegate.read(asked));
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return afterEndings(range::contains, () -> commits.scan(range, limit));
    }

    private <T> CompletionStage<T> afterEndings(Predicate<Bytes> touched, Supplier<CompletionStage<T>> call) {
        Optional<CompletionStage<Void>> gone = leases.before(touched);
        return gone.isEmpty() ? Failure.caught(call) : after(gone.get(), () -> afterEndings(touched, call));
    }

    private <T> CompletionStage<T> after(CompletionStage<Void> gone, Supplier<CompletionStage<T>> call) {
        return gone.handleAsync(
                        (done, failure) -> failure == null ? call.get() : this.<T>notGone(failure), threads.workers())
                .thenCompose(Function.identity());
    }

    private <T> CompletionStage<T> notGone(Throwable failure) {
        Throwable cause = Failure.cause(failure);
        return CompletableFuture.failedStage(
                cause instanceof StoreClosedException
                        ? cause
                        : new StoreUnavailableException(
                                "the keys of an ended lease could not be deleted from %s, so nothing that touches them can be answered; try again"
                                        .formatted(config.uri()),
                                cause));
    }

    @Override
    public long syncedRevision() {
        return delegate.syncedRevision();
    }

    /** @throws IllegalArgumentException when the range is not one whose changes are remembered */
    @Override
    public Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
        checkOpen();
        if (!ranges.remembers(range)) {
            throw new IllegalArgumentException("a watch outside the watched ranges of " + config.uri());
        }
        LocalWatch watch = watches.start(range, afterRevision, listener);
        if (afterRevision > commits.highestSeen()) {
            watch.lose("revision " + afterRevision + " is not of this life of " + config.uri());
        }
        return watch;
    }

    @Override
    public CompletionStage<Lease> lease(Duration timeToLive) {
        if (timeToLive.compareTo(Duration.ZERO) <= 0 || timeToLive.compareTo(LeaseTable.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a lease of " + timeToLive + "; it must be longer than zero and at most " + LeaseTable.LONGEST);
        }
        return unlessClosed(() -> CompletableFuture.completedStage(new LocalLease(leases.grant(timeToLive), this)));
    }

    @Override
    public CompletionStage<Duration> remaining(long leaseId) {
        return unlessClosed(() -> CompletableFuture.completedStage(leases.remaining(leaseId)));
    }

    CompletionStage<Boolean> renew(HeldLease lease) {
        return unlessClosed(() -> CompletableFuture.completedStage(leases.renew(lease)));
    }

    CompletionStage<Void> revoke(HeldLease lease) {
        return unlessClosed(() -> leases.revoke(lease));
    }

    private <T> CompletionStage<T> unlessClosed(Supplier<CompletionStage<T>> call) {
        return closed.get() ? CompletableFuture.failedStage(closedException()) : call.get();
    }

    @Override
    public CompletionStage<Void> checkpoint(Path directory) {
        return unlessClosed(() -> delegate.checkpoint(directory));
    }

    @Override
    public EngineHealth health() {
        return delegate.health();
    }

    /** Watches get {@code Lost}; leases are not ended before the next opening. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            threads.stopPeriod();
            try {
                delegate.close();
            } finally {
                watches.close();
                threads.close();
            }
        }
    }

    private void checkOpen() {
        if (closed.get()) {
            throw closedException();
        }
    }

    private StoreClosedException closedException() {
        return new StoreClosedException(config.uri() + " is closed; open it again");
    }
}
