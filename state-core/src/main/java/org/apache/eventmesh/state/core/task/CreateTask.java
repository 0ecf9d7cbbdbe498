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
import java.util.function.Function;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.owner.NewOwnership;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;

/**
 * Creates a task, its ownership and the delivery that carries it, in the commit of the shard: there is never one without
 * the others.
 *
 * @param holder the shard's member, who will own the task
 * @param handles makes the handle of a token
 */
record CreateTask(
        NewTask task, Carrier carrier, Holder holder, TaskSizes sizes, Function<Token<TaskId>, OwnedTask> handles)
        implements ShardOperation<CreateResult> {
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
        sizes.check(task);
        wanted.read(TaskKey.bytes(task.id()));
        NewOwnership.keys(task.id()).forEach(wanted::read);
    }

    @Override
    public CreateResult decide(ShardDraft draft) {
        Optional<Stored<TaskRecord>> present = Records.TASK.decode(draft.record(TaskKey.bytes(task.id())));
        if (present.isPresent()) {
            return TaskRecords.sameCreation(present.get().record(), task)
                    ? new CreateResult.Existing(TaskRecords.task(present.get()))
                    : new CreateResult.Conflict(TaskRecords.task(present.get()));
        }
        draft.requireRoom(1);
        draft.sync();
        Token<TaskId> token = own(draft);
        long message = draft.number();
        DeliveryId delivery = draft.id(draft.number());
        TaskWrite created = TaskRecords.created(task, delivery, carrier.queue(), draft.now());
        created.changes().forEach(draft::change);
        Optional<HandOut> handOut = open(draft, delivery, message);
        return new CreateResult.Created(TaskRecords.task(task.id(), created.record()), handles.apply(token), handOut);
    }

    @Override
    public CreateResult fenced(Fenced why) {
        return why;
    }

    /** Nobody can have worked on a task that is not there: an ownership that is left of an earlier one is taken over. */
    private Token<TaskId> own(ShardDraft draft) {
        NewOwnership<TaskId> ownership = NewOwnership.of(
                draft.incarnation(),
                task.id(),
                holder,
                draft.record(OwnerKeys.counter(task.id())),
                draft.record(OwnerKeys.holder(task.id())),
                draft.now());
        ownership.changes().forEach(draft::change);
        return ownership.token();
    }

    private Optional<HandOut> open(ShardDraft draft, DeliveryId id, long message) {
        draft.putMessage(
                message,
                MessageRecord.newBuilder()
                        .setPayload(SharedValues.bytes(task.input()))
                        .setAttributes(SharedValues.attributes(task.attributes()))
                        .setOpenedAtMillis(draft.now())
                        .build());
        // a first hand-out needs no number of its own: no other of this delivery has it
        long epoch = id.number();
        long until = Millis.after(draft.now(), Millis.of(carrier.lease()));
        DeliveryRecord.Builder record = DeliveryRecord.newBuilder()
                .setEpoch(epoch)
                .setDueAtMillis(draft.now())
                .setOpenedAtMillis(draft.now())
                .setTask(task.id().value());
        carrier.receiver()
                .ifPresent(receiver -> record.setReceiver(SharedValues.receiver(receiver))
                        .setLeaseUntilMillis(until)
                        .setHandOuts(1));
        draft.open(
                new DeliveryKey(draft.partition(), id.number(), DeliveryKind.TASK, 0, message, carrier.queue()),
                record.build(),
                carrier.receiver());
        return carrier.receiver().map(receiver -> handOut(id, epoch, receiver, draft.now(), until));
    }

    private HandOut handOut(DeliveryId id, long epoch, Receiver receiver, long now, long until) {
        Delivery delivery = new Delivery(
                id,
                0,
                carrier.queue(),
                task.input(),
                task.attributes(),
                epoch,
                1,
                0,
                Optional.empty(),
                Millis.instant(now),
                Millis.instant(until),
                Optional.of(receiver),
                Optional.of(task.id()));
        return new HandOut(delivery, receiver, new Receipt(id, epoch), Millis.instant(until));
    }
}
