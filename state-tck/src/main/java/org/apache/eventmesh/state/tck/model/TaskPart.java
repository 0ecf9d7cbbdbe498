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
package org.apache.eventmesh.state.tck.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** A few tasks. */
public final class TaskPart {
    static final int TASKS = 3;

    private static final Carrier CARRIER =
            new Carrier(Subscriber.group("queue"), Optional.empty(), Duration.ofHours(1));

    private static final class Model {
        private final Owned<OwnedTask> owned = new Owned<>();
        private final List<TaskState> history = new ArrayList<>();
        private final List<Task> versions = new ArrayList<>();
        private int content;
        private String output = "";

        private boolean exists() {
            return !history.isEmpty();
        }

        private TaskState state() {
            return history.get(history.size() - 1);
        }

        private boolean has(int back) {
            return versions.size() > back;
        }

        private Task read(int back) {
            return versions.get(versions.size() - 1 - back);
        }

        private String expected(int back, TaskState to) {
            if (back > 0) {
                return "conflict";
            }
            return state().mayBecome(to) ? "moved" : "notallowed";
        }

        private void moved(TransitionResult told) {
            if (told instanceof TransitionResult.Moved now) {
                versions.add(now.task());
                // staying what it is is no step
                if (now.task().state() != state()) {
                    history.add(now.task().state());
                }
            }
        }
    }

    private final World world;
    private final Partition partition;
    private final Owned<Shard> shard = new Owned<>();
    private final List<Model> tasks = new ArrayList<>();

    TaskPart(World world) {
        this.world = world;
        this.partition = new Partition(world.name("work"), 0);
        for (int n = 0; n < TASKS; n++) {
            tasks.add(new Model());
        }
    }

    private TaskId id(int task) {
        return new TaskId(world.name("task-" + task));
    }

    /** Under a shard that is taken over for it. */
    public void create(int at, int task, int content) {
        int life = world.life(at);
        shard.claimed(life, get(world.stores(at).deliveries().takeOver(world.member(at), partition)));
        NewTask wanted = new NewTask(
                id(task),
                new AgentId(world.name("agent")),
                Optional.empty(),
                Optional.empty(),
                Bytes.utf8("content " + content),
                Attributes.NONE);
        Model model = tasks.get(task);
        CreateResult told =
                get(world.stores(at).tasks().create(shard.handle(life).orElseThrow(), wanted, CARRIER));
        String known = model.content == content ? "existing" : "conflict";
        assertThat(Answers.of(told)).isEqualTo(model.exists() ? known : "created");
        if (told instanceof CreateResult.Created created) {
            model.content = content;
            model.history.add(TaskState.SUBMITTED);
            model.versions.add(created.task());
            model.owned.claimed(life, created.owned());
        }
    }

    public void takeOver(int at, int task) {
        Model model = tasks.get(task);
        if (model.exists()) {
            model.owned.claimed(world.life(at), get(world.stores(at).tasks().takeOver(world.member(at), id(task))));
        }
    }

    public void release(int at, int task) {
        Model model = tasks.get(task);
        model.owned.handle(world.life(at)).ifPresent(mine -> {
            get(mine.release());
            model.owned.released(world.life(at));
        });
    }

    /**
     * Cancels a task.
     *
     * @param back how many versions ago it was read
     */
    public void move(int at, int task, int back, TaskState to, boolean output) {
        Model model = tasks.get(task);
        if (!model.has(back)) {
            return;
        }
        model.owned.handle(world.life(at)).ifPresent(mine -> {
            TaskChange change = TaskChange.to(to);
            String said = "output of " + model.versions.size();
            TransitionResult told = get(mine.move(model.read(back), output ? change.output(Bytes.utf8(said)) : change));
            boolean fenced = model.owned.isFenced(world.life(at));
            assertThat(Answers.of(told)).isEqualTo(fenced ? Answers.FENCED : model.expected(back, to));
            if (told instanceof TransitionResult.Moved && output) {
                model.output = said;
            }
            model.moved(told);
        });
    }

    public void cancel(int at, int task, int back) {
        Model model = tasks.get(task);
        if (model.has(back)) {
            TransitionResult told = get(
                    world.stores(at).tasks().cancel(id(task), model.read(back).version(), "no more"));
            assertThat(Answers.of(told)).isEqualTo(model.expected(back, TaskState.CANCELED));
            model.moved(told);
        }
    }

    public void find(int at, int task) {
        Model model = tasks.get(task);
        Optional<Task> found = get(world.stores(at).tasks().find(id(task)));
        assertThat(found.map(TaskPart::shown)).isEqualTo(shown(model));
    }

    private static String shown(Task task) {
        return task.input().toUtf8() + " "
                + task.history().stream().map(Task.Step::state).toList() + " "
                + task.output().map(Bytes::toUtf8).orElse("");
    }

    private static Optional<String> shown(Model model) {
        return model.exists()
                ? Optional.of("content " + model.content + " " + model.history + " " + model.output)
                : Optional.empty();
    }

    void compare() {
        for (int task = 0; task < TASKS; task++) {
            find(0, task);
        }
        long told = get(world.stores(0)
                        .tasks()
                        .list(TaskFilter.agent(new AgentId(world.name("agent"))), PageRequest.first(100)))
                .items()
                .size();
        assertThat(told)
                .as("tasks of the agent")
                .isEqualTo(tasks.stream().filter(Model::exists).count());
    }
}
