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
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.core.task.TaskMoves;
import org.apache.eventmesh.state.core.task.TaskSettlement;
import org.apache.eventmesh.state.delivery.Refused.How;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.Unreadable;

/** The task that a delivery carries to its agent: it moves in the commit that settles the delivery. */
final class CarriedTask {
    private CarriedTask() {}

    static void prepare(OpenDelivery delivery, Wanted wanted) {
        if (delivery.carriesTask()) {
            delivery.task().ifPresent(task -> wanted.read(TaskKey.bytes(task)));
        }
    }

    /**
     * Moves the task, if there is one and the settlement moves it.
     *
     * @throws StateStoreException when the task cannot be decoded: then its delivery stays open, as any that is damaged
     */
    static void settle(ShardDraft draft, OpenDelivery delivery, How how, String reason) {
        if (draft.two()) {
            outstanding(draft, delivery, how, reason);
            return;
        }
        if (!delivery.carriesTask()) {
            return;
        }
        TaskId id = delivery.task().orElseThrow();
        draft.sync();
        task(draft, id)
                .flatMap(task -> TaskSettlement.settled(
                        id, task, draft.partition(), delivery.number(), how, reason, draft.now()))
                .ifPresent(moved -> moved.changes().forEach(draft::change));
    }

    /** Over two backends the task moves later, and the letter of a replay goes then; until then this says so. */
    private static void outstanding(ShardDraft draft, OpenDelivery delivery, How how, String reason) {
        if (!delivery.awaited()) {
            return;
        }
        draft.sync();
        OutstandingRecord.Builder what = OutstandingRecord.newBuilder()
                .setHow(SettledMark.stored(how))
                .setReason(reason)
                .setSettledAtMillis(draft.now());
        delivery.task().ifPresent(task -> what.setTask(task.value()));
        if (delivery.key().kind() == DeliveryKind.REPLAY) {
            what.setLetter(OutstandingRecord.Letter.newBuilder()
                    .setOffset(delivery.offset())
                    .setSubscriber(SharedValues.subscriber(delivery.subscriber())));
        }
        draft.outstanding(delivery.number(), what.build());
    }

    /**
     * Where the subscriber is gone, and one damaged task must not keep all its deliveries open.
     *
     * @return the task that cannot be decoded; it stays as it is
     */
    static Optional<Unreadable> settleReadable(ShardDraft draft, OpenDelivery delivery, How how, String reason) {
        Optional<Unreadable> damage = damage(draft, delivery);
        if (damage.isEmpty()) {
            settle(draft, delivery, how, reason);
        }
        return damage;
    }

    /** Why the task of a delivery cannot be decoded; empty when it can, or there is none in the shard's own backend. */
    static Optional<Unreadable> damage(ShardDraft draft, OpenDelivery delivery) {
        if (draft.two() || !delivery.carriesTask()) {
            return Optional.empty();
        }
        TaskId id = delivery.task().orElseThrow();
        try {
            task(draft, id);
            return Optional.empty();
        } catch (StateStoreException e) {
            return Optional.of(Codec.unreadable(TaskKey.bytes(id), e));
        }
    }

    /**
     * Whether the delivery has nothing to carry any more: its task is final, gone, or another one of the same id.
     *
     * @throws StateStoreException when the task cannot be decoded: damaged is not gone
     */
    static boolean over(ShardDraft draft, OpenDelivery delivery) {
        if (draft.two()) {
            // the call has asked the shared backend before
            return false;
        }
        return delivery.task()
                .map(id -> task(draft, id)
                        .map(task -> TaskMoves.finished(task)
                                || !TaskSettlement.carriedBy(task, draft.partition(), delivery.number()))
                        .orElse(true))
                .orElse(false);
    }

    /** At most what its move takes in a commit. */
    static long bytes(ShardDraft draft, OpenDelivery delivery) {
        return delivery.task()
                .flatMap(id -> draft.record(TaskKey.bytes(id)))
                .map(entry -> entry.value().size() + 16_384L)
                .orElse(0L);
    }

    private static Optional<TaskRecord> task(ShardDraft draft, TaskId id) {
        return draft.record(TaskKey.bytes(id)).map(Records.TASK::decode).map(Stored::record);
    }
}
