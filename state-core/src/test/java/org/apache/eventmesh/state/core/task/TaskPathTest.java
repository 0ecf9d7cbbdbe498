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
import java.util.stream.Stream;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class TaskPathTest {
    private static final TaskRecord WHOLE = TaskSamples.in(TaskState.WORKING);
    private static final TaskRecord PLAIN =
            TaskSamples.created(TaskSamples.plain("p"), 1000).record();

    /** A path, the table that it is read from, the name that it stands under, and whether the whole task is on it. */
    static Stream<Arguments> paths() {
        return Stream.of(
                Arguments.of(new TaskFilter.OfAgent(new AgentId("agent")), Table.TASK_BY_AGENT, "agent", true),
                Arguments.of(new TaskFilter.OfAgent(new AgentId("agen")), Table.TASK_BY_AGENT, "agen", false),
                Arguments.of(new TaskFilter.OfContext("context"), Table.TASK_BY_CONTEXT, "context", true),
                Arguments.of(new TaskFilter.OfContext("other"), Table.TASK_BY_CONTEXT, "other", false),
                Arguments.of(new TaskFilter.OfParent(new TaskId("parent")), Table.TASK_BY_PARENT, "parent", true),
                Arguments.of(new TaskFilter.OfParent(new TaskId("other")), Table.TASK_BY_PARENT, "other", false));
    }

    @ParameterizedTest
    @MethodSource("paths")
    void required_T06_a_path_reads_the_keys_of_its_name_alone(
            TaskFilter.By by, Table table, String name, boolean unused) {
        TaskPath path = new TaskPath(new TaskFilter(by, Optional.empty()));

        assertThat(path.table()).isEqualTo(table);
        assertThat(path.range().contains(key(table, name))).isTrue();
        assertThat(path.range().contains(key(table, name + "2"))).isFalse();
        assertThat(path.range().contains(key(table, "a"))).isFalse();
        assertThat(path.read(key(table, name))).isEqualTo(TaskSamples.ID);
    }

    private static Bytes key(Table table, String name) {
        return KeyWriter.of(table).text(name).text(TaskSamples.ID.value()).key();
    }

    @ParameterizedTest
    @MethodSource("paths")
    void required_T06_what_has_left_the_path_since_is_not_wanted(
            TaskFilter.By by, Table table, String name, boolean wanted) {
        assertThat(new TaskPath(new TaskFilter(by, Optional.empty())).wants(WHOLE))
                .isEqualTo(wanted);
        assertThat(new TaskPath(new TaskFilter(by, Optional.of(TaskState.WORKING))).wants(WHOLE))
                .isEqualTo(wanted);
        assertThat(new TaskPath(new TaskFilter(by, Optional.of(TaskState.FAILED))).wants(WHOLE))
                .isFalse();
    }

    @Test
    void required_T06_a_task_without_context_and_parent_is_on_no_such_path() {
        assertThat(new TaskPath(new TaskFilter(new TaskFilter.OfContext("context"), Optional.empty())).wants(PLAIN))
                .isFalse();
        assertThat(new TaskPath(new TaskFilter(new TaskFilter.OfParent(new TaskId("parent")), Optional.empty()))
                        .wants(PLAIN))
                .isFalse();
        assertThat(new TaskPath(new TaskFilter(new TaskFilter.Any(), Optional.empty())).wants(PLAIN))
                .isTrue();
    }
}
