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
package org.apache.eventmesh.state.core.task;

import java.util.Optional;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Opens the delivery of a task that stands in the shared backend of a set of two, unless it is open or was settled. Its
 * number was taken before the task was written.
 *
 * @param receiver gets it at once
 */
record OpenCarrier(long number, TaskId id, TaskRecord task, Optional<Receiver> receiver, long leaseMillis)
        implements ShardOperation<OpenCarrier.Answer> {
    /** What came of it. */
    sealed interface Answer {
        record Opened(Optional<HandOut> handOut) implements Answer {}

        /** It is open, or was settled. */
        record Known() implements Answer {}

        record Lost(Fenced why) implements Answer {}
    }

    @Override
    public StoreName store() {
        return StoreName.TASKS;
    }

    @Override
    public String name() {
        return "create";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        wanted.read(ShardKeys.mark(committed.partition(), number));
    }

    @Override
    public Answer decide(ShardDraft draft) {
        if (draft.index().delivery(number) != null
                || draft.index().outstanding().containsKey(number)
                || draft.own(ShardKeys.mark(draft.partition(), number)).isPresent()) {
            return new Answer.Known();
        }
        draft.sync();
        long message = draft.number();
        draft.putMessage(
                message,
                MessageRecord.newBuilder()
                        .setPayload(task.getInput())
                        .setAttributes(task.getAttributes())
                        .setOpenedAtMillis(draft.now())
                        .build());
        Subscriber queue = SharedValues.subscriber(task.getDelivery().getSubscriber());
        long until = Millis.after(draft.now(), leaseMillis);
        DeliveryRecord.Builder record = DeliveryRecord.newBuilder()
                // a first hand-out needs no number of its own: no other of this delivery has it
                .setEpoch(number)
                .setDueAtMillis(draft.now())
                .setOpenedAtMillis(draft.now())
                .setTask(id.value());
        receiver.ifPresent(to -> record.setReceiver(SharedValues.receiver(to))
                .setLeaseUntilMillis(until)
                .setHandOuts(1));
        draft.open(
                new DeliveryKey(draft.partition(), number, DeliveryKind.TASK, 0, message, queue),
                record.build(),
                receiver);
        return new Answer.Opened(receiver.map(to -> handOut(draft.id(number), queue, to, draft.now(), until)));
    }

    @Override
    public Answer fenced(Fenced why) {
        return new Answer.Lost(why);
    }

    private HandOut handOut(DeliveryId delivery, Subscriber queue, Receiver to, long now, long until) {
        Delivery told = new Delivery(
                delivery,
                0,
                queue,
                SharedValues.bytes(task.getInput()),
                SharedValues.attributes(task.getAttributes()),
                number,
                1,
                0,
                Optional.empty(),
                Millis.instant(now),
                Millis.instant(until),
                Optional.of(to),
                Optional.of(id));
        return new HandOut(told, to, new Receipt(delivery, number), Millis.instant(until));
    }
}
