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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.AcrossBackends;
import org.apache.eventmesh.state.tck.kit.Below;
import org.apache.eventmesh.state.tck.kit.Events;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_1;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * X02, of what a failure leaves between two backends: it is finished by itself when it can be, and what cannot be finished
 * keeps nothing else from its end.
 */
public interface LeftoverRules extends Rules {
    /** Of what an owner looks at from time to time. */
    Duration A_MOMENT = Duration.ofSeconds(1);

    KeyRange DELIVERIES = records(Table.DELIVERY);
    KeyRange TASK_RECORDS = records(Table.TASK);

    @Test
    @AcrossBackends
    default void required_G08_D11_a_damaged_task_keeps_no_withdrawal_of_another_from_its_end() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        ackDamaged(scene);

        assertThat(get(scene.shard.withdraw(scene.waiting))).isEqualTo(new SweepResult.Done(3));

        Instance b = kit().open("B", 1);
        a.crash();
        get(b.stores().deliveries().takeOver(b.member(), scene.partition));
        assertThat(get(b.stores().offsets().position(scene.partition, scene.waiting)))
                .as("the next host does not serve it again")
                .isEmpty();
        assertThat(get(b.stores().offsets().position(scene.partition, scene.reader)))
                .isPresent();
        eventually(() -> assertThat(a.events().of(Events.UnreadableRecord.class))
                .anySatisfy(told -> {
                    assertThat(told.store()).isEqualTo(StoreName.TASKS);
                    assertThat(told.record().key()).contains("s-task");
                }));
    }

    @Test
    @AcrossBackends
    default void required_G08_X02_a_damaged_task_keeps_no_other_task_and_no_replay_from_its_delivery() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        ackDamaged(scene);
        losesItsDelivery(
                a,
                () -> assertThat(Operation.answers(
                                a.stores().tasks().create(scene.shard, scene.newTask("new"), scene.carrier())))
                        .singleElement()
                        .isInstanceOf(OutcomeUnknownException.class));
        losesItsDelivery(
                a,
                () -> assertThat(Operation.answers(a.stores().deadLetters().replay(scene.letter, RequestKey.of("k"))))
                        .singleElement()
                        .isInstanceOf(OutcomeUnknownException.class));

        assertThat(Operation.answers(a.stores().reconcile())).singleElement().isInstanceOf(StateStoreException.class);

        assertThat(tasks(a, scene.partition)).containsExactly(new TaskId("s-new"));
        assertThat(open(a, scene.partition))
                .filteredOn(delivery -> delivery.subscriber().equals(scene.reader))
                .extracting(Delivery::offset)
                .contains(scene.letter.id().offset());
    }

    @Test
    @AcrossBackends
    default void required_T09_tasks_that_found_no_room_at_a_claim_are_delivered_when_there_is_some() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        for (String id : List.of("two", "three")) {
            get(a.stores().tasks().create(scene.shard, scene.newTask(id), scene.carrier()));
        }
        Instance b = kit().open("B", 1, settings -> settings.limits(StoreLimits.DEFAULT.withOpenDeliveries(3)));
        Shard full = b.shard(ORDERS_1);
        List<HandOut> given =
                get(full.open(range(0, 3, BILLING, ALICE))).handOuts().toList();
        a.crash();

        get(b.stores().deliveries().takeOver(b.member(), scene.partition));
        assertThat(tasks(b, scene.partition)).as("no room").isEmpty();
        given.forEach(handOut -> get(full.ack(Ack.of(handOut.receipt(), ALICE.client()))));

        eventually(() -> {
            passTime(A_MOMENT);
            assertThat(tasks(b, scene.partition))
                    .containsExactlyInAnyOrder(scene.task.id(), new TaskId("s-two"), new TaskId("s-three"));
        });
    }

    @Test
    @AcrossBackends
    default void required_T09_a_task_that_was_written_after_the_deadline_of_its_creation_is_delivered() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Hold hold = a.sharedFaults().hold(Which.next().touching(TASK_RECORDS));
        CompletableFuture<?> created = a.stores()
                .tasks()
                .create(scene.shard, scene.newTask("late"), scene.carrier())
                .toCompletableFuture();
        eventually(() -> assertThat(hold.size()).isOne());
        kit().passDeadline();
        assertThat(Operation.answers(created)).singleElement().isInstanceOf(OutcomeUnknownException.class);

        hold.release();

        eventually(() -> {
            passTime(A_MOMENT);
            assertThat(tasks(a, scene.partition)).contains(new TaskId("s-late"));
        });
    }

    @Test
    @AcrossBackends
    default void required_L04_a_queued_replay_whose_delivery_could_not_be_opened_is_delivered_later() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Instance b = open("B");
        a.faults().fail(Which.next().touching(DELIVERIES));

        assertThat(get(b.stores().deadLetters().replay(scene.letter, RequestKey.of("k"))))
                .isInstanceOf(ReplayResult.Queued.class);

        eventually(() -> {
            passTime(A_MOMENT);
            assertThat(get(a.stores().deadLetters().count(DeadLetterFilter.topic(scene.partition.topic()))))
                    .isZero();
            assertThat(open(a, scene.partition))
                    .filteredOn(delivery -> delivery.subscriber().equals(scene.reader))
                    .extracting(Delivery::offset)
                    .contains(scene.letter.id().offset());
        });
    }

    @Test
    @AcrossBackends
    default void required_G02_a_claim_does_not_wait_for_all_that_an_earlier_owner_left() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Instance b = kit().open("B", 1);
        b.member();
        a.crash();
        // a backend that takes its time for each task
        Hold hold = b.sharedFaults().hold(Which.every().touching(TASK_RECORDS));

        CompletableFuture<Shard> claim =
                b.stores().deliveries().takeOver(b.member(), scene.partition).toCompletableFuture();
        eventually(() -> assertThat(hold.size()).isOne());
        passTime(DEADLINE.dividedBy(2));

        assertThat(get(claim).token().scope()).isEqualTo(scene.partition);
        assertThat(tasks(b, scene.partition)).isEmpty();
        hold.release();
        eventually(() -> assertThat(tasks(b, scene.partition)).containsExactly(scene.task.id()));
    }

    @Test
    @AcrossBackends
    default void required_T07_the_removal_of_a_task_leaves_no_mark() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        get(a.stores().tasks().cancel(scene.task.id(), scene.task.version(), "not needed"));
        Task cancelled = get(a.stores().tasks().find(scene.task.id())).orElseThrow();
        assertThat(cancelled.state()).isEqualTo(TaskState.CANCELED);
        passTime(A_MOMENT);
        assertThat(marks()).isOne();

        assertThat(get(a.stores().tasks().purge(kit().time().now(), 10))).isEqualTo(new Swept(1, false));

        assertThat(marks()).isZero();
        assertThat(HandOuts.due(scene.shard))
                .noneMatch(handOut -> handOut.delivery().task().isPresent());
        assertThat(tasks(a, scene.partition)).as("it is withdrawn").isEmpty();
        assertThat(marks()).isZero();
    }

    @Test
    @AcrossBackends
    default void required_T07_a_mark_without_its_task_goes_when_somebody_comes_upon_it() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        get(a.stores().tasks().create(scene.shard, scene.newTask("two"), scene.carrier()));
        try (Below below = kit().below()) {
            below.remove(below.record("TASK", "s-task"));
        }

        get(a.stores().reconcile());

        try (Below below = kit().below()) {
            assertThat(below.record("TASK_CARRIED", "s-").key())
                    .isEqualTo(below.record("TASK_CARRIED", "s-two").key());
        }
    }

    /** Its delivery is acked, and the task can never follow. */
    private void ackDamaged(Scene scene) {
        HandOut carrier = HandOuts.carrier(scene.shard);
        try (Below below = kit().below()) {
            below.damage(below.record("TASK", "s-task"));
        }
        assertThat(Operation.answers(scene.shard.ack(Ack.of(carrier.receipt(), ALICE.client()))))
                .singleElement()
                .isInstanceOf(StateStoreException.class);
    }

    private void losesItsDelivery(Instance a, Runnable call) {
        a.faults().fail(Which.next().touching(DELIVERIES));
        call.run();
        a.faults().disarm();
    }

    private int marks() {
        try (Below below = kit().below()) {
            return below.records("TASK_CARRIED").size();
        }
    }

    private Set<TaskId> tasks(Instance at, Partition partition) {
        return open(at, partition).stream()
                .map(Delivery::task)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet());
    }

    private List<Delivery> open(Instance at, Partition partition) {
        return get(at.stores().deliveries().list(DeliveryFilter.of(partition), PageRequest.first(100)))
                .items();
    }

    private static KeyRange records(Table table) {
        return new KeyRange(Bytes.of((byte) table.number()), Bytes.of((byte) (table.number() + 1)));
    }
}
