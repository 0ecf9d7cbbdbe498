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
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.GENERATION;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.SHIPPING;
import static org.apache.eventmesh.state.tck.contract.Examples.message;
import static org.apache.eventmesh.state.tck.contract.Examples.payload;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/** D01: what is opened, once, and that nothing is skipped in silence. */
public interface OpeningRules extends Rules {
    @Test
    default void required_D01_a_delivery_is_durable_before_it_may_be_pushed() {
        Instance a = open("A");
        OpenReport report = get(a.shard(ORDERS_0).open(range(0, 2, BILLING, ALICE)));

        List<HandOut> given = report.handOuts().toList();
        assertThat(given).extracting(h -> h.delivery().offset()).containsExactly(0L, 1L);
        for (HandOut h : given) {
            assertThat(get(open("B" + h.delivery().offset())
                            .stores()
                            .deliveries()
                            .find(h.delivery().id())))
                    .contains(h.delivery());
            assertThat(h.delivery().payload()).isEqualTo(payload(h.delivery().offset()));
            assertThat(h.delivery().handOuts()).isOne();
            assertThat(h.receiver()).isEqualTo(ALICE);
            assertThat(h.receipt().delivery()).isEqualTo(h.delivery().id());
        }
        assertThat(report.readNext()).hasValue(2);
    }

    @Test
    default void required_D01_every_reader_enters_at_from_also_one_that_gets_nothing() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        OpenBatch batch = OpenBatch.range(
                GENERATION,
                40,
                43,
                List.of(BILLING, SHIPPING),
                List.of(message(41).to(BILLING)),
                HAND_OUT);

        OpenReport report = get(shard.open(batch));

        assertThat(report.readers())
                .containsEntry(BILLING, new Outcome.Done<>(new ReaderResult.At(43)))
                .containsEntry(SHIPPING, new Outcome.Done<>(new ReaderResult.At(43)));
        assertThat(get(a.stores().offsets().position(ORDERS_0, SHIPPING))).hasValue(43);
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).hasValue(41);
        assertThat(shard.view().watermark()).hasValue(41);
        assertThat(shard.view().readNext()).hasValue(43);
    }

    @Test
    default void required_D01_a_gap_is_refused_with_the_cursor_and_opens_nothing() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 3, BILLING)));

        OpenReport report = get(shard.open(range(5, 7, BILLING, ALICE)));

        assertThat(report.deliveries()).containsOnly(new Outcome.Done<>(new OpenResult.OutOfOrder(3)));
        assertThat(report.readers()).containsEntry(BILLING, new Outcome.Done<>(new OpenResult.OutOfOrder(3)));
        assertThat(report.handOuts()).isEmpty();
        assertThat(shard.view().readNext()).hasValue(3);
        assertThat(shard.view().all().open()).isEqualTo(3);
    }

    @Test
    default void required_D01_one_reader_in_order_is_opened_though_another_is_not() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 3, BILLING)));

        OpenReport report = get(shard.open(OpenBatch.range(
                GENERATION,
                5,
                6,
                List.of(BILLING, SHIPPING),
                List.of(message(5).to(BILLING).to(SHIPPING)),
                HAND_OUT)));

        assertThat(report.deliveries().get(0)).isEqualTo(new Outcome.Done<>(new OpenResult.OutOfOrder(3)));
        assertThat(report.deliveries().get(1).orThrow()).isInstanceOf(OpenResult.Opened.class);
        assertThat(report.readNext()).as("the lowest cursor").hasValue(3);
    }

    @Test
    default void required_D01_a_range_that_overlaps_says_what_is_open_and_what_is_settled() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 3, BILLING, ALICE))).handOuts().toList();
        get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client())));

        OpenReport again = get(shard.open(range(0, 4, BILLING, BOB)));

        assertThat(again.deliveries().get(0)).isEqualTo(new Outcome.Done<>(new OpenResult.AlreadySettled()));
        assertThat(again.deliveries().get(1))
                .isEqualTo(new Outcome.Done<>(
                        new OpenResult.AlreadyOpen(given.get(1).delivery())));
        assertThat(again.deliveries().get(3).orThrow()).isInstanceOf(OpenResult.Opened.class);
        assertThat(again.handOuts()).extracting(h -> h.delivery().offset()).containsExactly(3L);
    }

    @Test
    default void required_D01_another_life_of_the_topic_is_refused_until_it_is_reset() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 1, BILLING, ALICE))).handOuts().toList();
        get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        OpenBatch recreated = OpenBatch.range(
                "life-2", 0, 1, List.of(BILLING), List.of(message(0).to(BILLING, ALICE)), HAND_OUT);

        assertThat(get(shard.open(recreated)).deliveries())
                .containsExactly(new Outcome.Done<>(new OpenResult.OtherGeneration(GENERATION, 1)));

        assertThat(get(a.stores()
                        .offsets()
                        .reset(shard, BILLING, Reset.from(1, 0).generation("life-2"))))
                .isEqualTo(new ResetResult.Done(OptionalLong.of(1), 0, 0));
        assertThat(get(shard.open(recreated)).handOuts()).hasSize(1);
    }

    @Test
    @OneBackend
    default void required_D01_a_reset_halfway_through_an_opening_is_not_undone_by_the_rest() {
        int many = 2_100;
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Hold first = a.faults().hold(Which.every());
        CompletionStage<OpenReport> opening = shard.open(range(0, many, BILLING, ALICE));
        eventually(() -> assertThat(first.size()).isPositive());
        CompletionStage<ResetResult> reset = a.stores().offsets().reset(shard, BILLING, Reset.from(0, 0));
        a.faults().disarm();
        first.release();

        OpenReport report = get(opening);
        int opened = (int) report.handOuts().count();
        assertThat(opened).isBetween(1, many - 1);
        assertThat(get(reset)).isEqualTo(new ResetResult.Done(OptionalLong.of(opened), 0, 0));
        assertThat(report.deliveries().get(many - 1)).isEqualTo(new Outcome.Done<>(new OpenResult.OutOfOrder(0)));
        assertThat(report.readers()).containsEntry(BILLING, new Outcome.Done<>(new OpenResult.OutOfOrder(0)));
        assertThat(shard.view().readNext()).hasValue(0);
        assertThat(get(shard.open(range(0, opened + 1, BILLING, ALICE))).handOuts())
                .extracting(h -> h.delivery().offset())
                .as("what was not opened before")
                .containsExactly((long) opened);
    }

    @Test
    default void required_D01_what_is_open_of_a_former_life_is_not_taken_for_a_message_of_the_new_one() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 3, BILLING, ALICE))).handOuts().toList();
        get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        get(a.stores().offsets().reset(shard, BILLING, Reset.from(1, 0).generation("life-2")));
        List<Incoming> messages = LongStream.range(0, 3)
                .mapToObj(offset -> Incoming.of(offset, Bytes.utf8("new " + offset), Attributes.NONE)
                        .to(BILLING, ALICE))
                .toList();

        OpenReport report = get(shard.open(OpenBatch.range("life-2", 0, 3, List.of(BILLING), messages, HAND_OUT)));

        assertThat(report.handOuts()).extracting(h -> h.delivery().payload()).containsExactly(Bytes.utf8("new 0"));
        assertThat(report.deliveries().subList(1, 3))
                .containsExactly(
                        new Outcome.Done<>(
                                new OpenResult.AlreadyOpen(given.get(1).delivery())),
                        new Outcome.Done<>(new OpenResult.OutOfOrder(1)));
        assertThat(report.readers()).containsEntry(BILLING, new Outcome.Done<>(new ReaderResult.At(1)));
        assertThat(report.readNext()).hasValue(1);
        assertThat(shard.view().readNext()).hasValue(1);

        get(shard.ackAll(given.subList(1, 3).stream()
                .map(h -> Ack.of(h.receipt(), ALICE.client()))
                .toList()));
        assertThat(get(shard.open(OpenBatch.range("life-2", 1, 3, List.of(BILLING), messages.subList(1, 3), HAND_OUT)))
                        .handOuts())
                .extracting(h -> h.delivery().payload())
                .containsExactly(Bytes.utf8("new 1"), Bytes.utf8("new 2"));
    }

    @Test
    default void required_D01_after_a_failure_the_rest_of_the_range_is_refused_and_can_be_opened_again() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        a.faults().fail(Which.nth(1));

        OpenReport failed = get(shard.open(range(0, 5, BILLING, ALICE)));
        a.faults().disarm();

        assertThat(failed.deliveries()).hasSize(5).allMatch(o -> o instanceof Outcome.Failed<OpenResult>);
        assertThat(failed.handOuts()).isEmpty();
        OpenReport again = get(shard.open(range(0, 5, BILLING, ALICE)));
        assertThat(again.handOuts()).hasSize(5);
        assertThat(again.readNext()).hasValue(5);
    }

    @Test
    default void required_D01_delivery_ids_are_never_used_again_whatever_was_lost() {
        Set<DeliveryId> seen = new HashSet<>();
        for (int life = 0; life < 4; life++) {
            Instance a = open("life-" + life);
            Shard shard = get(a.stores().deliveries().takeOver(a.member(), ORDERS_0));
            get(a.stores().offsets().remove(shard, BILLING));
            List<HandOut> given =
                    get(shard.open(range(0, 20, BILLING, ALICE))).handOuts().toList();
            for (HandOut h : given) {
                assertThat(seen.add(h.delivery().id())).as("id %s", h).isTrue();
            }
            get(shard.ackAll(
                    given.stream().map(h -> Ack.of(h.receipt(), ALICE.client())).toList()));
            if (life % 2 == 0) {
                a.crash();
            }
        }
        assertThat(seen).hasSize(80);
    }

    @Test
    default void required_D01_an_unordered_repeat_is_known_while_open_and_while_its_mark_lasts() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        OpenBatch pop = OpenBatch.unordered(List.of(message(7).to(BILLING, ALICE)), HAND_OUT);
        HandOut given = get(shard.open(pop)).handOuts().findFirst().orElseThrow();

        assertThat(get(shard.open(pop)).deliveries())
                .containsExactly(new Outcome.Done<>(new OpenResult.AlreadyOpen(given.delivery())));
        get(shard.ack(Ack.of(given.receipt(), ALICE.client())));
        assertThat(get(shard.open(pop)).deliveries())
                .containsExactly(new Outcome.Done<>(new OpenResult.AlreadySettled()));
        passTime(Duration.ofMinutes(11));
        eventually(() -> assertThat(get(shard.open(pop)).deliveries().get(0).orThrow())
                .isNotInstanceOf(OpenResult.AlreadySettled.class));

        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).isEmpty();
        assertThat(shard.view().watermark()).isEmpty();
    }

    @Test
    default void required_D01_the_cursor_after_a_takeover_is_the_one_that_was_committed() {
        Instance a = open("A");
        get(a.shard(ORDERS_0).open(range(10, 20, BILLING)));
        Instance b = open("B");

        Shard shard = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(shard.view().readNext()).hasValue(20);
        assertThat(shard.view().watermark()).hasValue(10);
        assertThat(shard.view().all().open()).isEqualTo(10);
    }
}
