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
package org.apache.eventmesh.state.tck.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/**
 * Any engine, with the faults that a test asks for: the same test makes the same fault at the same commit, always. With
 * none armed it only delegates, leases and watches included. Safe for any number of threads.
 *
 * <p>A fault is armed for some commits ({@link Which}) and stays so until those have come or {@link #disarm}. A commit
 * that several faults would hit gets the one that was armed first. Of a call with many commits each is hit or spared by
 * itself.
 */
public final class FaultEngine implements Engine {
    private final Engine engine;
    private final String address;
    /** Asked once, as the next: those who were killed still look at them. */
    private final String incarnation;

    private final Limits limits;

    private final EngineListener listener;
    private final Gate gate = new Gate();
    private final AtomicLong commits;
    private final AtomicLong unsynced;
    private final Armed<CommitFault> commitFaults;
    private final Armed<Supplier<StateStoreException>> readFaults;
    private final List<Hold> holds = new CopyOnWriteArrayList<>();
    private final Set<FaultWatch> watches = ConcurrentHashMap.newKeySet();

    /** Closing this closes the engine. */
    public FaultEngine(Engine engine) {
        this(engine, EngineListener.NONE);
    }

    /**
     * Closing this closes the engine.
     *
     * @param listener hears of cut, healing and lost answers as it would of real ones
     */
    public FaultEngine(Engine engine, EngineListener listener) {
        this.engine = engine;
        this.address = engine.health().backend();
        this.incarnation = engine.incarnation();
        this.limits = engine.limits();
        this.listener = listener;
        this.commits = new AtomicLong();
        this.unsynced = new AtomicLong();
        this.commitFaults = new Armed<>();
        this.readFaults = new Armed<>();
    }

    /**
     * The second engine of one user: faults that are armed here or there hit the commits and reads of both, counted
     * together; cuts, crashes and closing are of each alone.
     */
    public FaultEngine(Engine engine, FaultEngine beside) {
        this.engine = engine;
        this.address = engine.health().backend();
        this.incarnation = engine.incarnation();
        this.limits = engine.limits();
        this.listener = EngineListener.NONE;
        this.commits = beside.commits;
        this.unsynced = beside.unsynced;
        this.commitFaults = beside.commitFaults;
        this.readFaults = beside.readFaults;
    }

    /** The commits fail with {@link StoreUnavailableException}; nothing is applied. */
    public void fail(Which which) {
        fail(which, () -> new StoreUnavailableException("failed by the test; nothing was applied, try again"));
    }

    /** The commits fail; nothing is applied. */
    public void fail(Which which, Supplier<? extends StateStoreException> failure) {
        on(which, apply -> CompletableFuture.failedStage(failure.get()));
    }

    /** The commits wait before they reach the engine. When this is closed first, they are not applied. */
    public Hold hold(Which which) {
        Hold hold = newHold();
        on(which, apply -> hold.take(apply, new StoreClosedException("closed while held; nothing was applied")));
        return hold;
    }

    /**
     * The commits are decided, and nobody hears of it: their stages stay incomplete, as those of an engine that does not
     * know yet, until the hold is released. When this is closed first, they fail with {@link OutcomeUnknownException}.
     */
    public Hold loseAnswer(Which which) {
        Hold hold = newHold();
        on(
                which,
                apply -> apply.get()
                        .handle((result, failure) -> {
                            listener.unknown("the answer to a commit was lost by the test");
                            return hold.take(
                                    () -> failure == null
                                            ? CompletableFuture.completedStage(result)
                                            : CompletableFuture.failedStage(failure),
                                    new OutcomeUnknownException("the answer was lost by the test"));
                        })
                        .thenCompose(Function.identity()));
        return hold;
    }

    /**
     * The commits are decided, and answered with {@link OutcomeUnknownException}. Only a closing engine may do that, so
     * put this above what keeps leases and watches, not below.
     */
    public void answerUnknown(Which which) {
        on(which, apply -> apply.get().thenCompose(result -> unknownOutcome("and it was handed to the engine")));
    }

    /** The commits never reach the engine, and are answered with {@link OutcomeUnknownException}; else as above. */
    public void answerUnknownWithoutApplying(Which which) {
        on(which, apply -> unknownOutcome("and it never reached the engine"));
    }

    private static CompletionStage<CommitResult> unknownOutcome(String truth) {
        return CompletableFuture.failedStage(
                new OutcomeUnknownException("the test lost the answer to a commit, " + truth));
    }

    /** The commits reach the engine later, by real time. */
    public void delay(Which which, Duration time) {
        Executor later = CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS);
        on(which, apply -> CompletableFuture.supplyAsync(apply, later).thenCompose(Function.identity()));
    }

    /** The commits are answered as the test says. */
    public void on(Which which, CommitFault fault) {
        commitFaults.arm(which, fault);
    }

    /** The reads and scans fail with {@link StoreUnavailableException}. */
    public void failReads(Which which) {
        failReads(which, () -> new StoreUnavailableException("failed by the test; try again"));
    }

    /** The reads and scans fail. */
    public void failReads(Which which, Supplier<StateStoreException> failure) {
        readFaults.arm(which, failure);
    }

    /** Forgets all faults of commits and reads; what is held stays so until it is released. */
    public void disarm() {
        commitFaults.disarm();
        readFaults.disarm();
    }

    /** From now on nothing gets through; {@link #heal} ends it. Answers to calls under way still come with {@code FAIL}. */
    public void cut(Cut how) {
        gate.cut(how);
        if (how == Cut.FAIL) {
            watches.forEach(FaultWatch::lose);
            watches.clear();
        }
        listener.healthChanged(health());
    }

    public void heal() {
        gate.heal();
        watches.forEach(FaultWatch::deliver);
        listener.healthChanged(health());
    }

    /**
     * The user of this engine is dead, as if its process was killed: when this returns, nothing that it asked for is
     * under way in the engine or will ever reach it, nothing is answered any more, no watch is told anything, and the
     * engine is closed.
     */
    public void crash() {
        gate.crash();
        holds.forEach(hold -> hold.drop(false));
        watches.forEach(FaultWatch::close);
        engine.close();
    }

    /** How many commits this was asked for so far, whatever became of them. */
    public long commits() {
        return commits.get();
    }

    /** How many of those that change something need not be synced. */
    public long unsynced() {
        return unsynced.get();
    }

    /**
     * The end of a test: everything that the crash left without an answer fails as closed, so that the threads of whoever
     * was killed come to an end.
     */
    public void bury() {
        gate.bury();
        holds.forEach(hold -> hold.drop(true));
    }

    private Hold newHold() {
        Hold hold = new Hold();
        holds.add(hold);
        return hold;
    }

    @Override
    public String incarnation() {
        return incarnation;
    }

    @Override
    public boolean nonBlocking() {
        return engine.nonBlocking();
    }

    @Override
    public Limits limits() {
        return limits;
    }

    @Override
    public List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        this.commits.addAndGet(commits.size());
        if (level == Durability.PROCESS) {
            unsynced.addAndGet(commits.stream()
                    .filter(commit -> !commit.changes().isEmpty())
                    .count());
        }
        List<CompletionStage<CommitResult>> answers = new ArrayList<>(commits.size());
        List<Commit> spared = new ArrayList<>(commits.size());
        List<CompletableFuture<CommitResult>> theirs = new ArrayList<>(commits.size());
        for (Commit commit : commits) {
            Optional<CommitFault> fault = commitFaults.hit(which -> which.matches(commit));
            if (fault.isPresent()) {
                answers.add(fault.get().answer(() -> handOver(commit, level)));
            } else {
                CompletableFuture<CommitResult> answer = new CompletableFuture<>();
                spared.add(commit);
                theirs.add(answer);
                answers.add(answer);
            }
        }
        if (!spared.isEmpty()) {
            handOver(spared, theirs, level);
        }
        return answers;
    }

    private CompletionStage<CommitResult> handOver(Commit commit, Durability level) {
        CompletableFuture<CommitResult> answer = new CompletableFuture<>();
        handOver(List.of(commit), List.of(answer), level);
        return answer;
    }

    private void handOver(List<Commit> commits, List<CompletableFuture<CommitResult>> answers, Durability level) {
        gate.pass(
                () -> {
                    List<CompletionStage<CommitResult>> stages = engine.commit(commits, level);
                    for (int i = 0; i < answers.size(); i++) {
                        gate.answer(stages.get(i), answers.get(i));
                    }
                },
                refused -> answers.forEach(answer -> answer.completeExceptionally(refused)));
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return unlessFailing(which -> keys.stream().anyMatch(which.keys()), () -> engine.read(keys));
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return unlessFailing(which -> which.keys().test(range.from()), () -> engine.scan(range, limit));
    }

    private <T> CompletionStage<T> unlessFailing(Predicate<Which> matches, Supplier<CompletionStage<T>> call) {
        Optional<Supplier<StateStoreException>> failure = readFaults.hit(matches);
        return failure.isPresent() ? CompletableFuture.failedStage(failure.get().get()) : gate.pass(call);
    }

    @Override
    public long syncedRevision() {
        return engine.syncedRevision();
    }

    @Override
    public Watch watch(KeyRange range, long afterRevision, WatchListener told) {
        FaultWatch watch = new FaultWatch(gate, told);
        watches.removeIf(FaultWatch::hasEnded);
        watches.add(watch);
        watch.start(() -> engine.watch(range, afterRevision, watch));
        return watch;
    }

    @Override
    public CompletionStage<Lease> lease(Duration timeToLive) {
        return gate.pass(() -> engine.lease(timeToLive)).thenApply(lease -> new FaultLease(gate, lease));
    }

    @Override
    public CompletionStage<Duration> remaining(long leaseId) {
        return gate.pass(() -> engine.remaining(leaseId));
    }

    @Override
    public CompletionStage<Void> checkpoint(Path directory) {
        return gate.pass(() -> engine.checkpoint(directory));
    }

    @Override
    public EngineHealth health() {
        return gate.isOpen() ? engine.health() : new EngineHealth(false, address, "cut off by the test; heal it");
    }

    @Override
    public void close() {
        if (!gate.isCrashed()) {
            gate.close();
            holds.forEach(hold -> hold.drop(true));
            engine.close();
        }
    }
}
