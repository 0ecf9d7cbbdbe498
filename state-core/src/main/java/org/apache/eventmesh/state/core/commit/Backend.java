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
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Bytes;

/**
 * An open engine with all that the stores need to use it: the queue of commits, threads, deadlines, the way back to the
 * caller. One for each engine of a store set; the engine itself is closed by whoever opened it, after this.
 */
public final class Backend {
    /** Far more than it takes to hand an answer over, and nobody notices it in a close that waits for nothing. */
    private static final Duration ON_THE_WAY = Duration.ofMillis(500);

    /** Some ten thousand small records; a larger one than this is a payload, and its writer rarely comes back. */
    private static final int REMEMBERED_BYTES = 8 << 20;

    private static final int REMEMBERED_ENTRY_BYTES = 64 << 10;

    private final Engine engine;
    private final String name;
    private final CommitQueue queue;
    private final Turns turns;
    private final Remembered remembered = new Remembered(REMEMBERED_BYTES, REMEMBERED_ENTRY_BYTES);
    private final Workers workers;
    private final Deadlines deadlines;
    private final Callbacks callbacks;
    private final int maxOutstanding;
    private final AtomicInteger reading = new AtomicInteger();
    private final Set<Ask<?>> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger outstanding = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Starts the threads.
     *
     * @param maxOutstanding operations that may be without an answer
     */
    public Backend(Engine engine, Deadlines deadlines, Callbacks callbacks, int maxOutstanding) {
        this.engine = engine;
        // kept: a closed engine has no health, and its name is part of every message
        this.name = engine.health().backend();
        this.deadlines = deadlines;
        this.callbacks = callbacks;
        this.maxOutstanding = maxOutstanding;
        // one more than can run: one of them may wait for a disk
        this.workers = new Workers(1 + Math.max(2, Runtime.getRuntime().availableProcessors()), engine.nonBlocking());
        this.queue = new CommitQueue(engine, QueueBounds.DEFAULT, workers);
        this.turns = new Turns(workers);
    }

    public Engine engine() {
        return engine;
    }

    public CommitQueue queue() {
        return queue;
    }

    Turns turns() {
        return turns;
    }

    /**
     * These are probably not there yet, unless something else is remembered: then a write that creates them need not look
     * first. Nothing rests on it being true. What is being written is looked at: whoever repeats a call whose fate is
     * unknown wants to see what became of it, and not to wait behind it.
     */
    public void expectAbsent(Collection<Bytes> keys) {
        remembered.expectAbsent(keys.stream().filter(key -> !turns.isBusy(key)).toList());
    }

    /**
     * A commit that did not come from a transaction was applied: what it did to tasks and their owners is remembered, since
     * a transaction moves them on. All else that a shard's owner writes is its own.
     */
    public void wrote(Commit commit, long revision) {
        for (Change change : commit.changes()) {
            int table = change.key().buffer().get(0) & 0xFF;
            if (table == Table.TASK.number() || table == Table.HOLDER.number()) {
                remembered.written(List.of(change), revision);
            }
        }
    }

    Remembered remembered() {
        return remembered;
    }

    public Workers workers() {
        return workers;
    }

    public Deadlines deadlines() {
        return deadlines;
    }

    public Callbacks callbacks() {
        return callbacks;
    }

    /** Its address, without secrets. */
    public String name() {
        return name;
    }

    /**
     * For what does not go through {@link #ask}.
     *
     * @throws StoreClosedException when the store set is closed
     */
    public void requireOpen() {
        if (closed) {
            throw new StoreClosedException("the store set over " + name + " is closed; open it again");
        }
    }

    /** Starts an operation: from now on its answer is due. {@code work} may be asked to withdraw before this returns. */
    public <T> Ask<T> ask(Operation operation, Withdrawable work) {
        // first: if the ticker throws at it, nothing was counted yet
        Ask<T> ask = new Ask<>(operation, this, work);
        int others = outstanding.getAndIncrement();
        open.add(ask);
        ask.start();
        if (closed) {
            // it has not begun, whatever its work would say
            ask.fail(new StoreClosedException("the store set is closed; open it again"));
        } else if (others >= maxOutstanding) {
            ask.fail(new OverloadedException(others + " operations wait for an answer, the limit is " + maxOutstanding
                    + "; nothing was applied, try again with fewer at once"));
        }
        return ask;
    }

    /** Reads where the engine may be called. */
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return keys.isEmpty() ? CompletableFuture.completedStage(List.of()) : onWorker(() -> engine.read(keys));
    }

    /** Scans where the engine may be called. */
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return onWorker(() -> engine.scan(range, limit));
    }

    /**
     * Refuses new operations, waits for what the engine has in hand, and tells all who still wait.
     *
     * @return whether the engine has told the fate of everything that it was handed
     */
    public boolean close(Duration patience) {
        closed = true;
        queue.close();
        open.forEach(Ask::closeUnlessHandedOver);
        boolean drained = queue.drained(patience);
        if (drained) {
            // what the engine has told is on its way to the callers; a call of several steps has lost its next one
            awaitAnswers(System.nanoTime() + ON_THE_WAY.toNanos());
        }
        open.forEach(Ask::close);
        workers.close();
        return drained;
    }

    /** Whether it was closed: then whoever waits is told so. */
    public boolean closed() {
        return closed;
    }

    private void awaitAnswers(long end) {
        synchronized (open) {
            try {
                for (long left = end - System.nanoTime(); !open.isEmpty() && left > 0; left = end - System.nanoTime()) {
                    open.wait(left / 1_000_000, (int) (left % 1_000_000));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void ended(Ask<?> ask) {
        if (open.remove(ask)) {
            outstanding.decrementAndGet();
        }
        if (closed) {
            synchronized (open) {
                open.notifyAll();
            }
        }
    }

    String advice() {
        EngineHealth health = engine.health();
        return health.up()
                ? "The backend is up: it may be slow or overloaded, try again with less at once"
                : "The backend is away: " + health.advice();
    }

    /** Calls the engine where that may be done; for leases, which must not suffer from many reads. */
    public <T> CompletionStage<T> call(Function<Engine, CompletionStage<T>> call) {
        if (closed) {
            return CompletableFuture.failedStage(new StoreClosedException("the store set is closed; open it again"));
        }
        return onWorker(() -> call.apply(engine), () -> {});
    }

    private <T> CompletionStage<T> onWorker(Supplier<CompletionStage<T>> call) {
        if (closed) {
            return CompletableFuture.failedStage(new StoreClosedException("the store set is closed; open it again"));
        }
        if (reading.incrementAndGet() > maxOutstanding) {
            reading.decrementAndGet();
            return CompletableFuture.failedStage(
                    new OverloadedException("too many reads wait for the backend; try again with fewer at once"));
        }
        return onWorker(call, reading::decrementAndGet);
    }

    private <T> CompletionStage<T> onWorker(Supplier<CompletionStage<T>> call, Runnable begun) {
        CompletableFuture<T> result = new CompletableFuture<>();
        workers.begin(() -> {
            begun.run();
            try {
                call.get().whenComplete((value, failure) -> {
                    if (failure == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(Ask.unwrapped(failure));
                    }
                });
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
