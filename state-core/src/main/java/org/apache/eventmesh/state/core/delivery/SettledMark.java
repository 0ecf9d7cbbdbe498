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
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;

/** What is remembered of a settled delivery. */
record SettledMark(Partition partition, MarkRecord record) {
    /** The mark of a delivery that is not open; empty when it never was, or so long ago that it is forgotten. */
    static Optional<SettledMark> find(ShardDraft draft, Receipt receipt) {
        if (!receipt.delivery().incarnation().equals(draft.incarnation())) {
            return Optional.empty();
        }
        return draft.own(ShardKeys.mark(draft.partition(), receipt.delivery().number()))
                .map(Records.MARK::decode)
                .map(Stored::record)
                .map(record -> new SettledMark(draft.partition(), record));
    }

    /**
     * A new one.
     *
     * @param epoch of the hand-out that settled it; 0 when none did
     */
    static MarkRecord.Builder of(OpenDelivery delivery, MarkRecord.How how, long epoch) {
        DeliveryKey key = delivery.key();
        // a task's delivery has no offset of its own; its dead letter stands where this says
        long offset =
                key.kind() == DeliveryKind.TASK ? DeadLetterRecords.id(key).offset() : key.offset();
        return MarkRecord.newBuilder()
                .setHow(how)
                .setEpoch(epoch)
                .setOffset(offset)
                .setSubscriber(SharedValues.subscriber(delivery.subscriber()));
    }

    Refused.Settled settled() {
        return new Refused.Settled(told(record.getHow()));
    }

    static MarkRecord.How stored(Refused.How how) {
        return switch (how) {
            case ACKED -> MarkRecord.How.ACKED;
            case DEAD_LETTERED -> MarkRecord.How.DEAD_LETTERED;
            case WITHDRAWN -> MarkRecord.How.WITHDRAWN;
        };
    }

    static Refused.How told(MarkRecord.How how) {
        return switch (how) {
            case ACKED -> Refused.How.ACKED;
            case DEAD_LETTERED -> Refused.How.DEAD_LETTERED;
            case WITHDRAWN, HOW_UNSPECIFIED, UNRECOGNIZED -> Refused.How.WITHDRAWN;
        };
    }

    boolean ackedUnder(String requestKey) {
        return record.getHow() == MarkRecord.How.ACKED
                && record.hasRequestKey()
                && record.getRequestKey().equals(requestKey);
    }

    /** The first answer, if it was given up by the hand-out that asks again. */
    NackResult givenUp(long epoch) {
        return record.getHow() == MarkRecord.How.DEAD_LETTERED && record.getEpoch() == epoch
                ? deadLettered()
                : settled();
    }

    AckResult.Acked acked() {
        return new AckResult.Acked(position(), completed());
    }

    private NackResult.DeadLettered deadLettered() {
        return new NackResult.DeadLettered(
                new DeadLetterId(partition, record.getOffset(), SharedValues.subscriber(record.getSubscriber())),
                position(),
                completed());
    }

    private OptionalLong position() {
        return record.hasPosition() ? OptionalLong.of(record.getPosition()) : OptionalLong.empty();
    }

    private Optional<FanOut> completed() {
        if (!record.hasCompleted()) {
            return Optional.empty();
        }
        MarkRecord.CompletedFanOut completed = record.getCompleted();
        return Optional.of(new FanOut(
                partition,
                record.getOffset(),
                SharedValues.bytes(completed.getBrokerHandle()),
                Millis.instant(completed.getExpiresAtMillis())));
    }
}
