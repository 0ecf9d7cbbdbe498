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

import java.util.Optional;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Makes a dead letter a new delivery of its shard, in one commit with the end of the letter and with the result that a repeat
 * of the request gets. The answer is empty when this shard is not ours any more: then nothing was decided.
 *
 * @param asRead revision of the letter that the caller had; a request that waited keeps the one that it came with
 */
record Redeliver(ReplayKey key, long asRead) implements ShardOperation<Optional<ReplayAnswer>> {
    @Override
    public StoreName store() {
        return StoreName.DEAD_LETTERS;
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        wanted.read(key.bytes());
        wanted.read(DeadLetterKey.bytes(key.id()));
    }

    @Override
    public Optional<ReplayAnswer> decide(ShardDraft draft) {
        Optional<ReplayRecord> request =
                Records.REPLAY.decode(draft.record(key.bytes())).map(Stored::record);
        boolean waited = request.isPresent() && request.get().getState() == ReplayRecord.State.QUEUED;
        if (request.isPresent() && !waited) {
            return Optional.of(ReplayAnswer.of(draft.partition(), request.get()));
        }
        Optional<Stored<DeadLetterRecord>> letter =
                Records.DEAD_LETTER.decode(draft.record(DeadLetterKey.bytes(key.id())));
        long revision = waited ? request.get().getDeadLetterRevision() : asRead;
        Optional<ReplayRecord.State> refusal =
                ReplayRule.refusal(draft.partition(), letter, revision, task(draft, letter));
        if (refusal.isPresent()) {
            if (waited) {
                draft.sync();
                ReplayRecords.refused(key, request.get(), refusal.get(), draft.now())
                        .forEach(draft::change);
            }
            return Optional.of(ReplayAnswer.of(refusal.get()));
        }
        draft.requireRoom(1);
        draft.sync();
        DeliveryId delivery = deliver(draft, letter.orElseThrow().record());
        ReplayRecords.replayed(key, request, revision, delivery, draft.now()).forEach(draft::change);
        return Optional.of(new ReplayAnswer(ReplayRecord.State.REPLAYED, Optional.of(delivery)));
    }

    @Override
    public Optional<ReplayAnswer> fenced(Fenced why) {
        return Optional.empty();
    }

    private DeliveryId deliver(ShardDraft draft, DeadLetterRecord letter) {
        DeliveryId id = draft.id(draft.number());
        OpenReplay.deliver(draft, key.id(), letter, id.number(), key.request().value());
        DeadLetterRecords.removal(key.id(), letter.getDeadAtMillis()).forEach(draft::change);
        return id;
    }

    private static Optional<TaskRecord> task(ShardDraft draft, Optional<Stored<DeadLetterRecord>> letter) {
        return letter.map(Stored::record)
                .filter(DeadLetterRecord::hasTask)
                .flatMap(record -> Records.TASK.decode(draft.record(TaskKey.bytes(new TaskId(record.getTask())))))
                .map(Stored::record);
    }
}
