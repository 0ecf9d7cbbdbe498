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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of all commits to an engine. One thread at a time hands over all that waits, in rounds, so that many share a sync
 * or a round trip. It is a thread of the core, whatever the disk does, unless the engine is non-blocking.
 */
public final class CommitQueue {
    private static final Logger LOG = LoggerFactory.getLogger(CommitQueue.class);

    private final Engine engine;
    private final QueueBounds bounds;
    private final Executor workers;

    /** Guarded by this, as all below. */
    private final Set<Submission> waiting = new LinkedHashSet<>();

    private long waitingBytes;
    private int rounds;
    private boolean writing;
    private boolean closed;

    /**
     * Has nothing to hand over yet.
     *
     * @param workers threads that an engine may hold up
     */
    public CommitQueue(Engine engine, QueueBounds bounds, Executor workers) {
        this.engine = engine;
        this.bounds = bounds;
        this.workers = workers;
    }

    /**
     * Hands in a commit; returns at once. A commit that cannot wait here has its fate at once: over a limit, queue full,
     * or closed.
     *
     * @param commit no key twice among its conditions, nor among its changes
     * @param level it is never given less
     */
    public Submission submit(Commit commit, Durability level) {
        Submission submission = enqueued(commit, level);
        if (mayWrite()) {
            wake(engine.nonBlocking());
        }
        return submission;
    }

    /**
     * As {@link #submit}, by a thread of the core that holds no lock: if the engine has nothing in hand, it gets the commit
     * here and now, which saves waking another thread. It returns when the engine has taken it, which with a disk is when
     * it is written.
     */
    public Submission write(Commit commit, Durability level) {
        Submission submission = enqueued(commit, level);
        if (mayWrite()) {
            wake(true);
        }
        return submission;
    }

    /** @param here whether the calling thread may do it; while the engine has something in hand, more may come together */
    private void wake(boolean here) {
        if (here && idle()) {
            write();
        } else {
            writeSoon();
        }
    }

    private Submission enqueued(Commit commit, Durability level) {
        Submission submission = new Submission(this, commit, level);
        StateStoreException refusal = beyondLimits(submission);
        if (refusal == null) {
            refusal = enqueue(submission);
        }
        if (refusal != null) {
            submission.fail(refusal);
        }
        return submission;
    }

    /** How many commits wait to be handed over. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** Takes no more. What waits fails with {@code StoreClosedException}; what the engine has keeps its fate. */
    public void close() {
        List<Submission> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
        }
        for (Submission submission : left) {
            submission.fail(
                    new StoreClosedException("the store set was closed before the write began; nothing was applied"));
        }
    }

    /** Whether the engine has told the fate of everything that it was handed; waits for that a while. */
    public synchronized boolean drained(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            for (long left = patience.toNanos(); rounds > 0 && left > 0; left = end - System.nanoTime()) {
                wait(left / 1_000_000, (int) (left % 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return rounds == 0;
    }

    synchronized boolean withdraw(Submission submission) {
        boolean waited = waiting.remove(submission);
        if (waited) {
            waitingBytes -= submission.bytes();
        }
        return waited;
    }

    private synchronized @Nullable StateStoreException enqueue(Submission submission) {
        if (closed) {
            return new StoreClosedException("the store set is closed; open it again");
        }
        if (waiting.size() >= bounds.commits() || waitingBytes + submission.bytes() > bounds.bytes()) {
            return new OverloadedException(
                    "%d commits of %d bytes wait to be written, the limits are %d and %d; nothing was"
                                    .formatted(waiting.size(), waitingBytes, bounds.commits(), bounds.bytes())
                            + " applied, try again with fewer at once");
        }
        waiting.add(submission);
        waitingBytes += submission.bytes();
        return null;
    }

    private @Nullable StateStoreException beyondLimits(Submission submission) {
        Limits limits = engine.limits();
        int operations = submission.commit().conditions().size()
                + submission.commit().changes().size();
        return operations <= limits.maxOperations() && submission.bytes() <= limits.maxBytes()
                ? null
                : new LimitExceededException(
                        "one write of %d operations and %d bytes; the backend's limits are %d and %d; nothing was applied"
                                .formatted(operations, submission.bytes(), limits.maxOperations(), limits.maxBytes()));
    }

    /** Whether there is something to hand over; if so, whoever asked is the one who does it. */
    private synchronized boolean mayWrite() {
        boolean may = !writing && !waiting.isEmpty() && rounds < bounds.rounds();
        writing |= may;
        return may;
    }

    /** Has it done by a thread of the core. Without one what waits is not lost: the next commit or its deadline finds it. */
    private void writeSoon() {
        try {
            workers.execute(this::write);
        } catch (RuntimeException | Error e) {
            notWriting();
            Report.error(LOG, "no thread could be had to hand over what waits; the next commit tries again", e);
        }
    }

    private synchronized boolean idle() {
        return rounds == 0;
    }

    private void write() {
        try {
            for (Round round = next(); !round.taken().isEmpty(); round = next()) {
                try {
                    hand(round);
                } catch (RuntimeException | Error e) {
                    // those of the round get their answer by their deadline: unknown
                    Report.error(LOG, "handing over met a bug or a lack of memory; it goes on", e);
                }
            }
        } catch (RuntimeException | Error e) {
            notWriting();
            Report.error(LOG, "taking what waits met a bug or a lack of memory; the next commit tries again", e);
        }
    }

    private synchronized void notWriting() {
        writing = false;
    }

    /** Empty when nothing can be handed over now; then it needs to be woken again. */
    private synchronized Round next() {
        Round round = new Round(bounds);
        Iterator<Submission> oldestFirst = waiting.iterator();
        while (rounds < bounds.rounds() && round.open() && oldestFirst.hasNext()) {
            Submission submission = oldestFirst.next();
            if (round.take(submission)) {
                oldestFirst.remove();
                waitingBytes -= submission.bytes();
            }
        }
        if (round.taken().isEmpty()) {
            writing = false;
        } else {
            rounds++;
        }
        return round;
    }

    private void hand(Round round) {
        List<Submission> taken = round.taken();
        int followed = 0;
        try {
            List<CompletionStage<CommitResult>> fates = fates(round.commits(), round.level());
            for (; followed < taken.size(); followed++) {
                Submission submission = taken.get(followed);
                fates.get(followed).whenComplete((result, failure) -> {
                    try {
                        if (failure == null) {
                            submission.complete(result);
                        } else {
                            submission.fail(fateOf(failure));
                        }
                    } finally {
                        // afterwards, so that nobody who waits for the fates goes on before they are told
                        over(round, 1);
                    }
                });
            }
        } finally {
            // of what could not be followed nobody will hear; the next round must not wait for it
            over(round, taken.size() - followed);
        }
    }

    private void over(Round round, int told) {
        if (round.over(told)) {
            roundOver();
        }
    }

    private void roundOver() {
        synchronized (this) {
            rounds--;
            notifyAll();
        }
        if (mayWrite()) {
            writeSoon();
        }
    }

    /** One for each, whatever an engine does: a call that throws has told no fate, unless it threw one. */
    private List<CompletionStage<CommitResult>> fates(List<Commit> commits, Durability level) {
        Throwable broken;
        try {
            List<CompletionStage<CommitResult>> fates = engine.commit(commits, level);
            if (fates.size() == commits.size()) {
                return fates;
            }
            broken = new IllegalStateException(fates.size() + " fates for " + commits.size() + " commits");
        } catch (Throwable e) {
            broken = e;
        }
        List<CompletionStage<CommitResult>> none = new ArrayList<>();
        for (int i = 0; i < commits.size(); i++) {
            none.add(CompletableFuture.failedStage(broken));
        }
        return none;
    }

    private static Throwable fateOf(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StateStoreException
                ? cause
                : new OutcomeUnknownException("the backend broke its promise to tell what became of a write", cause);
    }
}
