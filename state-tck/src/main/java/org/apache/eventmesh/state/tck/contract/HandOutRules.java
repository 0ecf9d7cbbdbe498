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
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.payload;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** D04 and D05: hand-outs, their epochs and their ends. */
public interface HandOutRules extends Rules {
    Retry THREE = Retry.immediately(3);

    @Test
    default void required_D04_a_nack_ends_the_hand_out_and_a_repeat_gives_the_first_result() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Nack nack = new Nack(given.receipt(), ALICE.client(), "busy");
        Retry later = new Retry(3, Duration.ofSeconds(5), Duration.ofSeconds(60));

        NackResult first = get(shard.nack(nack, later));

        assertThat(first)
                .isEqualTo(new NackResult.Rescheduled(
                        1,
                        kit().time()
                                .clock()
                                .instant()
                                .truncatedTo(ChronoUnit.MILLIS)
                                .plusSeconds(5)));
        assertThat(get(shard.nack(nack, later))).isEqualTo(first);
        assertThat(get(shard.ack(Ack.of(given.receipt(), ALICE.client())))).isInstanceOf(Refused.Stale.class);
        Delivery open = get(a.stores().deliveries().find(given.delivery().id())).orElseThrow();
        assertThat(open.failures()).isOne();
        assertThat(open.lastFailure()).contains("busy");
        assertThat(open.receiver()).isEmpty();
        assertThat(open.epoch()).isGreaterThan(given.receipt().epoch());
        assertThat(get(shard.handOut(1, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .as("not due yet")
                .isEmpty();
        passTime(Duration.ofSeconds(5));
        assertThat(get(shard.handOut(1, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .hasSize(1);
    }

    @Test
    default void required_D04_expiry_alone_does_not_end_a_hand_out() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        passTime(HAND_OUT.multipliedBy(3));

        assertThat(get(shard.ack(Ack.of(given.receipt(), ALICE.client())))).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    default void required_D04_a_nack_that_races_an_ack_never_brings_it_back() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 100, BILLING, ALICE))).handOuts().toList();
        List<CompletionStage<AckResult>> acks = new ArrayList<>();
        List<CompletionStage<NackResult>> nacks = new ArrayList<>();
        for (HandOut h : given) {
            acks.add(shard.ack(Ack.of(h.receipt(), ALICE.client())));
            nacks.add(shard.nack(new Nack(h.receipt(), ALICE.client(), "no"), THREE));
        }

        int acked = 0;
        for (int i = 0; i < given.size(); i++) {
            boolean wasAcked = get(acks.get(i)) instanceof AckResult.Acked;
            boolean wasNacked = get(nacks.get(i)) instanceof NackResult.Rescheduled;
            assertThat(wasAcked ^ wasNacked).as("one of them, %s", given.get(i)).isTrue();
            assertThat(get(a.stores().deliveries().find(given.get(i).delivery().id()))
                            .isPresent())
                    .isEqualTo(wasNacked);
            acked += wasAcked ? 1 : 0;
        }
        assertThat(shard.view().all().open()).isEqualTo(given.size() - acked);
    }

    @Test
    default void required_D05_due_deliveries_go_out_in_due_order_under_new_epochs() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 5, BILLING)));

        HandOutResult first = get(shard.handOut(2, HAND_OUT, due -> Optional.of(ALICE)));
        HandOutResult rest = get(shard.handOut(10, HAND_OUT, due -> Optional.of(BOB)));

        assertThat(first.handOuts()).extracting(h -> h.delivery().offset()).containsExactly(0L, 1L);
        assertThat(rest.handOuts()).extracting(h -> h.delivery().offset()).containsExactly(2L, 3L, 4L);
        assertThat(rest.handOuts()).allSatisfy(h -> {
            assertThat(h.receiver()).isEqualTo(BOB);
            assertThat(h.delivery().payload()).isEqualTo(payload(h.delivery().offset()));
            assertThat(h.until()).isEqualTo(h.delivery().dueAt());
        });
        assertThat(first.handOuts().get(0).receipt().epoch())
                .isNotEqualTo(first.handOuts().get(1).receipt().epoch());
        assertThat(get(shard.handOut(10, HAND_OUT, due -> Optional.of(ALICE))).handOuts())
                .isEmpty();
    }

    @Test
    default void required_D05_who_is_routed_to_nobody_stays_due_and_uncounted() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 3, BILLING)));

        HandOutResult some =
                get(shard.handOut(10, HAND_OUT, due -> due.offset() == 1 ? Optional.of(ALICE) : Optional.empty()));
        HandOutResult rest = get(shard.handOut(10, HAND_OUT, due -> Optional.of(ALICE)));

        assertThat(some.handOuts()).extracting(h -> h.delivery().offset()).containsExactly(1L);
        assertThat(rest.handOuts()).extracting(h -> h.delivery().handOuts()).containsExactly(1, 1);
    }

    @Test
    default void required_D05_two_dispatchers_never_hold_the_same_one() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 200, BILLING)));
        List<CompletionStage<HandOutResult>> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Receiver receiver = i % 2 == 0 ? ALICE : BOB;
            calls.add(shard.handOut(10, HAND_OUT, due -> Optional.of(receiver)));
        }

        List<Long> given = calls.stream()
                .flatMap(call -> get(call).handOuts().stream())
                .map(h -> h.delivery().offset())
                .toList();
        assertThat(given).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    default void required_E05_a_hand_out_that_loses_its_shard_halfway_tells_what_it_gave() {
        int many = 600;
        Instance a = open("A");
        Instance b = open("B");
        b.member();
        Shard shard = a.shard(ORDERS_0);
        for (int from = 0; from < many; from += 100) {
            get(shard.open(range(from, from + 100, BILLING)));
        }
        // asked about more than one commit hands out, or once more about what the first had no room for
        Set<Long> asked = ConcurrentHashMap.newKeySet();
        CompletableFuture<Hold> second = new CompletableFuture<>();
        CompletionStage<HandOutResult> halfway = shard.handOut(many, HAND_OUT, due -> {
            if ((!asked.add(due.offset()) || asked.size() > 500) && !second.isDone()) {
                second.complete(a.faults().hold(Which.every()));
            }
            return Optional.of(ALICE);
        });
        Hold held = get(second);
        eventually(() -> assertThat(held.size()).isPositive());

        Shard now = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));
        a.faults().disarm();
        held.release();

        List<HandOut> given = get(halfway).handOuts();
        assertThat(given).hasSizeBetween(1, many - 1);
        assertThat(get(shard.handOut(1, HAND_OUT, due -> Optional.of(ALICE)))).isInstanceOf(Fenced.class);
        assertThat(get(now.ackAll(given.stream()
                        .map(each -> Ack.of(each.receipt(), ALICE.client()))
                        .toList())))
                .allSatisfy(outcome -> assertThat(outcome.orThrow()).isInstanceOf(AckResult.Acked.class));
        assertThat(get(now.handOut(many, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .hasSize(many - given.size());
    }

    @Test
    default void required_D05_a_message_that_kills_its_receivers_ends_in_the_dead_letters() {
        Instance a = kit().open("A", settings -> settings.limits(StoreLimits.DEFAULT.withHandOuts(3)));
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 1, BILLING)));
        for (int i = 1; i <= 3; i++) {
            HandOut given = get(shard.handOut(1, HAND_OUT, due -> Optional.of(ALICE)))
                    .handOuts()
                    .get(0);
            assertThat(given.delivery().handOuts()).isEqualTo(i);
            passTime(HAND_OUT.plusSeconds(1));
        }

        HandOutResult last = get(shard.handOut(1, HAND_OUT, due -> Optional.of(ALICE)));

        DeadLetterId id = new DeadLetterId(ORDERS_0, 0, BILLING);
        assertThat(last.handOuts()).isEmpty();
        assertThat(((HandOutResult.HandedOut) last).exhausted())
                .extracting(NackResult.DeadLettered::id)
                .containsExactly(id);
        DeadLetter letter = get(a.stores().deadLetters().find(id)).orElseThrow();
        assertThat(letter.handOuts()).isEqualTo(3);
        assertThat(letter.failures()).isEmpty();
        assertThat(shard.view().all().open()).isZero();
    }

    @Test
    default void required_D05_hand_outs_are_counted_durably() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        passTime(HAND_OUT.plusSeconds(1));
        Instance b = open("B");

        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        HandOut again = get(next.handOut(1, HAND_OUT, due -> Optional.of(BOB)))
                .handOuts()
                .get(0);
        assertThat(again.delivery().handOuts()).isEqualTo(2);
        assertThat(again.receipt().epoch()).isGreaterThan(given.receipt().epoch());
    }

    @Test
    default void required_D05_a_route_that_throws_fails_its_own_call_only() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 1, BILLING)));

        assertThatThrownBy(() -> get(shard.handOut(1, HAND_OUT, due -> {
                    throw new IllegalStateException("no route");
                })))
                .hasStackTraceContaining("no route");
        assertThat(get(shard.handOut(1, HAND_OUT, due -> Optional.of(ALICE))).handOuts())
                .hasSize(1);
    }
}
