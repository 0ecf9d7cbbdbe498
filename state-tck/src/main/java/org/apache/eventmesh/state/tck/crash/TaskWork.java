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
package org.apache.eventmesh.state.tck.crash;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;

/** Tasks: created with their delivery, begun by its ack or canceled before it, and finished. */
final class TaskWork {
    private final Promises promises;
    private final Consumer<Held> held;
    private final Life life;
    private final Shard shard;
    private final Queue<OwnedTask> working = new ConcurrentLinkedQueue<>();
    private long next;

    TaskWork(Promises promises, Consumer<Held> held, Life life) {
        this.promises = promises;
        this.held = held;
        this.life = life;
        this.shard = life.shard(Plan.TASKS);
    }

    void from(long number) {
        next = number;
    }

    /** What an earlier life left unfinished. */
    void takeUp() {
        Map<TaskId, Delivery> carried = Pages.open(life.stores(), Plan.TASKS).stream()
                .collect(Collectors.toMap(delivery -> delivery.task().orElseThrow(), Function.identity()));
        for (TaskState state : List.of(TaskState.SUBMITTED, TaskState.WORKING, TaskState.CANCELED)) {
            for (Task task : Pages.all(
                    page -> life.stores().tasks().list(TaskFilter.all().in(state), page))) {
                Delivery delivery = carried.get(task.id());
                if (delivery == null && state == TaskState.CANCELED) {
                    continue;
                }
                OwnedTask owned = Await.result(life.stores().tasks().takeOver(life.member(), task.id()));
                Life.say("epoch " + task.id().value() + " " + owned.token().epoch());
                if (delivery == null) {
                    working.add(owned);
                } else {
                    Held.of(shard, delivery, Optional.of(owned)).ifPresent(held);
                }
            }
        }
    }

    void create() {
        NewTask task = Plan.task(next++);
        Carrier carrier = new Carrier(Plan.QUEUE, Optional.of(Plan.ALICE), Plan.LONG);
        String delivery = "delivery/" + Plan.TASKS.topic() + "/" + task.id().value();
        Map<String, String> asked =
                Map.of(thing(task.id()), TaskState.SUBMITTED.name(), delivery, Plan.open(1, 0, true));
        promises.one(asked, () -> life.stores().tasks().create(shard, task, carrier), result -> {
            CreateResult.Created created = (CreateResult.Created) result;
            Life.say(
                    "epoch " + task.id().value() + " " + created.owned().token().epoch());
            held.accept(Held.of(shard, created.handOut().orElseThrow()).carrying(created.owned()));
            Map<String, String> things = new TreeMap<>(asked);
            things.put(version(task.id()), Long.toString(created.task().version()));
            return things;
        });
    }

    /** Acks its delivery, perhaps after a cancel. */
    void settle(Held taken, Random random) {
        OwnedTask owned = taken.task().orElseThrow();
        Task task =
                Await.result(life.stores().tasks().find(owned.token().scope())).orElseThrow();
        if (task.state() == TaskState.SUBMITTED && random.nextInt(4) == 0) {
            cancel(task, taken);
        } else if (task.state().isFinal()) {
            promises.one(Map.of(taken.thing(), Ledger.SETTLED), () -> shard.ack(taken.ack()), result -> {
                AckResult.Acked unused = (AckResult.Acked) result;
                return Map.of(taken.thing(), Ledger.SETTLED);
            });
        } else {
            Map<String, String> things =
                    Map.of(taken.thing(), Ledger.SETTLED, thing(task.id()), TaskState.WORKING.name());
            promises.one(things, () -> shard.ack(taken.ack()), result -> {
                AckResult.Acked unused = (AckResult.Acked) result;
                working.add(owned);
                return things;
            });
        }
    }

    private void cancel(Task task, Held taken) {
        Map<String, String> things = Map.of(thing(task.id()), TaskState.CANCELED.name());
        promises.one(things, () -> life.stores().tasks().cancel(task.id(), task.version(), "not needed"), result -> {
            held.accept(taken);
            return moved(result, things);
        });
    }

    void move(Random random) {
        OwnedTask owned = working.poll();
        if (owned == null) {
            return;
        }
        Task task =
                Await.result(life.stores().tasks().find(owned.token().scope())).orElseThrow();
        TaskState to = random.nextInt(3) == 0 ? TaskState.FAILED : TaskState.COMPLETED;
        Map<String, String> things = Map.of(thing(task.id()), to.name());
        promises.one(
                things,
                () -> owned.move(task, TaskChange.to(to).output(Plan.output(task.id()))),
                result -> moved(result, things));
    }

    private static Map<String, String> moved(TransitionResult result, Map<String, String> things) {
        Task task = ((TransitionResult.Moved) result).task();
        Map<String, String> promised = new TreeMap<>(things);
        promised.put(version(task.id()), Long.toString(task.version()));
        return promised;
    }

    static String thing(TaskId task) {
        return "task/" + Plan.TASKS.topic() + "/" + task.value().substring("task-".length());
    }

    static String version(TaskId task) {
        return "version/" + task.value();
    }
}
