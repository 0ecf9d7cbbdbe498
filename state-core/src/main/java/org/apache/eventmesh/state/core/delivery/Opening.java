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
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.Subscriber;

/** Makes one new delivery of a broker's message. */
final class Opening {
    /** A delivery's key and record, without what a caller can make long. */
    private static final int BYTES = 256;

    private Opening() {}

    static OpenResult.Opened open(
            ShardDraft draft,
            DeliveryKind kind,
            Incoming message,
            long payload,
            Subscriber target,
            Optional<Receiver> receiver,
            long entry,
            long leaseUntil) {
        long number = draft.number();
        DeliveryRecord.Builder record = DeliveryRecord.newBuilder()
                // a first hand-out needs no number of its own: no other of this delivery has it
                .setEpoch(number)
                .setDueAtMillis(draft.now())
                .setOpenedAtMillis(draft.now())
                .setEntry(entry);
        if (receiver.isPresent()) {
            record.setReceiver(Receivers.stored(receiver.get()))
                    .setLeaseUntilMillis(leaseUntil)
                    .setHandOuts(1);
        }
        OpenDelivery opened = draft.open(
                new DeliveryKey(draft.partition(), number, kind, message.offset(), payload, target),
                record.build(),
                receiver);
        Delivery delivery = Messages.told(
                draft.id(number), opened.key(), opened.record(), receiver, message.payload(), message.attributes());
        return new OpenResult.Opened(delivery, receiver.map(r -> Messages.handOut(delivery)));
    }

    static MessageRecord message(Incoming message, Optional<String> generation, long now) {
        MessageRecord.Builder record = MessageRecord.newBuilder()
                .setOffset(message.offset())
                .setPayload(SharedValues.bytes(message.payload()))
                .setOpenedAtMillis(now);
        if (!message.attributes().values().isEmpty()) {
            record.setAttributes(SharedValues.attributes(message.attributes()));
        }
        generation.ifPresent(record::setGeneration);
        return record.build();
    }

    /** At most what the delivery takes in a commit; an identifier of 512 bytes may be twice as long in a key. */
    static int bytes(ShardDraft draft, Subscriber target, Optional<Receiver> receiver) {
        return BYTES
                + draft.readerBytes(target)
                + receiver.map(r ->
                                3 * (r.client().value().length() + r.instance().length()))
                        .orElse(0);
    }
}
