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
package org.apache.eventmesh.state.core.deadletter;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Course;
import org.apache.eventmesh.state.core.across.Step;
import org.apache.eventmesh.state.core.across.Transition;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.TakeNumber;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A replay over two backends: a number for the new delivery, then the letter is marked with it and the request has its
 * result, then the delivery. The letter stays, counting as gone, until that is settled. The answer is empty when this shard
 * is not ours any more.
 *
 * @param asRead as in {@link Redeliver}
 */
record SharedReplay(ShardLoop loop, ReplayKey key, long asRead) {
    CompletionStage<Optional<ReplayAnswer>> start() {
        Course course = Transition.REPLAY.begin();
        return Crossing.run(loop, DeadLetters.operation("replay", key.id()), crossing -> {
            course.at(Step.NUMBER);
            return crossing.ask(new TakeNumber(StoreName.DEAD_LETTERS, "replay"))
                    .thenCompose(answer -> answer instanceof TakeNumber.Answer.Taken taken
                            ? mark(crossing, course, taken.number())
                            : CompletableFuture.completedStage(Optional.empty()));
        });
    }

    private CompletionStage<Optional<ReplayAnswer>> mark(Crossing crossing, Course course, long number) {
        course.at(Step.REPLAYING);
        return crossing.shared(
                        List.of(key.bytes(), DeadLetterKey.bytes(key.id())),
                        (seen, draft) -> mark(seen, draft, number),
                        fenced -> Optional.<ReplayAnswer>empty())
                .thenCompose(answer -> {
                    if (answer.isEmpty() || answer.get().state() != ReplayRecord.State.REPLAYED) {
                        return CompletableFuture.completedStage(answer);
                    }
                    course.at(Step.REDELIVERED);
                    return new ReplayedLetters(loop).open(crossing, key.id()).thenApply(opened -> answer);
                });
    }

    private Decision<Optional<ReplayAnswer>> mark(Seen seen, Draft draft, long number) {
        Optional<ReplayRecord> request = seen.get(Records.REPLAY, key.bytes()).map(Stored::record);
        boolean waited = request.isPresent() && request.get().getState() == ReplayRecord.State.QUEUED;
        if (request.isPresent() && !waited) {
            return Decision.answer(Optional.of(ReplayAnswer.of(key.id().partition(), request.get())));
        }
        Bytes letterKey = DeadLetterKey.bytes(key.id());
        Optional<Stored<DeadLetterRecord>> letter = seen.get(Records.DEAD_LETTER, letterKey);
        Optional<Bytes> taskKey = letter.map(Stored::record)
                .filter(DeadLetterRecord::hasTask)
                .map(record -> TaskKey.bytes(new TaskId(record.getTask())));
        if (taskKey.isPresent() && !seen.knows(taskKey.get())) {
            return Decision.readMore(taskKey.get());
        }
        Optional<TaskRecord> task =
                taskKey.flatMap(there -> seen.get(Records.TASK, there)).map(Stored::record);
        long revision = waited ? request.get().getDeadLetterRevision() : asRead;
        long now = Millis.now(loop.settings().clock());
        Optional<ReplayRecord.State> refusal = ReplayRule.refusal(key.id().partition(), letter, revision, task);
        draft.condition(seen.unchanged(key.bytes())).condition(seen.unchanged(letterKey));
        taskKey.ifPresent(there -> draft.condition(seen.unchanged(there)));
        if (refusal.isPresent()) {
            if (!waited) {
                return Decision.answer(Optional.of(ReplayAnswer.of(refusal.get())));
            }
            ReplayRecords.refused(key, request.get(), refusal.get(), now).forEach(draft::change);
            return draft.write(Optional.of(ReplayAnswer.of(refusal.get())));
        }
        DeliveryId delivery = new DeliveryId(key.id().partition(), loop.sides().host(), number);
        DeadLetterRecord.Replaying replaying = DeadLetterRecord.Replaying.newBuilder()
                .setRequestKey(key.request().value())
                .setIncarnation(delivery.incarnation())
                .setDelivery(number)
                .build();
        List<Change> marking =
                DeadLetterRecords.replaying(key.id(), letter.orElseThrow().record(), replaying);
        marking.forEach(draft::change);
        ReplayRecords.replayed(key, request, revision, delivery, now).forEach(draft::change);
        return draft.write(Optional.of(new ReplayAnswer(ReplayRecord.State.REPLAYED, Optional.of(delivery))));
    }
}
