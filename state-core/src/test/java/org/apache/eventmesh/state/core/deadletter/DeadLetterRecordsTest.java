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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.Failure;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DeadLetterRecordsTest {
    private static final Partition PARTITION = new Partition("orders", 3);
    private static final Subscriber BILLING = Subscriber.group("billing");
    private static final DeliveryRecord STATE = DeliveryRecord.newBuilder()
            .setEpoch(9)
            .setHandOuts(3)
            .setFailureCount(2)
            .addFailures(failure(1100, "first"))
            .addFailures(failure(1200, "second"))
            .setOpenedAtMillis(1000)
            .build();
    private static final MessageRecord MESSAGE = MessageRecord.newBuilder()
            .setOffset(101)
            .setPayload(SharedValues.bytes(Bytes.utf8("payload")))
            .setAttributes(SharedValues.attributes(Attributes.of("tenant", "acme")))
            .build();

    @Test
    void required_L02_keeps_payload_attributes_reason_attempts_failures_and_times() {
        DeadLetterId id = DeadLetterRecords.id(delivery(DeliveryKind.ORDERED, 101, 70_001));
        DeadLetterRecord record = record(DeliveryKind.ORDERED, STATE, 1300);

        DeadLetter letter = DeadLetterRecords.letter(new Stored<>(DeadLetterKey.bytes(id), record, 42));

        assertThat(letter.id()).isEqualTo(new DeadLetterId(PARTITION, 101, BILLING));
        assertThat(letter.revision()).isEqualTo(42);
        assertThat(letter.delivery()).isEqualTo(new DeliveryId(PARTITION, "incarnation", 70_001));
        assertThat(letter.payload()).isEqualTo(Bytes.utf8("payload"));
        assertThat(letter.attributes()).isEqualTo(Attributes.of("tenant", "acme"));
        assertThat(letter.reason()).isEqualTo("given up");
        assertThat(letter.handOuts()).isEqualTo(3);
        assertThat(letter.failures()).extracting(DeadLetter.Failure::reason).containsExactly("first", "second");
        assertThat(letter.openedAt().toEpochMilli()).isEqualTo(1000);
        assertThat(letter.deadAt().toEpochMilli()).isEqualTo(1300);
        assertThat(letter.task()).isEmpty();
    }

    @Test
    void required_L02_the_same_message_has_one_id_under_every_delivery_that_carries_it() {
        assertThat(DeadLetterRecords.id(delivery(DeliveryKind.REPLAY, 101, 70_009)))
                .isEqualTo(DeadLetterRecords.id(delivery(DeliveryKind.ORDERED, 101, 70_001)));
        assertThat(DeadLetterRecords.id(delivery(DeliveryKind.UNORDERED, 101, 70_001)))
                .isEqualTo(new DeadLetterId(PARTITION, 101, BILLING));
    }

    @Test
    void tasks_in_one_queue_are_given_up_under_ids_of_their_own() {
        DeadLetterId one = DeadLetterRecords.id(delivery(DeliveryKind.TASK, 0, 70_001));
        DeadLetterId other = DeadLetterRecords.id(delivery(DeliveryKind.TASK, 0, 70_002));

        assertThat(one).isNotEqualTo(other);
        assertThat(one.offset()).isGreaterThan(1L << 61);
        DeliveryRecord carrying = STATE.toBuilder().setTask("t").build();
        assertThat(DeadLetterRecords.letter(
                                new Stored<>(DeadLetterKey.bytes(one), record(DeliveryKind.TASK, carrying, 1300), 1))
                        .task())
                .contains(new TaskId("t"));
    }

    @Test
    void a_record_that_replaces_another_leaves_no_key_of_it() {
        DeadLetterId id = new DeadLetterId(PARTITION, 101, BILLING);
        DeadLetterRecord first = record(DeliveryKind.ORDERED, STATE, 1300);
        DeadLetterRecord second = record(DeliveryKind.ORDERED, STATE, 1400);
        Set<Bytes> keys = new TreeSet<>();

        apply(keys, DeadLetterRecords.put(id, first, Optional.empty()));
        assertThat(keys).hasSize(4);
        apply(keys, DeadLetterRecords.put(id, second, Optional.of(first)));
        assertThat(keys).hasSize(4).contains(DeadLetterKey.byTime(1400, id));
        apply(keys, DeadLetterRecords.put(id, second, Optional.of(second)));
        assertThat(keys).hasSize(4);
        apply(keys, DeadLetterRecords.removal(id, 1400));
        assertThat(keys).isEmpty();
    }

    @Test
    void required_G08_a_record_that_holds_what_no_letter_may_is_named() {
        DeadLetterId id = new DeadLetterId(PARTITION, 101, BILLING);
        DeadLetterRecord strange = record(DeliveryKind.ORDERED, STATE, 1300).toBuilder()
                .setTask("")
                .build();

        assertThatThrownBy(() -> DeadLetterRecords.letter(new Stored<>(DeadLetterKey.bytes(id), strange, 1)))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("orders")
                .hasMessageContaining("101");
    }

    private static DeadLetterRecord record(DeliveryKind kind, DeliveryRecord state, long now) {
        return DeadLetterRecords.record(delivery(kind, 101, 70_001), "incarnation", state, MESSAGE, "given up", now);
    }

    private static DeliveryKey delivery(DeliveryKind kind, long offset, long number) {
        return new DeliveryKey(PARTITION, number, kind, offset, 7, BILLING);
    }

    private static Failure failure(long at, String reason) {
        return Failure.newBuilder().setAtMillis(at).setReason(reason).build();
    }

    private static void apply(Set<Bytes> keys, List<Change> changes) {
        assertThat(changes).extracting(Change::key).doesNotHaveDuplicates();
        for (Change change : changes) {
            if (change instanceof Change.Put) {
                keys.add(change.key());
            } else {
                keys.remove(change.key());
            }
        }
    }

    @Test
    void the_letter_of_a_task_has_a_place_of_its_own_beyond_all_offsets() {
        Partition partition = new Partition("orders", 3);
        Subscriber queue = Subscriber.group("queue");

        assertThat(DeadLetterRecords.id(new DeliveryKey(partition, 7, DeliveryKind.TASK, 0, 6, queue)))
                .isEqualTo(new DeadLetterId(partition, (1L << 62) + 7, queue));
        assertThat(DeadLetterRecords.id(new DeliveryKey(partition, 7, DeliveryKind.ORDERED, 5, 6, queue)))
                .isEqualTo(new DeadLetterId(partition, 5, queue));
    }
}
