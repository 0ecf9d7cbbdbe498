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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.Reconciled;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.OffsetStore;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.fault.Cut;
import org.apache.eventmesh.state.tck.kit.AcrossBackends;
import org.apache.eventmesh.state.tck.kit.Events;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_1;
import static org.apache.eventmesh.state.tck.contract.Examples.SHIPPING;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/** X02 and X03 while the shared backend of two is away: owners go on locally, and only as long as their lease lives. */
public interface SharedAwayRules extends Rules {
    @Test
    @AcrossBackends
    default void required_X03_an_owner_goes_on_while_the_shared_backend_is_away() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 3, BILLING, ALICE))).handOuts().toList();
        a.cutOffShared();

        assertThat(get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client()))))
                .isInstanceOf(AckResult.Acked.class);
        assertThat(get(shard.nack(new Nack(given.get(1).receipt(), ALICE.client(), "busy"), Retry.immediately(3))))
                .isInstanceOf(NackResult.Rescheduled.class);
        assertThat(HandOuts.due(shard)).hasSize(1);
        assertThat(get(shard.open(range(3, 5, BILLING, ALICE))).handOuts()).hasSize(2);
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).hasValue(1);
        assertThat(shard.view().watermark()).hasValue(1);
    }

    @ParameterizedTest(name = "which {0}s")
    @EnumSource(Cut.class)
    @AcrossBackends
    default void required_G14_X03_an_advance_goes_on_for_who_is_known_while_the_shared_backend_is_away(Cut how) {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        OffsetStore offsets = a.stores().offsets();
        get(offsets.advance(shard, Map.of(BILLING, 5L)));
        a.sharedFaults().cut(how);
        Map<Subscriber, Long> to = new LinkedHashMap<>();
        to.put(SHIPPING, 7L);
        to.put(BILLING, 10L);

        CompletableFuture<Map<Subscriber, Outcome<AdvanceResult>>> advanced =
                offsets.advance(shard, to).toCompletableFuture();
        eventually(() -> assertThat(get(offsets.position(ORDERS_0, BILLING))).hasValue(10));
        kit().time().pass(DEADLINE.plusSeconds(1));

        assertThat(get(advanced)).containsOnlyKeys(SHIPPING, BILLING);
        List<Object> answers = Operation.answers(advanced);
        assertThat(answers.get(0)).isInstanceOf(StateStoreException.class);
        assertThat(answers.get(1)).isEqualTo(new AdvanceResult.Advanced(OptionalLong.of(5), 10));
        assertThat(get(offsets.position(ORDERS_0, SHIPPING))).isEmpty();
    }

    @Test
    @AcrossBackends
    default void required_X03_while_the_shared_backend_is_away_there_are_no_claims_and_no_tasks() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.cutOffShared();

        assertThat(Operation.answers(a.stores().deliveries().claim(a.member(), ORDERS_1)))
                .singleElement()
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(Operation.answers(a.stores().tasks().create(scene.shard, scene.newTask("new"), scene.carrier())))
                .singleElement()
                .isInstanceOf(StoreUnavailableException.class);
        a.heal();
        assertThat(get(a.stores().tasks().find(scene.newTask("new").id()))).isEmpty();
        assertThat(a.shard(ORDERS_1).token().scope()).isEqualTo(ORDERS_1);
    }

    @Test
    @AcrossBackends
    default void required_X03_health_is_told_for_the_stores_of_the_backend_that_is_away() {
        Instance a = open("A");
        a.shard(ORDERS_0);
        a.cutOffShared();

        eventually(() -> a.stores()
                .health()
                .forEach((store, health) -> assertThat(health.up())
                        .as(store.name())
                        .isEqualTo(store == StoreName.OFFSETS || store == StoreName.DELIVERIES)));
        a.heal();
        eventually(() -> assertThat(a.stores().health().values()).allMatch(health -> health.up()));
    }

    @Test
    @AcrossBackends
    default void required_X02_local_writes_end_with_the_lease_and_go_on_after_its_renewal() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 2, BILLING, ALICE))).handOuts().toList();
        a.cutOffShared();
        kit().time().pass(Instance.LEASE.plusSeconds(1));

        assertThat(Operation.answers(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client()))))
                .singleElement()
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        refused -> assertThat(refused).hasMessageContaining("lease"));
        assertThat(shard.view().all().open()).isEqualTo(2);

        a.heal();
        get(a.member().renew());
        assertThat(get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client()))))
                .isInstanceOf(AckResult.Acked.class);
    }

    @ParameterizedTest(name = "by {0}")
    @ValueSource(strings = {"nack", "deadLetter"})
    @AcrossBackends
    default void required_X02_L01_given_up_while_the_shared_backend_is_away_is_a_dead_letter_once_afterwards(
            String way) {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 2, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        a.cutOffShared();

        assertThat(Operation.answers(giveUp(way, shard, given)))
                .singleElement()
                .isInstanceOf(OutcomeUnknownException.class);

        assertThat(shard.view().all().open()).as("it stays open").isEqualTo(2);
        assertThat(shard.view().watermark()).hasValue(0);
        passTimeWithoutRenewal(HAND_OUT.plusSeconds(1));
        assertThat(HandOuts.due(shard))
                .as("nobody gets it any more")
                .noneMatch(handOut -> handOut.delivery().offset() == 0);
        assertThat(get(shard.ack(Ack.of(given.receipt(), ALICE.client())))).isInstanceOf(Refused.Stale.class);

        a.heal();
        assertThat(Operation.answers(giveUp(way, shard, given)))
                .singleElement()
                .isInstanceOf(NackResult.DeadLettered.class);
        assertThat(get(a.stores().deadLetters().count(DeadLetterFilter.all()))).isOne();
        assertThat(shard.view().all().open()).isOne();
        assertThat(shard.view().watermark()).hasValue(1);
    }

    @Test
    @AcrossBackends
    default void required_X02_a_backend_that_comes_back_is_caught_up_with_by_itself() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        HandOut carrier = HandOuts.carrier(scene.shard);
        a.cutOffShared();
        assertThat(Operation.answers(scene.shard.deadLetter(scene.held.get(0).receipt(), "broken")))
                .singleElement()
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(Operation.answers(scene.shard.ack(Ack.of(carrier.receipt(), ALICE.client()))))
                .singleElement()
                .isInstanceOf(OutcomeUnknownException.class);
        // the health of a backend is looked at now and then
        eventually(() -> assertThat(a.events().of(Events.HealthChanged.class))
                .anyMatch(event ->
                        event.store() == StoreName.TASKS && !event.now().up()));

        a.heal();

        eventually(() -> assertThat(
                        get(a.stores().deadLetters().count(DeadLetterFilter.topic(scene.partition.topic()))))
                .isEqualTo(2));
        eventually(
                () -> assertThat(get(a.stores().tasks().find(scene.task.id())).map(Task::state))
                        .hasValue(TaskState.WORKING));
        eventually(() -> assertThat(get(a.stores().reconcile())).isEqualTo(Reconciled.NOTHING));
        Invariants.check(scene, a.stores(), scene.shard);
    }

    @Test
    @AcrossBackends
    default void required_X02_reconcile_finishes_what_is_left_and_says_how_much() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        HandOut carrier = HandOuts.carrier(scene.shard);
        a.cutOffShared();
        Operation.answers(scene.shard.deadLetter(scene.held.get(0).receipt(), "broken"));
        Operation.answers(scene.shard.ack(Ack.of(carrier.receipt(), ALICE.client())));
        assertThat(Operation.answers(a.stores().reconcile())).singleElement().isInstanceOf(StateStoreException.class);
        a.heal();

        Reconciled first = get(a.stores().reconcile());
        Reconciled second = get(a.stores().reconcile());

        assertThat(first.deadLetters()).isBetween(0L, 1L);
        assertThat(first.tasks()).isBetween(0L, 1L);
        assertThat(second).isEqualTo(Reconciled.NOTHING);
        assertThat(get(a.stores().deadLetters().count(DeadLetterFilter.topic(scene.partition.topic()))))
                .isEqualTo(2);
        assertThat(get(a.stores().tasks().find(scene.task.id())).orElseThrow().state())
                .isEqualTo(TaskState.WORKING);
    }

    @Test
    @AcrossBackends
    default void required_X02_a_hand_out_does_not_wait_for_the_shared_backend() {
        Instance a = kit().open("A", settings -> settings.limits(StoreLimits.DEFAULT.withHandOuts(1)));
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 1, BILLING, ALICE)));
        get(shard.open(range(1, 2, BILLING)));
        a.cutOffShared();
        kit().time().pass(HAND_OUT.plusSeconds(1));

        List<HandOut> given = HandOuts.due(shard);

        assertThat(given).extracting(handOut -> handOut.delivery().offset()).containsExactly(1L);
        a.heal();
        passTime(Duration.ofSeconds(2));
        eventually(() -> assertThat(get(a.stores().deadLetters().count(DeadLetterFilter.all())))
                .isOne());
        eventually(() -> assertThat(open(a, ORDERS_0)).hasSize(1));
    }

    private void passTimeWithoutRenewal(Duration time) {
        kit().time().pass(time);
    }

    private CompletionStage<NackResult> giveUp(String way, Shard shard, HandOut given) {
        return way.equals("nack")
                ? shard.nack(new Nack(given.receipt(), ALICE.client(), "broken"), Retry.immediately(1))
                : shard.deadLetter(given.receipt(), "broken");
    }

    private List<Delivery> open(Instance at, Partition partition) {
        return get(at.stores().deliveries().list(DeliveryFilter.of(partition), PageRequest.first(100)))
                .items();
    }
}
