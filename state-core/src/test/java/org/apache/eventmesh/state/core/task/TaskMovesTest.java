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

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.apache.eventmesh.state.task.TaskState.AUTH_REQUIRED;
import static org.apache.eventmesh.state.task.TaskState.CANCELED;
import static org.apache.eventmesh.state.task.TaskState.COMPLETED;
import static org.apache.eventmesh.state.task.TaskState.FAILED;
import static org.apache.eventmesh.state.task.TaskState.INPUT_REQUIRED;
import static org.apache.eventmesh.state.task.TaskState.REJECTED;
import static org.apache.eventmesh.state.task.TaskState.SUBMITTED;
import static org.apache.eventmesh.state.task.TaskState.WORKING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class TaskMovesTest {
    /** Written out from T02, not from the code: what each state may become. */
    static Set<TaskState> successors(TaskState from) {
        return switch (from) {
            case SUBMITTED -> EnumSet.allOf(TaskState.class);
            case WORKING, INPUT_REQUIRED, AUTH_REQUIRED ->
                EnumSet.of(WORKING, INPUT_REQUIRED, AUTH_REQUIRED, COMPLETED, FAILED, CANCELED, REJECTED);
            case COMPLETED, FAILED, CANCELED, REJECTED -> EnumSet.noneOf(TaskState.class);
        };
    }

    static Stream<Arguments> pairs() {
        return Stream.of(TaskState.values())
                .flatMap(from -> Stream.of(TaskState.values()).map(to -> arguments(from, to)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void required_T02_every_pair_of_states(TaskState from, TaskState to) {
        TaskRecord record = TaskSamples.in(from);

        assertThat(TaskMoves.allowed(record, to)).isEqualTo(successors(from).contains(to));
        if (TaskMoves.allowed(record, to)) {
            Task after = TaskRecords.task(
                    TaskSamples.ID,
                    TaskMoves.moved(TaskSamples.ID, record, TaskChange.to(to), 2000)
                            .record());
            assertThat(after.state()).isEqualTo(to);
            assertThat(after.version()).isEqualTo(2);
            assertThat(after.changedAt().toEpochMilli()).isEqualTo(2000);
            assertThat(after.createdAt().toEpochMilli()).isEqualTo(1000);
        }
    }

    @Test
    void a_state_of_a_later_version_allows_no_move_and_is_not_final() {
        TaskRecord record =
                TaskSamples.in(WORKING).toBuilder().setStateValue(99).build();

        for (TaskState to : TaskState.values()) {
            assertThat(TaskMoves.allowed(record, to)).isFalse();
        }
        assertThat(TaskMoves.finished(record)).isFalse();
    }

    @Test
    void required_T05_a_move_without_output_erases_nothing_and_artifacts_add_up() {
        TaskRecord record = TaskSamples.created(TaskSamples.whole(), 1000).record();
        record = move(record, TaskChange.to(WORKING).output(Bytes.utf8("half")).artifact(Bytes.utf8("a")));
        record = move(record, TaskChange.to(WORKING).artifact(Bytes.utf8("b")).artifact(Bytes.EMPTY));
        record = move(record, TaskChange.to(COMPLETED).note("done"));

        Task task = TaskRecords.task(TaskSamples.ID, record);
        assertThat(task.output()).contains(Bytes.utf8("half"));
        assertThat(task.artifacts()).containsExactly(Bytes.utf8("a"), Bytes.utf8("b"), Bytes.EMPTY);
        assertThat(task.input()).isEqualTo(Bytes.utf8("in"));
        assertThat(task.attributes().values()).containsEntry("tenant", "acme");
        assertThat(task.version()).isEqualTo(4);
        assertThat(task.history()).extracting(Task.Step::state).containsExactly(SUBMITTED, WORKING, COMPLETED);
        assertThat(task.history().get(2).note()).isEqualTo("done");
    }

    @Test
    void required_T05_an_empty_output_is_an_output() {
        TaskRecord record = TaskSamples.created(TaskSamples.whole(), 1000).record();
        assertThat(TaskRecords.task(TaskSamples.ID, record).output()).isEmpty();

        record = move(record, TaskChange.to(COMPLETED).output(Bytes.EMPTY));

        assertThat(TaskRecords.task(TaskSamples.ID, record).output()).isEqualTo(Optional.of(Bytes.EMPTY));
    }

    @Test
    void required_T05_a_note_without_a_new_state_is_kept() {
        TaskRecord record = TaskSamples.in(WORKING);
        int before = record.getHistoryCount();

        record = move(record, TaskChange.to(WORKING).note("half of it is done"));
        record = move(record, TaskChange.to(WORKING));

        assertThat(TaskRecords.task(TaskSamples.ID, record).history())
                .hasSize(before + 1)
                .endsWith(new Task.Step(WORKING, Instant.ofEpochMilli(2000), "half of it is done"));
    }

    @Test
    void unknown_fields_survive_a_move() throws Exception {
        byte[] newer = new byte[] {(byte) 0xFA, 0x3E, 1, 7}; // field 1007, length 1
        TaskRecord record = TaskSamples.in(WORKING).toBuilder().mergeFrom(newer).build();

        TaskRecord after = move(record, TaskChange.to(COMPLETED));

        assertThat(after.getUnknownFields()).isEqualTo(record.getUnknownFields());
        assertThat(after.getUnknownFields().asMap()).containsKey(1007);
    }

    @Test
    void the_keys_that_list_a_task_always_follow_from_its_record() {
        KeySpace keys = new KeySpace();
        TaskWrite write = TaskSamples.created(TaskSamples.whole(), 1000);
        keys.apply(write.changes());
        List<TaskState> way = List.of(SUBMITTED, WORKING, INPUT_REQUIRED, WORKING, WORKING, AUTH_REQUIRED, CANCELED);
        long now = 1000;
        for (TaskState to : way) {
            write = TaskMoves.moved(TaskSamples.ID, write.record(), TaskChange.to(to), now);
            keys.apply(write.changes());
            assertThat(keys.all()).isEqualTo(KeySpace.of(TaskSamples.ID, write.record()));
            now += now % 2 * 500 + 1; // also two moves in one millisecond
        }
        keys.apply(TaskRecords.removal(TaskSamples.ID, write.record()));
        assertThat(keys.all()).isEmpty();
    }

    private static TaskRecord move(TaskRecord record, TaskChange change) {
        return TaskMoves.moved(TaskSamples.ID, record, change, 2000).record();
    }
}
