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
package org.apache.eventmesh.state.core.shard;

import java.util.Objects;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.Unreadable;
import org.jspecify.annotations.Nullable;

/**
 * One open delivery as the last decision left it, without its payload. The key alone says that it is open, for whom and
 * where; so it counts even when the record cannot be decoded.
 */
public final class OpenDelivery {
    private final DeliveryKey key;
    private final @Nullable DeliveryRecord record;
    private final @Nullable Receiver receiver;
    private final @Nullable Unreadable damage;
    private final long dueAt;

    private OpenDelivery(
            DeliveryKey key,
            @Nullable DeliveryRecord record,
            @Nullable Receiver receiver,
            @Nullable Unreadable damage) {
        this.key = key;
        this.record = record;
        this.receiver = receiver;
        this.damage = damage;
        this.dueAt = record == null
                ? Long.MAX_VALUE
                : record.hasLeaseUntilMillis() ? record.getLeaseUntilMillis() : record.getDueAtMillis();
    }

    /** With the receiver that the record names, as a value of the caller's kind. */
    static OpenDelivery of(DeliveryKey key, DeliveryRecord record, @Nullable Receiver receiver) {
        return new OpenDelivery(key, record, receiver, null);
    }

    /**
     * As it was read.
     *
     * @throws org.apache.eventmesh.state.failure.StateStoreException when the record cannot be decoded
     */
    public static OpenDelivery read(DeliveryKey key, Entry entry) {
        return SharedValues.value(Records.DELIVERY.decode(entry), stored -> {
            DeliveryRecord record = stored.record();
            return of(key, record, record.hasReceiver() ? receiver(record.getReceiver()) : null);
        });
    }

    /** Stands, in due order, behind all that is due at a time. */
    static OpenDelivery behind(Partition partition, long dueAt) {
        return of(
                new DeliveryKey(partition, Long.MAX_VALUE, DeliveryKind.TASK, 0, 0, Subscriber.group("none")),
                DeliveryRecord.newBuilder().setDueAtMillis(dueAt).build(),
                null);
    }

    static OpenDelivery unreadable(DeliveryKey key, Unreadable damage) {
        return new OpenDelivery(key, null, null, damage);
    }

    public DeliveryKey key() {
        return key;
    }

    public long number() {
        return key.number();
    }

    public long offset() {
        return key.offset();
    }

    public Subscriber subscriber() {
        return key.subscriber();
    }

    /** Whether it comes from a broker: counts for the fan-out of its message, and is recognised by its offset. */
    public boolean fromBroker() {
        return key.kind() == DeliveryKind.ORDERED || key.kind() == DeliveryKind.UNORDERED;
    }

    /** Whether it holds back the position of its subscriber. */
    public boolean ordered() {
        return key.kind() == DeliveryKind.ORDERED;
    }

    public boolean readable() {
        return record != null;
    }

    /**
     * What is stored.
     *
     * @throws NullPointerException when it is not {@link #readable}
     */
    public DeliveryRecord record() {
        return Objects.requireNonNull(record, "an unreadable delivery has no record");
    }

    /** Why it cannot be read. */
    public Optional<Unreadable> damage() {
        return Optional.ofNullable(damage);
    }

    public Optional<Receiver> receiver() {
        return Optional.ofNullable(receiver);
    }

    @Nullable
    Receiver holder() {
        return receiver;
    }

    /** When it may be handed out (again), in epoch milliseconds. */
    public long dueAt() {
        return dueAt;
    }

    /** Whether it is given up, in a set of two backends, and its letter may not be there yet: nobody gets it any more. */
    public boolean givenUp() {
        return record != null && record.hasGivingUp();
    }

    /** Whether the shared backend of a set of two has to know when it is settled. */
    public boolean awaited() {
        return key.kind() == DeliveryKind.REPLAY || carriesTask();
    }

    /** Whether there is a {@link #task}. */
    public boolean carriesTask() {
        return record != null && record.hasTask();
    }

    /** The task that it carries. */
    public Optional<TaskId> task() {
        return record == null || !record.hasTask() ? Optional.empty() : Optional.of(new TaskId(record.getTask()));
    }

    private static Receiver receiver(org.apache.eventmesh.state.core.proto.Receiver stored) {
        return new Receiver(new ClientId(stored.getClient()), stored.getSessionEpoch(), stored.getInstance());
    }
}
