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
package org.apache.eventmesh.state.core.offset;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.core.across.Course;
import org.apache.eventmesh.state.core.across.Step;
import org.apache.eventmesh.state.core.across.Transition;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.Entering;
import org.apache.eventmesh.state.core.shard.Follow;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.result.Outcome;
import org.jspecify.annotations.Nullable;

/** Changes of progress over two backends: where another host would begin is there before it counts here. */
final class SharedOffsets {
    private final Positions positions;

    SharedOffsets(Positions positions) {
        this.positions = positions;
    }

    /**
     * Who is served here goes on at once, whatever becomes of the shared backend; who is not enters there before. One that
     * is over the limit must have been refused before.
     */
    CompletionStage<Map<Subscriber, Outcome<AdvanceResult>>> advance(ShardLoop loop, Map<Subscriber, Long> to) {
        Map<Subscriber, Long> served = new LinkedHashMap<>(to);
        Map<Subscriber, Long> unserved = new LinkedHashMap<>(to);
        unserved.keySet().retainAll(unserved(loop, to.keySet()));
        served.keySet().removeAll(unserved.keySet());
        if (unserved.isEmpty()) {
            return Advance.all(loop, served, Optional.of(Entering.NOBODY));
        }
        CompletionStage<Map<Subscriber, Outcome<AdvanceResult>>> entered = entered(loop, unserved);
        return served.isEmpty()
                ? entered
                : Advance.all(loop, served, Optional.of(Entering.NOBODY)).thenCombine(entered, (some, others) -> {
                    Map<Subscriber, Outcome<AdvanceResult>> inOrder = new LinkedHashMap<>(to.size());
                    to.keySet()
                            .forEach(subscriber -> Optional.ofNullable(some.get(subscriber))
                                    .or(() -> Optional.ofNullable(others.get(subscriber)))
                                    .ifPresent(outcome -> inOrder.put(subscriber, outcome)));
                    return inOrder;
                });
    }

    /** Those that were never served; whose progress cannot be read is told so later. */
    private static Set<Subscriber> unserved(ShardLoop loop, Set<Subscriber> subscribers) {
        return loop.look(index -> subscribers.stream()
                .filter(subscriber -> !index.hasProgress(subscriber))
                .collect(Collectors.toSet()));
    }

    /** A failure of the entries is that of each; only the end of the store set fails the whole. */
    private CompletionStage<Map<Subscriber, Outcome<AdvanceResult>>> entered(ShardLoop loop, Map<Subscriber, Long> to) {
        Course course = Transition.ENTER.begin();
        return Crossing.run(
                        loop,
                        operation("advance", loop),
                        crossing -> enter(crossing, course, to)
                                .thenCompose(entered -> alone(
                                                crossing, () -> Advance.all(loop, to, Optional.of(entered)))
                                        .thenApply(outcomes -> afterEntry(outcomes, entered))))
                .exceptionally(failure -> {
                    if (!(Ask.unwrapped(failure) instanceof StateStoreException known)
                            || known instanceof StoreClosedException) {
                        throw new CompletionException(Ask.unwrapped(failure));
                    }
                    Map<Subscriber, Outcome<AdvanceResult>> failed = new LinkedHashMap<>();
                    to.keySet().forEach(subscriber -> failed.put(subscriber, new Outcome.Failed<>(known)));
                    return failed;
                });
    }

    /** Who may have its first place now. When the shard is not ours, what comes says so. */
    private CompletionStage<Entering> enter(Crossing crossing, Course course, Map<Subscriber, Long> to) {
        return crossing.ask(new Whereabouts(to.keySet())).thenCompose(answer -> {
            if (!(answer instanceof Whereabouts.Answer.Here here)) {
                return CompletableFuture.completedStage(Entering.NOBODY);
            }
            Map<Subscriber, Long> entering = new LinkedHashMap<>(to);
            entering.keySet().retainAll(here.never());
            course.at(Step.ENTRY);
            return alone(crossing, () -> positions.enter(crossing.loop(), entering, Optional.empty(), here.number()))
                    .thenApply(fenced -> {
                        course.at(Step.ENTERED);
                        return new Entering(here.never(), here.number());
                    });
        });
    }

    /** Another host would begin where it entered: then a failure must not say that nothing was applied. */
    private static Map<Subscriber, Outcome<AdvanceResult>> afterEntry(
            Map<Subscriber, Outcome<AdvanceResult>> outcomes, Entering entered) {
        outcomes.replaceAll((subscriber, outcome) -> entered.subscribers().contains(subscriber)
                        && outcome instanceof Outcome.Failed<AdvanceResult> failed
                        && failed.failure().certainlyNotApplied()
                ? new Outcome.Failed<>(new OutcomeUnknownException(
                        "it is entered for whoever comes next, and the rest failed; call again with the same arguments: "
                                + failed.failure().getMessage(),
                        failed.failure()))
                : outcome);
        return outcomes;
    }

    CompletionStage<ResetResult> reset(ShardLoop loop, Subscriber subscriber, Reset reset) {
        Course course = Transition.RESET.begin();
        return Crossing.run(
                loop,
                operation("reset", loop),
                crossing -> alone(crossing, () -> begin(loop, course, subscriber, reset)));
    }

    /** A part that goes on when nobody waits for it any more: others wait for its end. */
    private static <T> CompletionStage<T> alone(Crossing crossing, Supplier<CompletionStage<T>> part) {
        return crossing.steps()
                .part(
                        told -> {
                            part.get().whenComplete((result, failure) -> {
                                if (failure == null) {
                                    told.complete(result);
                                } else {
                                    told.completeExceptionally(failure);
                                }
                            });
                            return () -> false;
                        },
                        true);
    }

    private CompletionStage<ResetResult> begin(ShardLoop loop, Course course, Subscriber subscriber, Reset reset) {
        return positions.exclusive(
                loop,
                () -> Crossing.unattended(
                        loop, operation("reset", loop), crossing -> reset(crossing, course, subscriber, reset)));
    }

    private CompletionStage<ResetResult> reset(Crossing crossing, Course course, Subscriber subscriber, Reset reset) {
        return crossing.ask(new Whereabouts(Set.of(subscriber))).thenCompose(answer -> {
            if (answer instanceof Whereabouts.Answer.Lost lost) {
                return CompletableFuture.<ResetResult>completedStage(lost.why());
            }
            Whereabouts.Answer.Here here = (Whereabouts.Answer.Here) answer;
            if (!here.position().equals(reset.expected())) {
                return CompletableFuture.completedStage(new ResetResult.Unexpected(here.position()));
            }
            course.at(Step.LOWERED);
            return positions
                    .lower(crossing, subscriber, reset.to(), reset.generation(), here.number())
                    .thenCompose(lowered -> {
                        if (lowered.fenced().isPresent()) {
                            return CompletableFuture.<ResetResult>completedStage(
                                    lowered.fenced().get());
                        }
                        course.at(Step.RESET);
                        return crossing.local(new Rewind(subscriber, reset))
                                .whenComplete((result, failure) -> {
                                    if (didNothing(result, failure)) {
                                        positions.takeBack(crossing.loop(), subscriber, lowered);
                                    }
                                })
                                .thenCompose(result -> published(crossing, course, result));
                    });
        });
    }

    /** Then letters from before it still count, on another host too. */
    private static boolean didNothing(@Nullable ResetResult result, @Nullable Throwable failure) {
        return failure == null
                ? !(result instanceof ResetResult.Done)
                : Ask.unwrapped(failure) instanceof StateStoreException known && known.certainlyNotApplied();
    }

    /** A reset that goes forward counts for another host only now. */
    private CompletionStage<ResetResult> published(Crossing crossing, Course course, ResetResult result) {
        course.at(Step.PUBLISHED);
        return positions.publishNow(crossing.loop()).thenApply(count -> result);
    }

    /** What one goes on to do before the answer to a removal. */
    Follow<RemoveResult> ofRemoval(ShardLoop loop) {
        return (operation, decided) -> decided instanceof RemoveResult.Removed
                ? positions
                        .remove(loop, ((Removal) operation).subscriber())
                        .thenApply(
                                fenced -> fenced.<RemoveResult>map(past -> past).orElse(decided))
                : CompletableFuture.completedStage(decided);
    }

    private static Operation operation(String name, ShardLoop loop) {
        return new Operation(StoreName.OFFSETS, name, loop.token().scope());
    }
}
