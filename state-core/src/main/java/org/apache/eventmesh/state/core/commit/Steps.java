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
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/**
 * One operation that takes several steps: transactions, reads, calls of the engine. It has one deadline and one answer.
 * When it is over, no step begins any more; the stages of those that would have begun stay open.
 */
public final class Steps implements Withdrawable {
    private final Backend backend;
    private final Operation operation;
    private final ConcurrentHashMap.KeySetView<Withdrawable, Boolean> underWay = ConcurrentHashMap.newKeySet();
    private final Queue<Runnable> givenBack = new ConcurrentLinkedQueue<>();
    private volatile boolean over;
    private volatile boolean applied;

    private Steps(Backend backend, Operation operation) {
        this.backend = backend;
        this.operation = operation;
    }

    /**
     * Starts; returns at once.
     *
     * @param course called where the engine may be called; the steps of the operation, and its answer
     */
    public static <T> CompletionStage<T> run(
            Backend backend, Operation operation, Function<Steps, CompletionStage<T>> course) {
        Steps steps = new Steps(backend, operation);
        Ask<T> ask = backend.ask(operation, steps);
        if (!ask.answered()) {
            backend.workers()
                    .begin(() -> steps.follow(course)
                            .whenComplete((value, failure) -> ask.complete(value, steps.told(failure))));
        }
        return ask.stage();
    }

    /** As {@link #run}, but nobody waits for it: it has no deadline, and ends when the engine has answered. */
    public static <T> CompletionStage<T> unattended(
            Backend backend, Operation operation, Function<Steps, CompletionStage<T>> course) {
        return new Steps(backend, operation).follow(course);
    }

    public Operation operation() {
        return operation;
    }

    public Backend backend() {
        return backend;
    }

    /** A write, synced, with its outcome on a thread of the core or the engine. */
    public <R> CompletionStage<R> transact(Collection<Bytes> keys, Decider<R> decider) {
        Transaction<R> transaction = new Transaction<>(backend, operation, Durability.DISK, decider);
        Withdrawable withdrawn = () -> transaction.withdraw() && !transaction.applied();
        if (!begin(withdrawn)) {
            return new CompletableFuture<>();
        }
        return transaction.start(keys).whenComplete((result, failure) -> {
            if (transaction.applied()) {
                applied = true;
            }
            underWay.remove(withdrawn);
        });
    }

    /**
     * A step that goes another way than through this backend.
     *
     * @param begin starts it, and has its outcome told
     * @param writes whether something is changed when it succeeds
     */
    public <R> CompletionStage<R> part(Function<CompletableFuture<R>, Withdrawable> begin, boolean writes) {
        CompletableFuture<R> told = new CompletableFuture<>();
        Withdrawable part;
        synchronized (this) {
            if (over) {
                return told;
            }
            part = begin.apply(told);
            underWay.add(part);
        }
        return told.whenComplete((result, failure) -> {
            if (failure == null && writes) {
                applied = true;
            }
            underWay.remove(part);
        });
    }

    /** Whether a step was applied. */
    public boolean applied() {
        return applied;
    }

    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return over ? new CompletableFuture<>() : backend.read(keys);
    }

    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return over ? new CompletableFuture<>() : backend.scan(range, limit);
    }

    /** Whether there is an answer already: then what goes on is for nobody. */
    public boolean over() {
        return over;
    }

    /**
     * Has something given back that was made for this operation, if nothing comes of it: when it is over before anything
     * was applied. At once, when it is over already.
     *
     * @param giveBack quick; does not throw
     */
    public synchronized void unlessApplied(Runnable giveBack) {
        if (over) {
            giveBack.run();
        } else {
            givenBack.add(giveBack);
        }
    }

    @Override
    public synchronized boolean withdraw() {
        over = true;
        boolean nothing = true;
        for (Withdrawable step : underWay) {
            nothing &= step.withdraw();
        }
        // asked last: a step that is not under way any more has said before whether it was applied
        nothing &= !applied;
        if (nothing) {
            givenBack.forEach(Runnable::run);
        }
        return nothing;
    }

    private synchronized boolean begin(Withdrawable step) {
        return !over && underWay.add(step);
    }

    /** A step that failed without a trace says nothing of those before it, whatever its failure: what they did stays. */
    private @Nullable Throwable told(@Nullable Throwable failure) {
        if (failure == null || !applied) {
            return failure;
        }
        Throwable cause = Ask.unwrapped(failure);
        return cause instanceof StateStoreException known && known.certainlyNotApplied()
                ? new OutcomeUnknownException(
                        "a first part of it was applied, and then this happened: " + cause.getMessage()
                                + "; call again with the same arguments",
                        cause)
                : failure;
    }

    private <T> CompletionStage<T> follow(Function<Steps, CompletionStage<T>> course) {
        try {
            return course.apply(this);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
