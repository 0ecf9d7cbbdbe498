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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.owner.Standing;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a shard whose steps are on both sides of a set of two backends: operations of the loop, and commits of
 * the shared backend that condition on the ownership itself.
 */
public final class Crossing {
    private final ShardLoop loop;
    private final Steps steps;

    /** Whether the shared backend may have changed. */
    private volatile boolean reached;

    private Crossing(ShardLoop loop, Steps steps) {
        this.loop = loop;
        this.steps = steps;
    }

    /** The rule of a commit of the shared backend. */
    @FunctionalInterface
    public interface Rule<R> {
        /**
         * Decides while the token is current.
         *
         * @param draft conditions on the ownership already
         */
        Decision<R> decide(Seen seen, Draft draft);
    }

    /**
     * One deadline, one answer. A failure after a step that was applied says so; what it left in the shared backend without
     * its delivery is looked for later.
     */
    public static <T> CompletionStage<T> run(
            ShardLoop loop, Operation operation, Function<Crossing, CompletionStage<T>> course) {
        AtomicReference<@Nullable Crossing> begun = new AtomicReference<>();
        CompletionStage<T> told = Steps.run(loop.sides().shared(), operation, steps -> {
            Crossing crossing = new Crossing(loop, steps);
            begun.set(crossing);
            return explained(steps, course.apply(crossing));
        });
        var unused = told.whenComplete((answer, failure) -> {
            Crossing crossing = begun.get();
            if (failure != null && crossing != null && crossing.reached) {
                loop.unopened().suspect();
            }
        });
        return told;
    }

    /** As {@link #run}, but nobody waits for it. */
    public static <T> CompletionStage<T> unattended(
            ShardLoop loop, Operation operation, Function<Crossing, CompletionStage<T>> course) {
        return Steps.unattended(
                loop.sides().shared(), operation, steps -> explained(steps, course.apply(new Crossing(loop, steps))));
    }

    public ShardLoop loop() {
        return loop;
    }

    public Steps steps() {
        return steps;
    }

    /** An operation of the loop that changes something. */
    public <R> CompletionStage<R> local(ShardOperation<R> operation) {
        return steps.part(told -> enqueue(operation, told), true);
    }

    /** An operation of the loop that leaves nothing behind. */
    public <R> CompletionStage<R> ask(ShardOperation<R> operation) {
        return steps.part(told -> enqueue(operation, told), false);
    }

    /**
     * A commit of the shared backend.
     *
     * @param refused the answer when the token is not current
     */
    public <R> CompletionStage<R> shared(Collection<Bytes> keys, Rule<R> rule, Function<Fenced, R> refused) {
        Token<Partition> token = loop.token();
        Bytes holder = OwnerKeys.holder(token.scope());
        List<Bytes> all = new ArrayList<>(keys);
        all.add(holder);
        // as the last decision found it, which is the one that counts
        AtomicReference<@Nullable Fenced> past = new AtomicReference<>();
        reached = true;
        return steps.transact(all, seen -> {
                    Standing<Partition> standing =
                            Held.of(token, loop.sides().shared().engine().incarnation(), seen.entry(holder));
                    if (standing instanceof Standing.Current<Partition> current) {
                        past.set(null);
                        return rule.decide(
                                seen, new Draft().condition(current.held().fence()));
                    }
                    Fenced fenced = ((Standing.Past<Partition>) standing).fenced();
                    past.set(fenced);
                    return Decision.answer(refused.apply(fenced));
                })
                .whenComplete((answer, failure) -> {
                    if (steps.over()) {
                        // nothing follows it any more, and whoever looked when the time was over did not see it
                        loop.unopened().suspect();
                    }
                })
                .thenCompose(answer -> {
                    Fenced fenced = past.get();
                    return fenced == null
                            ? CompletableFuture.completedStage(answer)
                            : loop.fenced(steps.operation(), fenced).thenApply(told -> answer);
                });
    }

    private <R> Pending<R> enqueue(ShardOperation<R> operation, CompletableFuture<R> told) {
        return loop.enqueue(operation, new Pending.Answer<>() {
            @Override
            public void done(R result) {
                told.complete(result);
            }

            @Override
            public void failed(Throwable failure) {
                told.completeExceptionally(failure);
            }
        });
    }

    private static <T> CompletionStage<T> explained(Steps steps, CompletionStage<T> course) {
        return course.exceptionally(failure -> {
            Throwable cause = Failures.unwrapped(failure);
            throw new CompletionException(
                    steps.applied() && cause instanceof StateStoreException known && known.certainlyNotApplied()
                            ? new OutcomeUnknownException(
                                    "part of it is applied, and the rest failed; call again with the same arguments: "
                                            + known.getMessage(),
                                    known)
                            : cause);
        });
    }
}
