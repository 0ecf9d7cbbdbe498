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
package org.apache.eventmesh.state.tck.contract;

import java.time.Duration;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TaskStore;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** T02, T03, T05: how a task moves. */
public interface TaskMoveRules extends Rules {
    @Test
    default void required_T02_a_move_that_the_states_forbid_is_refused_with_the_task() {
        Instance a = open("A");
        for (TaskState from : TaskState.values()) {
            for (TaskState to : TaskState.values()) {
                Scene scene = new Scene(from + "-" + to, a);
                Task task = from == TaskState.SUBMITTED
                        ? scene.task
                        : ((TransitionResult.Moved) get(scene.ownedTask.move(scene.task, TaskChange.to(from)))).task();

                TransitionResult result = get(scene.ownedTask.move(task, TaskChange.to(to)));

                if (from.mayBecome(to)) {
                    assertThat(((TransitionResult.Moved) result).task().state()).isEqualTo(to);
                    assertThat(((TransitionResult.Moved) result).task().version())
                            .isGreaterThan(task.version());
                } else {
                    assertThat(result).isEqualTo(new TransitionResult.NotAllowed(task));
                }
            }
            passTime(Duration.ofMillis(1));
        }
    }

    @Test
    default void required_T03_a_move_under_an_old_version_is_a_conflict_with_the_task_as_it_is() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Task moved = ((TransitionResult.Moved) get(scene.ownedTask.move(scene.task, TaskChange.to(TaskState.WORKING))))
                .task();

        assertThat(get(scene.ownedTask.move(scene.task, TaskChange.to(TaskState.COMPLETED))))
                .isEqualTo(new TransitionResult.Conflict(moved));
        assertThat(get(a.stores().tasks().find(scene.task.id()))).contains(moved);
    }

    @Test
    default void required_T03_cancel_needs_the_version_alone() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        TaskStore elsewhere = open("B").stores().tasks();

        TransitionResult result = get(elsewhere.cancel(scene.task.id(), scene.task.version(), "not needed"));

        Task canceled = ((TransitionResult.Moved) result).task();
        assertThat(canceled.state()).isEqualTo(TaskState.CANCELED);
        assertThat(canceled.version()).isGreaterThan(scene.task.version());
        assertThat(get(elsewhere.cancel(scene.task.id(), scene.task.version(), "again")))
                .isEqualTo(new TransitionResult.Conflict(canceled));
        assertThat(get(elsewhere.cancel(new TaskId("nobody"), 1, "x"))).isEqualTo(new TransitionResult.NotFound());
    }

    @Test
    default void scenario_13_a_task_is_cancelled_then_the_reply_arrives_and_it_stays_canceled() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Task working = ((TransitionResult.Moved)
                        get(scene.ownedTask.move(scene.task, TaskChange.to(TaskState.WORKING))))
                .task();
        Task canceled = ((TransitionResult.Moved)
                        get(a.stores().tasks().cancel(working.id(), working.version(), "client")))
                .task();
        TaskChange reply = TaskChange.to(TaskState.COMPLETED).output(Bytes.utf8("late"));

        assertThat(get(scene.ownedTask.move(working, reply))).isEqualTo(new TransitionResult.Conflict(canceled));
        assertThat(get(scene.ownedTask.move(canceled, reply))).isEqualTo(new TransitionResult.NotAllowed(canceled));
        assertThat(get(a.stores().tasks().find(working.id()))).contains(canceled);
    }

    @Test
    default void required_T05_what_a_move_does_not_bring_stays() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Task task = moved(
                scene,
                scene.task,
                TaskChange.to(TaskState.WORKING).output(Bytes.EMPTY).note("begun"));
        assertThat(task.output()).as("an empty output stays an empty one").contains(Bytes.EMPTY);
        task = moved(scene, task, TaskChange.to(TaskState.WORKING).artifact(Bytes.utf8("one")));
        task = moved(scene, task, TaskChange.to(TaskState.INPUT_REQUIRED).artifact(Bytes.utf8("two")));

        assertThat(task.output()).contains(Bytes.EMPTY);
        assertThat(task.artifacts()).containsExactly(Bytes.utf8("one"), Bytes.utf8("two"));
        assertThat(task.input()).isEqualTo(Bytes.utf8("input"));
        assertThat(task.attributes()).isEqualTo(scene.task.attributes());
        assertThat(task.history())
                .extracting(Task.Step::state)
                .containsSubsequence(TaskState.SUBMITTED, TaskState.WORKING, TaskState.INPUT_REQUIRED);
        assertThat(task.history()).extracting(Task.Step::note).contains("begun");
        assertThat(get(a.stores().tasks().find(task.id()))).contains(task);
    }

    private Task moved(Scene scene, Task task, TaskChange change) {
        return ((TransitionResult.Moved) get(scene.ownedTask.move(task, change))).task();
    }
}
