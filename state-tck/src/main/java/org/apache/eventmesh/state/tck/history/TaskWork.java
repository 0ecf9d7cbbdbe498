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
package org.apache.eventmesh.state.tck.history;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** A few tasks at a time, which all instances create, move, cancel and take from each other. */
final class TaskWork implements Work {
    private static final Carrier CARRIER =
            new Carrier(Subscriber.group("agents"), Optional.empty(), Duration.ofHours(1));

    /** More of these than of final states, so that tasks live for some calls. */
    private static final List<TaskState> UNFINISHED =
            List.of(TaskState.WORKING, TaskState.INPUT_REQUIRED, TaskState.AUTH_REQUIRED);

    /** The latest tasks, which calls are about. */
    private static final int AT_ONCE = 3;

    /** A task of one life. */
    private record Mine(Life life, TaskId task) {}

    private final String name;
    private final Recorder<TaskId, TaskInput, Object> recorder = new Recorder<>();
    private final Owners<TaskId> owners = new Owners<>(recorder);
    private final AtomicInteger tasks = new AtomicInteger(AT_ONCE);
    private final Map<Life, Shard> shards = new ConcurrentHashMap<>();
    private final Map<Mine, OwnedTask> owned = new ConcurrentHashMap<>();
    private final Map<TaskId, Task> seen = new ConcurrentHashMap<>();

    TaskWork(String name) {
        this.name = name;
    }

    @Override
    public void begin(Caller first) {}

    @Override
    public void step(Caller caller) {
        int dice = caller.random().nextInt(100);
        int newest = dice < 4 ? tasks.incrementAndGet() : tasks.get();
        TaskId id = new TaskId(name + "-task-" + (newest - caller.random().nextInt(AT_ONCE)));
        Life life = caller.life();
        Task asRead = seen.get(id);
        OwnedTask ours = owned.get(new Mine(life, id));
        if (asRead == null || dice < 15) {
            create(caller, life, id);
        } else if (dice < (ours == null ? 60 : 25)) {
            own(caller, life, id);
        } else if (ours != null && dice < 27) {
            owners.release(caller, life, id, ours);
        } else if (ours != null && dice < 65) {
            move(caller, life, ours, asRead);
        } else if (dice < 72) {
            cancel(caller, life, asRead);
        } else {
            find(caller, life, id);
        }
    }

    /** Under a partition of the life's own: nobody fights for it. */
    private void create(Caller caller, Life life, TaskId id) {
        var stores = life.instance().stores();
        if (!shards.containsKey(life)) {
            Partition own = new Partition(name + "-work-" + life.instance().name(), 0);
            life.ask(stores.deliveries().takeOver(life.instance().member(), own))
                    .value()
                    .ifPresent(shard -> shards.put(life, shard));
        }
        Shard shard = shards.get(life);
        if (shard == null) {
            return;
        }
        NewTask task = new NewTask(
                id, new AgentId("agent"), Optional.empty(), Optional.empty(), Bytes.utf8("input"), Attributes.NONE);
        var begun = recorder.begin(caller.name());
        Answer<CreateResult> answer = life.ask(stores.tasks().create(shard, task, CARRIER));
        begun.ended();
        begun.told(id, new TaskInput.Create(life.instance().member().holder()), answer);
        answer.value().ifPresent(told -> {
            if (told instanceof CreateResult.Created created) {
                owned.put(new Mine(life, id), created.owned());
                seen.put(id, created.task());
            } else if (told instanceof CreateResult.Existing existing) {
                seen.put(id, existing.task());
            }
        });
    }

    private void own(Caller caller, Life life, TaskId id) {
        var store = life.instance().stores().tasks();
        Optional<OwnedTask> ours = caller.onceIn(2)
                ? owners.takeOver(caller, life, id, member -> store.takeOver(member, id))
                : owners.claim(caller, life, id, member -> store.claim(member, id));
        ours.ifPresent(task -> owned.put(new Mine(life, id), task));
    }

    private void move(Caller caller, Life life, OwnedTask ours, Task asRead) {
        List<TaskState> states = caller.onceIn(8) ? List.of(TaskState.values()) : UNFINISHED;
        TaskState to = states.get(caller.random().nextInt(states.size()));
        var begun = recorder.begin(caller.name());
        Answer<TransitionResult> answer = life.ask(ours.move(asRead, TaskChange.to(to)));
        begun.ended();
        begun.told(asRead.id(), new TaskInput.Move(ours.token(), asRead.version(), to), answer);
        learn(answer);
    }

    private void cancel(Caller caller, Life life, Task asRead) {
        var begun = recorder.begin(caller.name());
        Answer<TransitionResult> answer =
                life.ask(life.instance().stores().tasks().cancel(asRead.id(), asRead.version(), "no more"));
        begun.ended();
        begun.told(asRead.id(), new TaskInput.Cancel(asRead.version()), answer);
        learn(answer);
    }

    private void learn(Answer<TransitionResult> answer) {
        answer.value().ifPresent(told -> {
            if (told instanceof TransitionResult.Moved moved) {
                seen.put(moved.task().id(), moved.task());
            } else if (told instanceof TransitionResult.Conflict conflict) {
                seen.put(conflict.current().id(), conflict.current());
            }
        });
    }

    private void find(Caller caller, Life life, TaskId id) {
        var begun = recorder.begin(caller.name());
        Answer<Optional<Task>> answer =
                life.ask(life.instance().stores().tasks().find(id));
        begun.ended();
        answer.value().ifPresent(found -> {
            begun.answered(id, new TaskInput.Find(), found);
            found.ifPresent(task -> seen.put(id, task));
        });
    }

    @Override
    public void end(Caller last) {
        for (TaskId id : recorder.things()) {
            find(last, last.life(), id);
            own(last, last.life(), id);
            Judgement.epochsRise(id.toString(), recorder.about(id));
            Judgement.linearizable(id.toString(), new TaskSpec(), recorder.about(id));
        }
    }

    @Override
    public Tally tally() {
        return recorder.tally();
    }
}
