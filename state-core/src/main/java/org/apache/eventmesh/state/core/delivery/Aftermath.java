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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.core.across.Course;
import org.apache.eventmesh.state.core.across.Step;
import org.apache.eventmesh.state.core.across.Transition;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.deadletter.DeadLetterRecords;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.Follow;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.RecordFailure;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The steps that are left, over two backends, when the local one has decided: the letter of a delivery that is given up, and
 * what follows from a settlement. Each goes on from where it stands, and any number of times.
 */
final class Aftermath {
    private Aftermath() {}

    /** What one goes on to do before the answer to a nack or a dead-lettering. */
    static Follow<NackResult> ofGivingUp(ShardLoop loop) {
        return (operation, decided) -> {
            if (!(decided instanceof NackResult.DeadLettered)) {
                return CompletableFuture.completedStage(decided);
            }
            Receipt receipt = operation instanceof NackOperation nack
                    ? nack.nack().receipt()
                    : ((DeadLetterOperation) operation).receipt();
            return loop.givenUp(receipt.delivery().number())
                    .map(delivery -> letter(loop, delivery))
                    .orElseGet(() -> CompletableFuture.completedStage(decided));
        };
    }

    /** What one goes on to do before the answer to an ack, and to its repeat. */
    static Follow<AckResult> ofAck(ShardLoop loop) {
        return (operation, decided) -> {
            if (!(decided instanceof AckResult.Acked || decided instanceof AckResult.Duplicate)) {
                return CompletableFuture.completedStage(decided);
            }
            long number = ((AckOperation) operation).ack().receipt().delivery().number();
            return loop.outstanding(number)
                    .map(what -> settled(loop, number, what)
                            .thenApply(fenced ->
                                    fenced.<AckResult>map(past -> past).orElse(decided)))
                    .orElseGet(() -> CompletableFuture.completedStage(decided));
        };
    }

    /** Writes the letter of a delivery that is given up, and retires it. */
    static CompletionStage<NackResult> letter(ShardLoop loop, OpenDelivery delivery) {
        Course course = Transition.DEAD_LETTER.resume(Step.LETTER);
        Bytes message = ShardKeys.message(loop.token().scope(), delivery.key().message());
        return Crossing.unattended(
                loop,
                operation("deadLetter", loop),
                crossing -> loop.backend().read(List.of(message)).thenCompose(found -> {
                    if (found.isEmpty()) {
                        // another has finished it meanwhile
                        return crossing.local(new RetireOperation(delivery, false));
                    }
                    MessageRecord payload = Records.MESSAGE.decode(found.get(0)).record();
                    course.at(Step.LETTER);
                    SharedLetter letter = new SharedLetter(loop, delivery, payload);
                    return crossing.shared(letter.keys(), letter::put, SharedLetter.Put.Lost::new)
                            .thenCompose(put -> {
                                if (put instanceof SharedLetter.Put.Lost lost) {
                                    return CompletableFuture.<NackResult>completedStage(lost.why());
                                }
                                course.at(Step.RETIRED);
                                return crossing.local(
                                        new RetireOperation(delivery, put instanceof SharedLetter.Put.Standing));
                            });
                }));
    }

    /** Lets the shared backend follow a settlement. */
    static CompletionStage<Optional<Fenced>> settled(ShardLoop loop, long number, OutstandingRecord what) {
        Course course = Transition.SETTLE.resume(Step.FOLLOWED);
        SharedSettlement settlement = new SharedSettlement(loop, number, what);
        return Crossing.unattended(loop, operation("settle", loop), crossing -> {
            course.at(Step.FOLLOWED);
            return crossing.shared(settlement.keys(), settlement::follow, Optional::of)
                    .thenCompose(fenced -> {
                        if (fenced.isPresent()) {
                            return CompletableFuture.completedStage(fenced);
                        }
                        course.at(Step.FORGOTTEN);
                        return crossing.local(new ForgetOperation(number)).thenApply(done -> fenced);
                    });
        });
    }

    /** Writes the letters of deliveries that are given up, as far as that is possible now; those that are dead letters. */
    static CompletionStage<List<NackResult.DeadLettered>> dead(ShardLoop loop, List<NackResult.DeadLettered> givenUp) {
        Set<DeadLetterId> ids =
                givenUp.stream().map(NackResult.DeadLettered::id).collect(Collectors.toSet());
        List<OpenDelivery> deliveries = loop.look(index -> index.givenUp().values().stream()
                .filter(delivery -> ids.contains(DeadLetterRecords.id(delivery.key())))
                .toList());
        List<NackResult.DeadLettered> dead = new CopyOnWriteArrayList<>();
        CompletableFuture<?>[] each = deliveries.stream()
                .map(delivery -> letter(loop, delivery)
                        .handle((answer, failure) -> {
                            // a failure leaves it given up: it is finished later
                            if (answer instanceof NackResult.DeadLettered told) {
                                dead.add(told);
                            }
                            return failure == null;
                        })
                        .toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(each).thenApply(done -> List.copyOf(dead));
    }

    /**
     * All that is left in a shard. What fails, because a record is damaged or the shared backend is away, keeps nothing else
     * from its end, and is told beside what was finished.
     */
    static CompletionStage<Finished> all(ShardLoop loop) {
        List<OpenDelivery> givenUp =
                loop.look(index -> new ArrayList<>(index.givenUp().values()));
        List<Long> outstanding =
                loop.look(index -> new ArrayList<>(index.outstanding().keySet()));
        CompletionStage<Finished> going = CompletableFuture.completedStage(Finished.NOTHING);
        // one after the other: after an outage there may be many, and owners go on meanwhile
        for (OpenDelivery delivery : givenUp) {
            going = going.thenCompose(before -> letter(loop, delivery)
                    .thenApply(answer -> answer instanceof NackResult.DeadLettered ? before.letter() : before)
                    .exceptionally(failure -> before.failed(new Failed(Optional.empty(), failure))));
        }
        for (long number : outstanding) {
            going = going.thenCompose(before -> loop.outstanding(number)
                    .map(what -> settled(loop, number, what)
                            .thenApply(fenced -> fenced.isEmpty() ? before.settlement() : before)
                            .exceptionally(failure -> before.failed(new Failed(task(what), failure))))
                    .orElseGet(() -> CompletableFuture.completedStage(before)));
        }
        return going;
    }

    private static Optional<TaskId> task(OutstandingRecord what) {
        return what.hasTask() ? Optional.of(new TaskId(what.getTask())) : Optional.empty();
    }

    /**
     * What could not be finished yet.
     *
     * @param task that a settlement moves
     */
    record Failed(Optional<TaskId> task, Throwable why) {
        /** The task, when it cannot be decoded: it stays as it is, and so does what is outstanding of it. */
        Optional<Unreadable> damage() {
            return task.flatMap(id -> RecordFailure.damage(TaskKey.bytes(id), why));
        }
    }

    /**
     * What was finished.
     *
     * @param letters deliveries that became dead letters
     * @param settlements settled deliveries that the shared backend has followed
     * @param failures what was not
     */
    record Finished(long letters, long settlements, List<Failed> failures) {
        static final Finished NOTHING = new Finished(0, 0, List.of());

        Finished letter() {
            return new Finished(letters + 1, settlements, failures);
        }

        Finished settlement() {
            return new Finished(letters, settlements + 1, failures);
        }

        Finished failed(Failed one) {
            List<Failed> all = new ArrayList<>(failures);
            all.add(one);
            return new Finished(letters, settlements, all);
        }

        /** Tells of the tasks that cannot be decoded. */
        Finished tell(ShardLoop loop) {
            failures.forEach(failed -> failed.damage()
                    .ifPresent(task -> loop.backend().callbacks().tell(to -> to.unreadable(StoreName.TASKS, task))));
            return this;
        }

        /** Why something was left that is not of one record alone. */
        Optional<Throwable> interrupted() {
            return failures.stream()
                    .map(Failed::why)
                    .filter(why -> !RecordFailure.is(why))
                    .findFirst();
        }
    }

    private static Operation operation(String name, ShardLoop loop) {
        return new Operation(StoreName.DELIVERIES, name, loop.token().scope());
    }
}
