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

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.core.across.Course;
import org.apache.eventmesh.state.core.across.Step;
import org.apache.eventmesh.state.core.across.Transition;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.Follow;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;

/** Changes of progress over two backends: where another host would begin is there before it counts here. */
final class SharedOffsets {
    private final Positions positions;

    SharedOffsets(Positions positions) {
        this.positions = positions;
    }

    /** Enters who was never served; whose progress cannot be read is told so later. Empty when the shard is not ours. */
    CompletionStage<Optional<Set<Subscriber>>> enter(ShardLoop loop, Map<Subscriber, Long> to) {
        Course course = Transition.ENTER.begin();
        Set<Subscriber> unserved = loop.look(index -> to.keySet().stream()
                .filter(subscriber -> {
                    var reader = index.reader(subscriber);
                    return reader == null
                            || (reader.place().isEmpty() && reader.damage().isEmpty());
                })
                .collect(Collectors.toSet()));
        if (unserved.isEmpty()) {
            return CompletableFuture.completedStage(Optional.of(Set.of()));
        }
        return Crossing.run(
                loop,
                operation("advance", loop),
                crossing -> crossing.ask(new Whereabouts(unserved)).thenCompose(answer -> {
                    if (!(answer instanceof Whereabouts.Answer.Here here)) {
                        return CompletableFuture.completedStage(Optional.empty());
                    }
                    Map<Subscriber, Long> entering =
                            here.never().stream().collect(Collectors.toMap(each -> each, to::get));
                    course.at(Step.ENTRY);
                    return positions
                            .enter(crossing, entering, Optional.empty(), here.number())
                            .thenApply(fenced -> fenced.isPresent() ? Optional.empty() : Optional.of(here.never()));
                }));
    }

    CompletionStage<ResetResult> reset(ShardLoop loop, Subscriber subscriber, Reset reset) {
        Course course = Transition.RESET.begin();
        return Crossing.run(
                loop,
                operation("reset", loop),
                // it goes on when nobody waits for it any more: others wait for its end
                crossing -> crossing.steps()
                        .part(
                                told -> {
                                    begin(loop, course, subscriber, reset).whenComplete((result, failure) -> {
                                        if (failure == null) {
                                            told.complete(result);
                                        } else {
                                            told.completeExceptionally(failure);
                                        }
                                    });
                                    return () -> false;
                                },
                                true));
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
                    .thenCompose(fenced -> {
                        if (fenced.isPresent()) {
                            return CompletableFuture.<ResetResult>completedStage(fenced.get());
                        }
                        course.at(Step.RESET);
                        return crossing.local(new Rewind(subscriber, reset))
                                .thenCompose(result -> published(crossing, course, result));
                    });
        });
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
