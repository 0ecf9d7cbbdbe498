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

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.core.deadletter.DeadLetterRecords;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Settled;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;

/** A delivery becomes a dead letter: record, retirement, fan-out and position in one step. */
final class GivenUp {
    /** Changes that it takes in a commit, at most. */
    static final int CHANGES = 32;

    private GivenUp() {}

    static void prepare(Partition partition, OpenDelivery delivery, Wanted wanted) {
        Messages.prepare(partition, delivery, wanted);
        wanted.read(DeadLetterKey.bytes(DeadLetterRecords.id(delivery.key())));
        CarriedTask.prepare(delivery, wanted);
    }

    /**
     * At most what it takes in a commit.
     *
     * @throws StateStoreException when its payload cannot be read
     */
    static long bytes(ShardDraft draft, OpenDelivery delivery) {
        return Messages.read(draft, delivery).getSerializedSize()
                + delivery.record().getSerializedSize()
                + 16L * draft.readerBytes(delivery.subscriber())
                + draft.handleBytes(delivery)
                + CarriedTask.bytes(draft, delivery);
    }

    /**
     * Gives it up.
     *
     * @param last with the failure that was its last
     * @param epoch of the hand-out that gives it up; 0 when none does
     * @throws StateStoreException when its payload cannot be read; then it stays open
     */
    static NackResult.DeadLettered giveUp(
            ShardDraft draft, OpenDelivery delivery, DeliveryRecord last, long epoch, String reason) {
        MessageRecord message = Messages.read(draft, delivery);
        DeadLetterId id = DeadLetterRecords.id(delivery.key());
        if (draft.two()) {
            intend(draft, delivery, last, epoch, reason);
            return new NackResult.DeadLettered(id, OptionalLong.empty(), Optional.empty());
        }
        Optional<DeadLetterRecord> replaced = standing(draft, id);
        DeadLetterRecord letter =
                DeadLetterRecords.record(delivery.key(), draft.incarnation(), last, message, reason, draft.now());
        draft.sync();
        DeadLetterRecords.put(id, letter, replaced).forEach(draft::change);
        CarriedTask.settle(draft, delivery, Refused.How.DEAD_LETTERED, reason);
        Settled settled = draft.settle(delivery, SettledMark.of(delivery, MarkRecord.How.DEAD_LETTERED, epoch));
        return new NackResult.DeadLettered(id, settled.position(), settled.completed());
    }

    /** The first of the steps over two backends: nobody gets it any more, and no ack of what was handed out settles it. */
    private static void intend(
            ShardDraft draft, OpenDelivery delivery, DeliveryRecord last, long epoch, String reason) {
        draft.sync();
        DeliveryRecord intent = last.toBuilder()
                .setEpoch(draft.number())
                .clearReceiver()
                .clearLeaseUntilMillis()
                .setGivingUp(DeliveryRecord.GivingUp.newBuilder()
                        .setEpoch(epoch)
                        .setReason(reason)
                        .setAtMillis(draft.now()))
                .build();
        draft.update(delivery, intent, Optional.empty());
    }

    /** The answer to a hand-out that has given the delivery up before, over two backends, while it is not retired. */
    static Optional<NackResult.DeadLettered> repeated(OpenDelivery delivery, long epoch) {
        return delivery.givenUp() && delivery.record().getGivingUp().getEpoch() == epoch
                ? Optional.of(new NackResult.DeadLettered(
                        DeadLetterRecords.id(delivery.key()), OptionalLong.empty(), Optional.empty()))
                : Optional.empty();
    }

    /** One that cannot be decoded is written over: it is of the same message for the same subscriber. */
    private static Optional<DeadLetterRecord> standing(ShardDraft draft, DeadLetterId id) {
        try {
            return draft.record(DeadLetterKey.bytes(id))
                    .map(Records.DEAD_LETTER::decode)
                    .map(Stored::record);
        } catch (StateStoreException e) {
            return Optional.empty();
        }
    }
}
