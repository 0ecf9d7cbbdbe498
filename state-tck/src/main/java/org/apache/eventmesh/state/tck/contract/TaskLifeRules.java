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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TaskStore;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.AcrossBackends;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.assertj.core.api.Assertions.assertThat;

/** T01, T04, T06 to T09: how tasks come, change hands, are found, and go. */
public interface TaskLifeRules extends Rules {
    /** Where the records of tasks stand. */
    KeyRange TASKS = new KeyRange(Bytes.of((byte) Table.TASK.number()), Bytes.of((byte) (Table.TASK.number() + 1)));

    @Test
    default void required_T01_other_content_under_the_same_id_is_a_conflict() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        NewTask same = scene.newTask("task");
        List<NewTask> others = List.of(
                new NewTask(
                        same.id(), new AgentId("x"), same.context(), same.parent(), same.input(), same.attributes()),
                new NewTask(same.id(), same.agent(), Optional.empty(), same.parent(), same.input(), same.attributes()),
                new NewTask(
                        same.id(),
                        same.agent(),
                        same.context(),
                        Optional.of(new TaskId("p")),
                        same.input(),
                        same.attributes()),
                new NewTask(same.id(), same.agent(), same.context(), same.parent(), Bytes.EMPTY, same.attributes()),
                new NewTask(
                        same.id(),
                        same.agent(),
                        same.context(),
                        same.parent(),
                        same.input(),
                        Attributes.of("tenant", "other")));

        for (NewTask other : others) {
            assertThat(get(a.stores().tasks().create(scene.shard, other, scene.carrier())))
                    .isEqualTo(new CreateResult.Conflict(scene.task));
        }
        assertThat(get(a.stores().tasks().create(scene.shard, same, scene.carrier())))
                .isEqualTo(new CreateResult.Existing(scene.task));
    }

    @Test
    default void required_T04_another_takes_over_by_claiming_and_the_former_owner_is_fenced() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Instance b = open("B");
        assertThat(get(b.stores().tasks().claim(b.member(), scene.task.id())))
                .isInstanceOf(ClaimResult.HeldByOther.class);
        a.pause();
        passTime(Instance.LEASE.multipliedBy(2));
        OwnedTask theirs = get(b.stores().tasks().claim(b.member(), scene.task.id()))
                .claimed()
                .orElseThrow();
        a.resume();

        assertThat(get(scene.ownedTask.move(scene.task, TaskChange.to(TaskState.COMPLETED))))
                .isInstanceOf(Fenced.class);
        assertThat(get(theirs.move(scene.task, TaskChange.to(TaskState.WORKING))))
                .isInstanceOf(TransitionResult.Moved.class);
    }

    @Test
    default void required_T06_lists_read_one_path_and_are_exact() {
        Instance a = open("A");
        Scene one = new Scene("one", a);
        new Scene("on", a);
        for (int i = 0; i < 5; i++) {
            NewTask more = one.newTask("more-" + i);
            get(a.stores().tasks().create(one.shard, more, one.carrier()));
        }
        get(a.stores().tasks().cancel(one.task.id(), one.task.version(), "x"));
        TaskStore store = a.stores().tasks();
        AgentId agent = one.task.agent();

        assertThat(ids(store, TaskFilter.agent(agent))).hasSize(6);
        assertThat(ids(store, TaskFilter.agent(agent).in(TaskState.CANCELED))).containsExactly(one.task.id());
        assertThat(ids(store, TaskFilter.context("one-context").in(TaskState.SUBMITTED)))
                .hasSize(5);
        assertThat(ids(store, TaskFilter.context("on-context"))).hasSize(1);
        assertThat(ids(store, TaskFilter.parent(one.task.id()))).isEmpty();
        assertThat(ids(store, TaskFilter.all())).hasSize(7);
    }

    @Test
    default void required_T07_retention_takes_final_tasks_only_and_reports_the_idle() {
        Instance a = open("A");
        Scene done = new Scene("done", a);
        Scene idle = new Scene("idle", a);
        get(a.stores().tasks().cancel(done.task.id(), done.task.version(), "x"));
        passTime(Duration.ofHours(1));
        Instant until = kit().time().clock().instant();
        Scene fresh = new Scene("fresh", a);
        get(a.stores().tasks().cancel(fresh.task.id(), fresh.task.version(), "x"));
        TaskStore store = a.stores().tasks();

        assertThat(get(store.stalled(until, PageRequest.first(10))).items())
                .extracting(Task::id)
                .containsExactly(idle.task.id());
        assertThat(get(store.purge(until, 10))).isEqualTo(new Swept(1, false));
        assertThat(get(store.find(done.task.id()))).isEmpty();
        assertThat(get(store.find(idle.task.id()))).isPresent();
        assertThat(get(store.find(fresh.task.id()))).isPresent();
    }

    @Test
    default void required_T08_a_backend_that_goes_away_during_create_surfaces_and_leaves_one_task() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        NewTask task = scene.newTask("new");
        a.faults().answerUnknown(Which.next().touching(TASKS));
        List<Object> surfaced = Operation.answers(a.stores().tasks().create(scene.shard, task, scene.carrier()));
        a.faults().disarm();
        assertThat(surfaced).singleElement().isInstanceOf(StateStoreException.class);

        assertThat(get(a.stores().tasks().create(scene.shard, task, scene.carrier())))
                .isInstanceOf(CreateResult.Existing.class);
        assertThat(ids(a.stores().tasks(), TaskFilter.agent(task.agent())))
                .containsExactlyInAnyOrder(scene.task.id(), task.id());
        assertThat(carriers(scene)).hasSize(2);
    }

    @Test
    default void required_T09_the_settlement_of_its_delivery_moves_a_task() {
        Instance a = open("A");
        Map<String, TaskState> ends =
                Map.of("acked", TaskState.WORKING, "dead", TaskState.FAILED, "withdrawn", TaskState.REJECTED);
        ends.forEach((how, state) -> {
            Scene scene = new Scene(how, a);
            HandOut given = handOut(scene);
            switch (how) {
                case "acked" -> get(scene.shard.ack(Ack.of(given.receipt(), ALICE.client())));
                case "dead" -> get(scene.shard.deadLetter(given.receipt(), "broken"));
                default -> get(scene.shard.withdraw(scene.queue));
            }
            assertThat(get(a.stores().tasks().find(scene.task.id()))
                            .orElseThrow()
                            .state())
                    .as(how)
                    .isEqualTo(state);
            assertThat(carriers(scene)).isEmpty();
        });
    }

    @Test
    default void required_T09_the_delivery_of_a_final_task_is_withdrawn_at_its_next_hand_out() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        get(a.stores().tasks().cancel(scene.task.id(), scene.task.version(), "client"));
        assertThat(carriers(scene)).hasSize(1);

        assertThat(get(scene.shard.handOut(
                                100, HAND_OUT, due -> due.task().isPresent() ? Optional.of(ALICE) : Optional.empty()))
                        .handOuts())
                .isEmpty();

        assertThat(carriers(scene)).isEmpty();
        assertThat(get(a.stores().tasks().find(scene.task.id())).orElseThrow().state())
                .isEqualTo(TaskState.CANCELED);
    }

    @Test
    @AcrossBackends
    default void required_T09_the_delivery_of_a_final_task_is_withdrawn_behind_many_that_nobody_wants_now() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        List<NewTask> many = IntStream.range(0, 501)
                .mapToObj(n -> scene.newTask("many-" + n))
                .toList();
        Carrier offline = new Carrier(Subscriber.group("offline"), Optional.empty(), HAND_OUT);
        get(a.stores().tasks().createAll(scene.shard, many, offline)).forEach(Outcome::orThrow);
        TaskStore tasks = a.stores().tasks();
        CreateResult last = get(tasks.create(scene.shard, scene.newTask("last"), scene.carrier()));
        Task canceled = ((CreateResult.Created) last).task();
        get(tasks.cancel(canceled.id(), canceled.version(), "client"));

        assertThat(get(scene.shard.handOut(
                                100,
                                HAND_OUT,
                                due -> due.task().equals(Optional.of(canceled.id()))
                                        ? Optional.of(ALICE)
                                        : Optional.empty()))
                        .handOuts())
                .isEmpty();

        assertThat(carriers(scene)).extracting(Delivery::task).containsExactly(Optional.of(scene.task.id()));
    }

    @Test
    default void required_L04_the_letter_of_a_final_task_is_not_replayed() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        get(scene.shard.deadLetter(handOut(scene).receipt(), "broken"));
        DeadLetter letter = get(a.stores()
                        .deadLetters()
                        .list(DeadLetterFilter.subscriber(scene.queue), PageRequest.first(10)))
                .items()
                .get(0);
        assertThat(letter.task()).contains(scene.task.id());

        assertThat(get(a.stores().deadLetters().replay(letter, RequestKey.of("k"))))
                .isEqualTo(new ReplayResult.TaskFinal());
    }

    private HandOut handOut(Scene scene) {
        return get(scene.shard.handOut(
                        100, HAND_OUT, due -> due.task().isPresent() ? Optional.of(ALICE) : Optional.empty()))
                .handOuts()
                .get(0);
    }

    private List<Delivery> carriers(Scene scene) {
        return get(scene.stores()
                        .deliveries()
                        .list(DeliveryFilter.of(scene.partition).of(scene.queue), PageRequest.first(10)))
                .items();
    }

    private List<TaskId> ids(TaskStore store, TaskFilter filter) {
        List<TaskId> all = new ArrayList<>();
        Optional<PageRequest> page = Optional.of(PageRequest.first(2));
        while (page.isPresent()) {
            Page<Task> part = get(store.list(filter, page.get()));
            part.items().forEach(task -> all.add(task.id()));
            page = part.next();
        }
        assertThat(all).doesNotHaveDuplicates();
        return all;
    }
}
