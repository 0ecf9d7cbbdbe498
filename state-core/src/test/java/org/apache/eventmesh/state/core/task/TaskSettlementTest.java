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
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.delivery.Refused.How;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.task.TaskState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class TaskSettlementTest {
    @ParameterizedTest
    @EnumSource(TaskState.class)
    void required_T09_an_ack_makes_a_submitted_task_working_and_leaves_every_other(TaskState state) {
        assertThat(after(state, How.ACKED))
                .isEqualTo(
                        state.isFinal()
                                ? Optional.empty()
                                : Optional.of(state == TaskState.SUBMITTED ? TaskState.WORKING : state));
    }

    /** The agent may move its task before it acknowledges the delivery. */
    @ParameterizedTest
    @EnumSource(
            value = TaskState.class,
            names = {"WORKING", "INPUT_REQUIRED", "AUTH_REQUIRED"})
    void required_G09_T09_an_ack_of_a_task_that_was_moved_before_frees_the_room_of_the_letter(TaskState state) {
        TaskRecord record = TaskSamples.in(state);

        TaskWrite write = settle(record, TaskSamples.PARTITION, TaskSamples.DELIVERY, How.ACKED, "")
                .orElseThrow();

        TaskRecord.Builder noted = record.toBuilder();
        noted.getDeliveryBuilder().setSettled(true);
        assertThat(write.record()).as("all else stays, the version too").isEqualTo(noted.build());
        assertThat(write.changes()).containsExactly(Records.TASK.put(TaskKey.bytes(TaskSamples.ID), noted.build()));
        assertThat(settle(write.record(), TaskSamples.PARTITION, TaskSamples.DELIVERY, How.ACKED, ""))
                .as("once")
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TaskState.class)
    void required_T09_a_dead_letter_fails_what_is_unfinished(TaskState state) {
        assertThat(after(state, How.DEAD_LETTERED))
                .isEqualTo(state.isFinal() ? Optional.empty() : Optional.of(TaskState.FAILED));
    }

    @ParameterizedTest
    @EnumSource(TaskState.class)
    void required_T09_a_withdrawal_rejects_what_is_unfinished(TaskState state) {
        assertThat(after(state, How.WITHDRAWN))
                .isEqualTo(state.isFinal() ? Optional.empty() : Optional.of(TaskState.REJECTED));
    }

    @Test
    void the_version_rises_and_the_history_says_why() {
        TaskWrite write = settle(
                        TaskSamples.in(TaskState.SUBMITTED),
                        TaskSamples.PARTITION,
                        TaskSamples.DELIVERY,
                        How.DEAD_LETTERED,
                        "broken")
                .orElseThrow();

        assertThat(write.record().getVersion()).isEqualTo(2);
        assertThat(write.record().getDelivery().getSettled()).isTrue();
        assertThat(TaskRecords.task(TaskSamples.ID, write.record())
                        .history()
                        .get(1)
                        .note())
                .isEqualTo("broken");
    }

    @Test
    void a_delivery_of_an_earlier_task_of_the_same_id_moves_nothing() {
        TaskRecord record = TaskSamples.in(TaskState.SUBMITTED);

        assertThat(settle(record, TaskSamples.PARTITION, TaskSamples.DELIVERY - 1, How.ACKED, ""))
                .isEmpty();
        assertThat(settle(record, new Partition("tasks", 4), TaskSamples.DELIVERY, How.ACKED, ""))
                .isEmpty();
        assertThat(settle(record, new Partition("task", 3), TaskSamples.DELIVERY, How.ACKED, ""))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(TaskState.class)
    void required_T09_a_task_awaits_its_own_delivery_until_it_is_final(TaskState state) {
        Optional<TaskRecord> task = Optional.of(TaskSamples.in(state));

        assertThat(TaskSettlement.awaits(task, TaskSamples.PARTITION, TaskSamples.DELIVERY))
                .isEqualTo(!state.isFinal());
        assertThat(TaskSettlement.awaits(task, TaskSamples.PARTITION, TaskSamples.DELIVERY + 1))
                .isFalse();
        assertThat(TaskSettlement.awaits(Optional.empty(), TaskSamples.PARTITION, TaskSamples.DELIVERY))
                .isFalse();
    }

    @Test
    void a_state_of_a_later_version_is_left_alone() {
        TaskRecord record =
                TaskSamples.in(TaskState.WORKING).toBuilder().setStateValue(99).build();

        assertThat(settle(record, TaskSamples.PARTITION, TaskSamples.DELIVERY, How.WITHDRAWN, ""))
                .isEmpty();
    }

    @Test
    void a_long_reason_is_cut_between_characters() {
        String reason = "x".repeat(1023) + "😀" + "y".repeat(100);

        TaskWrite write = settle(
                        TaskSamples.in(TaskState.WORKING),
                        TaskSamples.PARTITION,
                        TaskSamples.DELIVERY,
                        How.DEAD_LETTERED,
                        reason)
                .orElseThrow();

        assertThat(write.record().getHistory(1).getNote()).isEqualTo("x".repeat(1023));
    }

    private static Optional<TaskState> after(TaskState state, How how) {
        return settle(TaskSamples.in(state), TaskSamples.PARTITION, TaskSamples.DELIVERY, how, "reason")
                .map(write -> TaskStates.of(write.record()));
    }

    private static Optional<TaskWrite> settle(
            TaskRecord record, Partition partition, long number, How how, String reason) {
        return TaskSettlement.settled(TaskSamples.ID, record, partition, number, how, reason, 2000);
    }
}
