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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Bytes;

/** The record of a dead letter: its beginning, its end, and how callers see it. */
public final class DeadLetterRecords {
    /**
     * A task's delivery has no offset of the broker, and two tasks in one queue are two messages; their letters stand
     * behind all offsets that a broker can give, each at a place of its own.
     */
    static final long TASK_OFFSETS = 1L << 62;

    private DeadLetterRecords() {}

    /** Under which id a delivery would be given up. */
    public static DeadLetterId id(DeliveryKey delivery) {
        long offset = delivery.kind() == DeliveryKind.TASK ? TASK_OFFSETS + delivery.number() : delivery.offset();
        return new DeadLetterId(delivery.partition(), offset, delivery.subscriber());
    }

    /**
     * A delivery that is given up.
     *
     * @param state with the failure that was its last
     */
    public static DeadLetterRecord record(
            DeliveryKey delivery,
            String incarnation,
            DeliveryRecord state,
            MessageRecord message,
            String reason,
            long now) {
        DeadLetterRecord.Builder record = DeadLetterRecord.newBuilder()
                .setPayload(message.getPayload())
                .setAttributes(message.getAttributes())
                .setReason(reason)
                .setHandOuts(state.getHandOuts())
                .addAllFailures(state.getFailuresList())
                .setFailureCount(state.getFailureCount())
                .setOpenedAtMillis(state.getOpenedAtMillis())
                .setDeadAtMillis(now)
                .setIncarnation(incarnation)
                .setDelivery(delivery.number());
        if (state.hasTask()) {
            record.setTask(state.getTask());
        }
        return record.build();
    }

    /**
     * What puts a record and the keys that list it.
     *
     * @param replaced what stands under the id now: the message was given up before, and opened again by a reset; the
     *     commit conditions on it
     */
    public static List<Change> put(DeadLetterId id, DeadLetterRecord record, Optional<DeadLetterRecord> replaced) {
        List<Bytes> now = listing(id, record.getDeadAtMillis());
        List<Change> changes = new ArrayList<>();
        changes.add(Records.DEAD_LETTER.put(DeadLetterKey.bytes(id), record));
        now.forEach(key -> changes.add(Change.put(key, Records.NOTHING)));
        replaced.ifPresent(old -> listing(id, old.getDeadAtMillis()).stream()
                .filter(key -> !now.contains(key))
                .forEach(key -> changes.add(Change.delete(key))));
        return changes;
    }

    /** The record marked with the replay whose delivery is not settled yet; the keys that list it go. */
    static List<Change> replaying(DeadLetterId id, DeadLetterRecord record, DeadLetterRecord.Replaying replay) {
        List<Change> changes = new ArrayList<>(unlisting(id, record.getDeadAtMillis()));
        changes.add(Records.DEAD_LETTER.put(
                DeadLetterKey.bytes(id), record.toBuilder().setReplaying(replay).build()));
        changes.add(Change.put(DeadLetterKey.replaying(id), Records.NOTHING));
        return changes;
    }

    /** What removes a marked record. */
    public static List<Change> replayed(DeadLetterId id) {
        return List.of(Change.delete(DeadLetterKey.bytes(id)), Change.delete(DeadLetterKey.replaying(id)));
    }

    /** Whether callers see it: not while its replay is under way. */
    static boolean shown(DeadLetterRecord record) {
        return !record.hasReplaying();
    }

    /** What removes a record and the keys that list it. */
    public static List<Change> removal(DeadLetterId id, long deadAt) {
        List<Change> changes = new ArrayList<>(unlisting(id, deadAt));
        changes.add(Change.delete(DeadLetterKey.bytes(id)));
        return changes;
    }

    /** What removes the keys that list a record of that time. */
    static List<Change> unlisting(DeadLetterId id, long deadAt) {
        return listing(id, deadAt).stream().map(Change::delete).toList();
    }

    /**
     * As callers see it.
     *
     * @throws org.apache.eventmesh.state.failure.CorruptStateException when it holds what no dead letter may
     */
    public static DeadLetter letter(Stored<DeadLetterRecord> stored) {
        return SharedValues.value(
                stored, read -> letter(DeadLetterKey.read(read.key()), read.record(), read.revision()));
    }

    private static DeadLetter letter(DeadLetterId id, DeadLetterRecord record, long revision) {
        return new DeadLetter(
                id,
                revision,
                new DeliveryId(id.partition(), record.getIncarnation(), record.getDelivery()),
                SharedValues.bytes(record.getPayload()),
                SharedValues.attributes(record.getAttributes()),
                record.getReason(),
                record.getHandOuts(),
                record.getFailuresList().stream()
                        .map(nack -> new DeadLetter.Failure(Millis.instant(nack.getAtMillis()), nack.getReason()))
                        .toList(),
                Millis.instant(record.getOpenedAtMillis()),
                Millis.instant(record.getDeadAtMillis()),
                record.hasTask() ? Optional.of(new TaskId(record.getTask())) : Optional.empty());
    }

    private static List<Bytes> listing(DeadLetterId id, long deadAt) {
        return List.of(
                DeadLetterKey.byTime(deadAt, id),
                DeadLetterKey.byTopic(deadAt, id),
                DeadLetterKey.bySubscriber(deadAt, id));
    }
}
