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

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Bytes;

/** Replays: by the shard's loop where it is ours, otherwise as a request that waits for whoever owns it. */
public final class Replays {
    private final Transactions transactions;
    private final Shards shards;
    private final InstantSource clock;

    public Replays(Backend backend, Shards shards, InstantSource clock) {
        this.transactions = new Transactions(backend);
        this.shards = shards;
        this.clock = clock;
    }

    CompletionStage<ReplayResult> replay(DeadLetter asRead, RequestKey request) {
        ReplayKey key = new ReplayKey(asRead.id(), request);
        return here(key, asRead.revision())
                .thenCompose(answer -> answer.isPresent()
                        ? CompletableFuture.completedStage(answer.get())
                        : queue(key, asRead.revision()))
                .thenCompose(answer -> result(asRead.id(), answer));
    }

    /** Empty when the shard is not ours. */
    CompletionStage<Optional<ReplayAnswer>> here(ReplayKey key, long asRead) {
        return shards.owned(key.id().partition())
                .map(loop -> loop.sides().two()
                        ? new SharedReplay(loop, key, asRead).start()
                        : loop.submit(new Redeliver(key, asRead)))
                .orElseGet(() -> CompletableFuture.completedStage(Optional.empty()));
    }

    private CompletionStage<ReplayAnswer> queue(ReplayKey key, long asRead) {
        return transactions.run(
                DeadLetters.operation("replay", key.id()),
                List.of(key.bytes(), DeadLetterKey.bytes(key.id())),
                seen -> queue(seen, key, asRead));
    }

    private Decision<ReplayAnswer> queue(Seen seen, ReplayKey key, long asRead) {
        Optional<ReplayRecord> request = seen.get(Records.REPLAY, key.bytes()).map(Stored::record);
        if (request.isPresent()) {
            return Decision.answer(ReplayAnswer.of(key.id().partition(), request.get()));
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
        Optional<ReplayRecord.State> refusal = ReplayRule.refusal(key.id().partition(), letter, asRead, task);
        if (refusal.isPresent()) {
            return Decision.answer(ReplayAnswer.of(refusal.get()));
        }
        Draft draft = new Draft().condition(seen.unchanged(key.bytes())).condition(seen.unchanged(letterKey));
        ReplayRecords.queued(key, asRead, Millis.now(clock)).forEach(draft::change);
        return draft.write(ReplayAnswer.of(ReplayRecord.State.QUEUED));
    }

    private CompletionStage<ReplayResult> result(DeadLetterId id, ReplayAnswer answer) {
        return switch (answer.state()) {
            case QUEUED -> CompletableFuture.completedStage(new ReplayResult.Queued());
            case REPLAYED ->
                CompletableFuture.completedStage(
                        new ReplayResult.Replayed(answer.delivery().orElseThrow()));
            case TASK_FINAL -> CompletableFuture.completedStage(new ReplayResult.TaskFinal());
            case CHANGED -> changed(id);
            case GONE, STATE_UNSPECIFIED, UNRECOGNIZED -> CompletableFuture.completedStage(new ReplayResult.Gone());
        };
    }

    /** The letter as it is now: only that helps the caller. */
    private CompletionStage<ReplayResult> changed(DeadLetterId id) {
        Bytes key = DeadLetterKey.bytes(id);
        return transactions.run(DeadLetters.operation("replay", id), List.of(key), seen -> {
            Optional<DeadLetter> current = seen.get(Records.DEAD_LETTER, key)
                    .filter(stored -> DeadLetterRecords.shown(stored.record()))
                    .map(DeadLetterRecords::letter);
            return Decision.answer(
                    current.<ReplayResult>map(ReplayResult.Changed::new).orElseGet(ReplayResult.Gone::new));
        });
    }
}
