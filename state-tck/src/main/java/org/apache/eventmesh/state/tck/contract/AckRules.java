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
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** D02 and D03: what an ack says, and that it is one step. */
public interface AckRules extends Rules {
    @Test
    default void required_D02_only_the_first_ack_changes_anything() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Ack ack = Ack.of(given.receipt(), ALICE.client());

        AckResult first = get(shard.ack(ack));
        AckResult second = get(shard.ack(ack));

        assertThat(first).isEqualTo(new AckResult.Acked(OptionalLong.of(1), Optional.empty()));
        assertThat(second).isEqualTo(new AckResult.Duplicate((AckResult.Acked) first));
        assertThat(second.done()).isTrue();
    }

    @Test
    default void required_D02_another_key_is_told_how_it_was_settled() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        get(shard.ack(new Ack(given.receipt(), ALICE.client(), RequestKey.of("one"))));

        assertThat(get(shard.ack(new Ack(given.receipt(), ALICE.client(), RequestKey.of("two")))))
                .isEqualTo(new Refused.Settled(Refused.How.ACKED));
        assertThat(get(shard.ack(new Ack(given.receipt(), ALICE.client(), RequestKey.of("one")))))
                .isInstanceOf(AckResult.Duplicate.class);
    }

    @Test
    default void required_D02_an_earlier_hand_out_is_stale_and_the_current_one_stands() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut first = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        passTime(HAND_OUT.plusSeconds(1));
        HandOut second = get(shard.handOut(1, HAND_OUT, due -> Optional.of(BOB)))
                .handOuts()
                .get(0);

        assertThat(get(shard.ack(Ack.of(first.receipt(), ALICE.client()))))
                .isEqualTo(new Refused.Stale(second.receipt().epoch()));
        assertThat(get(shard.ack(Ack.of(second.receipt(), BOB.client())))).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    default void required_D02_another_client_is_refused_and_another_session_of_the_same_is_not() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();

        assertThat(get(shard.ack(Ack.of(given.receipt(), BOB.client()))))
                .isEqualTo(new Refused.WrongReceiver(ALICE.client()));
        assertThat(get(shard.nack(new Nack(given.receipt(), BOB.client(), "no"), Retry.immediately(3))))
                .isEqualTo(new Refused.WrongReceiver(ALICE.client()));
        assertThat(get(shard.ack(Ack.of(given.receipt(), ALICE.client())))).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    default void required_D02_what_was_never_handed_out_here_is_unknown() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Receipt real = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow()
                .receipt();
        DeliveryId id = real.delivery();
        Receipt future = new Receipt(id, real.epoch() + 1);
        Receipt other = new Receipt(new DeliveryId(ORDERS_0, id.incarnation(), id.number() + 1_000), real.epoch());
        Receipt elsewhere = new Receipt(new DeliveryId(ORDERS_0, "another-life", id.number()), real.epoch());

        for (Receipt forged : List.of(future, other, elsewhere)) {
            assertThat(get(shard.ack(Ack.of(forged, ALICE.client())))).isEqualTo(new Refused.Unknown());
        }
        assertThat(shard.view().all().open()).isOne();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> a.shard(Examples.ORDERS_1).ack(Ack.of(real, ALICE.client())));
    }

    @Test
    default void required_D02_marks_last_ten_minutes_by_the_ticker_and_a_restart_begins_them_anew() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Ack ack = Ack.of(given.receipt(), ALICE.client());
        get(shard.ack(ack));
        passTime(Duration.ofMinutes(9));
        assertThat(get(shard.ack(ack))).isInstanceOf(AckResult.Duplicate.class);

        Instance b = open("B");
        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));
        passTime(Duration.ofMinutes(9));
        assertThat(get(next.ack(ack))).isInstanceOf(AckResult.Duplicate.class);
        passTime(Duration.ofMinutes(3));
        eventually(() -> assertThat(get(next.ack(ack))).isEqualTo(new Refused.Unknown()));
    }

    @Test
    default void required_D03_after_a_known_failure_none_of_it_happened() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Ack ack = Ack.of(given.receipt(), ALICE.client());
        a.faults().fail(Which.nth(1));

        assertThatThrownBy(() -> get(shard.ack(ack)))
                .isInstanceOfSatisfying(
                        StateStoreException.class,
                        failure -> assertThat(failure.certainlyNotApplied()).isTrue());
        a.faults().disarm();

        assertThat(get(a.stores().deliveries().find(given.delivery().id()))).contains(given.delivery());
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).hasValue(0);
        assertThat(get(shard.ack(ack))).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    default void scenario_06_a_failed_write_of_any_part_of_an_ack_leaves_the_delivery_open_and_the_next_ack_succeeds() {
        Instance a = open("A");
        for (int commit = 1; commit <= 2; commit++) {
            Scene scene = new Scene("ack-" + commit, a);
            a.faults().fail(Which.nth(commit));
            List<Object> answers = Operation.answers(scene.shard.ack(scene.ack(0)));
            a.faults().disarm();

            if (commit == 1) {
                assertThat(answers).singleElement().isInstanceOf(StateStoreException.class);
                assertThat(get(a.stores()
                                .deliveries()
                                .find(scene.held.get(0).delivery().id())))
                        .contains(scene.held.get(0).delivery());
                assertThat(get(scene.shard.ack(scene.ack(0)))).isInstanceOf(AckResult.Acked.class);
            } else {
                assertThat(answers).as("an ack is one commit").singleElement().isInstanceOf(AckResult.Acked.class);
            }
        }
    }

    @Test
    default void required_D03_while_an_ack_is_unknown_it_is_neither_handed_out_nor_settled() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Ack ack = Ack.of(given.receipt(), ALICE.client());
        Hold lost = a.faults().loseAnswer(Which.nth(1));
        CompletionStage<AckResult> unknown = shard.ack(ack);
        eventually(() -> assertThat(lost.size()).isOne());
        kit().passDeadline();

        assertThatThrownBy(() -> get(unknown)).isInstanceOf(OutcomeUnknownException.class);
        CompletionStage<HandOutResult> handOut = shard.handOut(1, HAND_OUT, due -> Optional.of(BOB));
        assertThat(shard.view().all().open()).isOne();
        assertThat(handOut.toCompletableFuture()).isNotDone();
        lost.release();

        assertThat(get(handOut).handOuts()).isEmpty();
        assertThat(get(shard.ack(ack))).isInstanceOf(AckResult.Duplicate.class);
        assertThat(shard.view().all().open()).isZero();
    }

    @Test
    default void required_D03_a_batch_of_acks_moves_the_position_over_all_that_is_settled() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 50, BILLING, ALICE))).handOuts().toList();
        List<Ack> odd = given.stream()
                .filter(h -> h.delivery().offset() % 2 == 1)
                .map(h -> Ack.of(h.receipt(), ALICE.client()))
                .toList();
        List<Ack> even = given.stream()
                .filter(h -> h.delivery().offset() % 2 == 0)
                .map(h -> Ack.of(h.receipt(), ALICE.client()))
                .toList();

        assertThat(get(shard.ackAll(odd))).allMatch(o -> o.orThrow() instanceof AckResult.Acked);
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).hasValue(0);
        get(shard.ackAll(even));
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).hasValue(50);
    }
}
