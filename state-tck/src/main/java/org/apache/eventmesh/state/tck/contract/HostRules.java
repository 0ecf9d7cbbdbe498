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
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.fault.Cut;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.AcrossBackends;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.SHIPPING;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/** X02, of hosts: local state is private to its host, and what another host needs stands in the shared backend. */
public interface HostRules extends Rules {
    /** Where the published positions stand. */
    KeyRange PUBLISHED =
            new KeyRange(Bytes.of((byte) Table.PUBLISHED.number()), Bytes.of((byte) (Table.PUBLISHED.number() + 1)));

    @Test
    @AcrossBackends
    default void required_X02_a_lost_host_loses_no_message_and_its_successor_delivers_again() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        List<HandOut> given =
                get(first.open(range(0, 6, BILLING, ALICE))).handOuts().toList();
        get(first.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        get(first.ack(Ack.of(given.get(1).receipt(), ALICE.client())));
        get(first.deadLetter(given.get(3).receipt(), "broken"));
        passTime(Duration.ofSeconds(2));
        // it is acknowledged, and not published any more
        eventually(() -> assertThat(published(ORDERS_0.topic())).containsExactly(Map.entry(BILLING, 2L)));
        get(first.ack(Ack.of(given.get(2).receipt(), ALICE.client())));
        Instance b = kit().open("B", 1);
        a.crash();

        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(next.view().readNext()).hasValue(2);
        assertThat(next.view().watermark()).hasValue(2);
        assertThat(next.view().all().open()).isZero();
        List<Object> opened = Operation.answers(next.open(range(2, 6, BILLING)));
        assertThat(opened.get(0)).as("read again").isInstanceOf(OpenResult.Opened.class);
        assertThat(opened.get(1)).as("a dead letter").isInstanceOf(OpenResult.AlreadySettled.class);
        assertThat(opened.get(2)).isInstanceOf(OpenResult.Opened.class);
        assertThat(opened.get(3)).isInstanceOf(OpenResult.Opened.class);
        List<HandOut> again = HandOuts.due(next);
        assertThat(again).extracting(handOut -> handOut.delivery().offset()).containsExactlyInAnyOrder(2L, 4L, 5L);
        again.forEach(handOut -> get(next.ack(Ack.of(handOut.receipt(), ALICE.client()))));
        assertThat(next.view().watermark()).hasValue(6);
        assertThat(get(b.stores().deadLetters().count(DeadLetterFilter.all()))).isOne();
    }

    @Test
    @AcrossBackends
    default void required_X02_a_host_that_was_not_the_last_owner_discards_its_state() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        HandOut old = get(first.open(range(0, 3, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Instance b = kit().open("B", 1);
        Shard other = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));
        get(other.open(range(0, 3, BILLING, ALICE)))
                .handOuts()
                .forEach(handOut -> get(other.ack(Ack.of(handOut.receipt(), ALICE.client()))));
        get(other.release());

        Shard back = a.shard(ORDERS_0);

        assertThat(back.view().all().open()).isZero();
        assertThat(back.view().readNext()).hasValue(3);
        assertThat(get(back.ack(Ack.of(old.receipt(), ALICE.client())))).isEqualTo(new Refused.Unknown());
        assertThat(get(a.stores().deliveries().list(DeliveryFilter.of(ORDERS_0), PageRequest.first(10)))
                        .items())
                .isEmpty();
    }

    @Test
    @AcrossBackends
    default void required_X02_the_last_owner_finds_everything_again() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        List<HandOut> given =
                get(first.open(range(0, 3, BILLING, ALICE))).handOuts().toList();
        get(first.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        Instance again = open("again");
        a.crash();

        Shard next = get(again.stores().deliveries().takeOver(again.member(), ORDERS_0));

        assertThat(next.view().all().open()).isEqualTo(2);
        assertThat(get(next.ack(Ack.of(given.get(1).receipt(), ALICE.client()))))
                .isInstanceOf(AckResult.Acked.class);
        assertThat(next.token().epoch()).isGreaterThan(first.token().epoch());
    }

    @Test
    @AcrossBackends
    default void required_X02_a_takeover_elsewhere_ends_the_handle_and_its_writes() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        HandOut given = get(first.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Instance b = kit().open("B", 1);

        Shard other = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        Fenced lost = get(first.lost());
        assertThat(lost.current().orElseThrow().epoch()).isEqualTo(other.token().epoch());
        assertThat(get(first.ack(Ack.of(given.receipt(), ALICE.client())))).isInstanceOf(Fenced.class);
    }

    @Test
    @AcrossBackends
    default void required_X02_a_former_owner_that_does_not_know_it_changes_only_its_private_state() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        HandOut carrier = HandOuts.carrier(scene.shard);
        a.sharedFaults().cut(Cut.HANG);
        Instance b = kit().open("B", 1);
        Shard other = get(b.stores().deliveries().takeOver(b.member(), scene.partition));
        Map<String, Object> before = Digest.of(scene, b.stores());

        CompletableFuture<AckResult> ack =
                scene.shard.ack(Ack.of(carrier.receipt(), ALICE.client())).toCompletableFuture();
        get(scene.shard.ack(scene.ack(0)));
        CompletableFuture<?> letter =
                scene.shard.deadLetter(scene.held.get(1).receipt(), "broken").toCompletableFuture();
        assertThat(Digest.of(scene, b.stores())).isEqualTo(before);
        a.heal();

        assertThat(get(ack)).isInstanceOf(Fenced.class);
        assertThat(get(letter)).isInstanceOf(Fenced.class);
        assertThat(Digest.of(scene, b.stores())).isEqualTo(before);
        assertThat(other.view().readNext()).hasValue(0);
    }

    @Test
    @AcrossBackends
    default void required_X02_T09_a_task_whose_host_is_lost_is_delivered_by_its_successor() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Instance b = kit().open("B", 1);
        a.crash();

        Shard next = get(b.stores().deliveries().takeOver(b.member(), scene.partition));

        HandOut again = HandOuts.due(next).stream()
                .filter(handOut -> handOut.delivery().task().isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(again.delivery().task()).hasValue(scene.task.id());
        assertThat(again.delivery().payload()).isEqualTo(scene.task.input());
        get(next.ack(Ack.of(again.receipt(), ALICE.client())));
        Task moved = get(b.stores().tasks().find(scene.task.id())).orElseThrow();
        assertThat(moved.state()).isEqualTo(TaskState.WORKING);
        Instance c = kit().open("C", 2);
        b.crash();
        Shard third = get(c.stores().deliveries().takeOver(c.member(), scene.partition));
        assertThat(third.view().all().open()).as("it is settled").isZero();
    }

    @Test
    @AcrossBackends
    default void required_X02_L04_a_replay_whose_host_is_lost_is_delivered_by_its_successor_once() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        get(a.stores().deadLetters().replay(scene.letter, RequestKey.of("k")));
        Instance b = kit().open("B", 1);
        a.crash();

        Shard next = get(b.stores().deliveries().takeOver(b.member(), scene.partition));

        List<Delivery> open = get(b.stores()
                        .deliveries()
                        .list(DeliveryFilter.of(scene.partition).of(scene.reader), PageRequest.first(100)))
                .items();
        assertThat(open)
                .singleElement()
                .satisfies(delivery -> assertThat(delivery.payload()).isEqualTo(scene.letter.payload()));
        HandOut again = HandOuts.due(next).stream()
                .filter(handOut -> handOut.delivery().id().equals(open.get(0).id()))
                .findFirst()
                .orElseThrow();
        get(next.ack(Ack.of(again.receipt(), ALICE.client())));
        assertThat(letters(b)).isEmpty();
        Instance c = kit().open("C", 2);
        b.crash();
        get(c.stores().deliveries().takeOver(c.member(), scene.partition));
        assertThat(letters(c)).isEmpty();
        assertThat(get(c.stores()
                                .deliveries()
                                .list(DeliveryFilter.of(scene.partition).of(scene.reader), PageRequest.first(100)))
                        .items())
                .isEmpty();
    }

    @Test
    @AcrossBackends
    default void required_X02_a_reset_is_known_to_the_next_host_at_once() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        get(first.open(range(0, 4, BILLING, ALICE)))
                .handOuts()
                .forEach(handOut -> get(first.deadLetter(handOut.receipt(), "broken")));
        get(a.stores().offsets().advance(first, Map.of(SHIPPING, 9L)));
        passTime(Duration.ofSeconds(2));
        get(a.stores().offsets().reset(first, BILLING, Reset.from(4, 1)));
        get(a.stores().offsets().reset(first, SHIPPING, Reset.from(9, 20)));
        Instance b = kit().open("B", 1);
        a.crash();

        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(1));
        assertThat(get(b.stores().offsets().position(ORDERS_0, SHIPPING))).isEqualTo(OptionalLong.of(20));
        List<Object> opened = Operation.answers(next.open(range(1, 4, BILLING)));
        assertThat(opened.subList(0, 3))
                .as("letters from before the reset do not count")
                .allMatch(OpenResult.Opened.class::isInstance);
    }

    @Test
    @AcrossBackends
    default void required_L01_X02_letters_count_when_a_reset_is_refused_at_its_last_step() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        List<HandOut> given =
                get(first.open(range(0, 4, BILLING, ALICE))).handOuts().toList();
        get(first.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        get(first.deadLetter(given.get(3).receipt(), "broken"));
        Hold lowering = a.sharedFaults().hold(Which.next().touching(PUBLISHED));
        CompletableFuture<ResetResult> reset =
                a.stores().offsets().reset(first, BILLING, Reset.from(1, 0)).toCompletableFuture();
        eventually(() -> assertThat(lowering.size()).isOne());
        get(first.ack(Ack.of(given.get(1).receipt(), ALICE.client())));
        lowering.release();
        assertThat(get(reset)).isEqualTo(new ResetResult.Unexpected(OptionalLong.of(2)));
        Instance b = kit().open("B", 1);
        a.crash();

        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(next.view().readNext()).hasValue(2);
        List<Object> opened = Operation.answers(next.open(range(2, 4, BILLING)));
        assertThat(opened.get(0)).as("read again").isInstanceOf(OpenResult.Opened.class);
        assertThat(opened.get(1)).as("a dead letter").isInstanceOf(OpenResult.AlreadySettled.class);
    }

    @Test
    @AcrossBackends
    default void required_X02_what_was_withdrawn_is_gone_for_the_next_host() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        get(first.open(range(0, 4, BILLING, ALICE)));
        get(a.stores().offsets().advance(first, Map.of(SHIPPING, 9L)));
        get(first.withdraw(BILLING));
        Instance b = kit().open("B", 1);
        a.crash();

        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(next.view().readNext()).hasValue(9);
        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEmpty();
        assertThat(published(ORDERS_0.topic())).containsOnlyKeys(SHIPPING);
    }

    @Test
    @AcrossBackends
    default void required_G09_X02_an_advance_of_too_many_is_refused_before_any_of_them_enters() {
        Instance a = kit().open("A", settings -> settings.limits(StoreLimits.DEFAULT.withBatch(1)));
        Shard shard = a.shard(ORDERS_0);

        assertThat(Operation.answers(a.stores().offsets().advance(shard, Map.of(BILLING, 5L, SHIPPING, 5L))))
                .hasSize(2)
                .hasOnlyElementsOfType(LimitExceededException.class);

        assertThat(published(ORDERS_0.topic())).isEmpty();
    }

    @Test
    @AcrossBackends
    default void required_D01_X02_who_enters_again_while_its_withdrawal_ends_is_known_to_the_next_host() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        get(scene.shard.open(range(100, 105, scene.queue, ALICE)));
        Hold settling = a.sharedFaults().hold(Which.next().touching(TaskLifeRules.TASKS));
        CompletableFuture<SweepResult> withdrawn =
                scene.shard.withdraw(scene.queue).toCompletableFuture();
        eventually(() -> assertThat(settling.size()).isOne());
        assertThat(get(scene.shard.open(range(105, 110, scene.queue, ALICE))).handOuts())
                .hasSize(5);
        settling.release();
        assertThat(get(withdrawn)).isInstanceOf(SweepResult.Done.class);
        Instance b = kit().open("B", 1);
        a.crash();

        get(b.stores().deliveries().takeOver(b.member(), scene.partition));

        assertThat(get(b.stores().offsets().position(scene.partition, scene.queue)))
                .hasValue(105);
    }

    @Test
    @AcrossBackends
    default void required_X02_release_publishes_so_that_the_next_host_delivers_nothing_again() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        get(first.open(range(0, 4, BILLING, ALICE)))
                .handOuts()
                .forEach(handOut -> get(first.ack(Ack.of(handOut.receipt(), ALICE.client()))));
        get(first.release());
        Instance b = kit().open("B", 1);

        Shard next = b.shard(ORDERS_0);

        assertThat(next.view().readNext()).hasValue(4);
        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(4));
    }

    /** As a host sees it that never owned anything. */
    private Map<Subscriber, Long> published(String topic) {
        Instance witness = kit().open("witness", 9);
        try {
            return Listing.all(10, page -> witness.stores().offsets().list(ProgressFilter.topic(topic), page)).stream()
                    .collect(Collectors.toMap(Progress::subscriber, Progress::position));
        } finally {
            witness.close();
        }
    }

    private List<DeadLetterId> letters(Instance at) {
        return get(at.stores().deadLetters().list(DeadLetterFilter.all(), PageRequest.first(10))).items().stream()
                .map(DeadLetter::id)
                .toList();
    }
}
