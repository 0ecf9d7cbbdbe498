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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Withdrawable;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.result.Outcome;

/**
 * One call with many elements, each an operation of its own; they wait together, so few commits take them all.
 *
 * @param <R> the answer for one element
 */
public final class Elements<R> implements Withdrawable {
    private final ShardLoop loop;
    private final Operation operation;
    private final Follow<R> follow;
    private final List<Pending<R>> pending = new ArrayList<>();
    private final AtomicReferenceArray<Outcome<R>> outcomes;
    private final AtomicInteger open;
    private final Ask<List<Outcome<R>>> ask;

    private Elements(ShardLoop loop, Operation operation, Follow<R> follow, int size) {
        this.follow = follow;
        this.loop = loop;
        this.operation = operation;
        this.outcomes = new AtomicReferenceArray<>(size);
        this.open = new AtomicInteger(size);
        this.ask = loop.backend().ask(operation, this);
    }

    /** Runs them; outcomes in order. Fails as a whole only when the store set is closed. */
    public static <R> CompletionStage<List<Outcome<R>>> run(
            ShardLoop loop, Operation operation, List<? extends ShardOperation<R>> operations) {
        return run(loop, operation, operations, Follow.nothing());
    }

    /** The same, with what follows for each before its outcome. */
    public static <R> CompletionStage<List<Outcome<R>>> run(
            ShardLoop loop, Operation operation, List<? extends ShardOperation<R>> operations, Follow<R> follow) {
        Elements<R> elements = new Elements<>(loop, operation, follow, operations.size());
        elements.start(operations);
        return elements.ask.stage();
    }

    private void start(List<? extends ShardOperation<R>> operations) {
        int limit = loop.settings().limits().batch();
        if (operations.isEmpty()) {
            ask.answer(List.of());
        } else if (operations.size() > limit) {
            StateStoreException tooMany = new LimitExceededException("the batch has " + operations.size()
                    + " elements, the limit is " + limit + "; nothing was applied, ask in smaller batches");
            for (int i = 0; i < operations.size(); i++) {
                end(i, tooMany);
            }
        } else {
            // together, so that they share as few commits as the limits allow
            loop.together(() -> enqueue(operations));
        }
    }

    private synchronized void enqueue(List<? extends ShardOperation<R>> operations) {
        for (int i = 0; i < operations.size() && !ask.answered(); i++) {
            pending.add(loop.enqueue(operations.get(i), answer(i, operations.get(i))));
        }
    }

    private Pending.Answer<R> answer(int element, ShardOperation<R> operation) {
        return new Pending.Answer<>() {
            @Override
            public void done(R result) {
                follow.after(operation, result).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        end(element, new Outcome.Done<>(answer));
                    } else {
                        failed(Follow.failure(failure));
                    }
                });
            }

            @Override
            public void failed(Throwable failure) {
                if (failure instanceof StateStoreException known) {
                    end(element, known);
                } else {
                    ask.fail(failure);
                }
            }
        };
    }

    /** The time is over: each element learns what is known of it. */
    @Override
    public boolean withdraw() {
        List<Pending<R>> started;
        synchronized (this) {
            started = List.copyOf(pending);
        }
        boolean nothing = true;
        for (int i = 0; i < started.size(); i++) {
            boolean withdrawn = started.get(i).withdraw();
            nothing = nothing && withdrawn;
            if (!loop.backend().closed()) {
                end(
                        i,
                        withdrawn
                                ? new StoreUnavailableException("no answer in time; nothing was applied")
                                : new OutcomeUnknownException("no answer in time; it may be applied yet. Call again"));
            }
        }
        return nothing;
    }

    private void end(int element, StateStoreException failure) {
        end(
                element,
                new Outcome.Failed<>(operation.explain(failure, loop.backend().name())));
    }

    private void end(int element, Outcome<R> outcome) {
        if (outcomes.compareAndSet(element, null, outcome) && open.decrementAndGet() == 0) {
            List<Outcome<R>> all = new ArrayList<>();
            for (int i = 0; i < outcomes.length(); i++) {
                all.add(outcomes.get(i));
            }
            ask.answer(List.copyOf(all));
        }
    }
}
