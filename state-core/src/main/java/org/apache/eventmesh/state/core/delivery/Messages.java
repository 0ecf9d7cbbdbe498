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

import java.time.Instant;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.Due;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** What deliveries of one message share, and deliveries as callers see them. */
final class Messages {
    private Messages() {}

    static void prepare(Partition partition, OpenDelivery delivery, Wanted wanted) {
        wanted.read(ShardKeys.message(partition, delivery.key().message()));
    }

    /** @throws org.apache.eventmesh.state.failure.StateStoreException when it cannot be decoded, or is gone */
    static MessageRecord read(ShardDraft draft, OpenDelivery delivery) {
        Bytes key = ShardKeys.message(draft.partition(), delivery.key().message());
        return draft.own(key)
                .map(Records.MESSAGE::decode)
                .map(Stored::record)
                .orElseThrow(() -> DeliveryRows.missing(key));
    }

    static Delivery told(
            DeliveryId id,
            DeliveryKey key,
            DeliveryRecord record,
            Optional<Receiver> receiver,
            Bytes payload,
            Attributes attributes) {
        return new Delivery(
                id,
                key.offset(),
                key.subscriber(),
                payload,
                attributes,
                record.getEpoch(),
                record.getHandOuts(),
                record.getFailureCount(),
                record.getFailuresCount() == 0
                        ? Optional.empty()
                        : Optional.of(record.getFailures(record.getFailuresCount() - 1)
                                .getReason()),
                Millis.instant(record.getOpenedAtMillis()),
                Millis.instant(record.hasLeaseUntilMillis() ? record.getLeaseUntilMillis() : record.getDueAtMillis()),
                receiver,
                record.hasTask() ? Optional.of(new TaskId(record.getTask())) : Optional.empty());
    }

    static Delivery told(ShardDraft draft, OpenDelivery delivery, MessageRecord message) {
        return told(draft.id(delivery.number()), delivery, message);
    }

    static Delivery told(DeliveryId id, OpenDelivery delivery, MessageRecord message) {
        return told(
                id,
                delivery.key(),
                delivery.record(),
                delivery.receiver(),
                SharedValues.bytes(message.getPayload()),
                SharedValues.attributes(message.getAttributes()));
    }

    /** Of a delivery that a receiver has. */
    static HandOut handOut(Delivery delivery) {
        Instant until = delivery.dueAt();
        return new HandOut(
                delivery, delivery.receiver().orElseThrow(), new Receipt(delivery.id(), delivery.epoch()), until);
    }

    static Due due(Partition partition, String incarnation, OpenDelivery delivery) {
        return new Due(
                new DeliveryId(partition, incarnation, delivery.number()),
                delivery.offset(),
                delivery.subscriber(),
                delivery.record().getHandOuts(),
                delivery.record().getFailureCount(),
                Millis.instant(delivery.dueAt()),
                delivery.task());
    }
}
