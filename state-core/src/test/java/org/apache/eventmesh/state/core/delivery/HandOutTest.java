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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.AUDIT;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.apache.eventmesh.state.core.delivery.Polls.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What keeps a hand-out from its end: many that nobody wants, one that cannot be given up. */
class HandOutTest {
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final int COMMIT = 1 << 16;

    private final GatedMap small = new GatedMap(new Limits(1_000, COMMIT));
    private SharedMap map = new SharedMap();
    private Node node = new Node(map);

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    @Test
    void deliveries_that_nobody_wants_hold_up_neither_others_nor_what_is_behind_them() {
        int many = 4_000;
        Shard shard = node.claim();
        List<Incoming> messages = new ArrayList<>();
        for (long offset = 0; offset < many; offset++) {
            messages.add(Polls.message(offset).to(BILLING));
        }
        messages.add(Polls.message(many).to(AUDIT));
        messages.add(Polls.message(many + 1).to(AUDIT, ALICE));
        HandOut held = Await.result(shard.open(Polls.range(0, many + 2, Set.of(BILLING, AUDIT), messages)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        List<Long> asked = new ArrayList<>();
        List<Long> openThen = new ArrayList<>();
        Route route = due -> {
            asked.add(due.offset());
            openThen.add(shard.view().all().open());
            if (asked.size() == many / 4) {
                // waits for its turn, while the hand-out goes on asking
                shard.ack(Ack.of(held.receipt(), ALICE.client()));
            }
            return due.subscriber().equals(AUDIT) ? Optional.of(BOB) : Optional.empty();
        };

        HandOutResult.HandedOut given = (HandOutResult.HandedOut) Await.result(shard.handOut(10, LEASE, route));

        assertThat(given.given())
                .extracting(handOut -> handOut.delivery().offset())
                .containsExactly((long) many);
        assertThat(asked).doesNotHaveDuplicates().hasSize(many + 1);
        assertThat(openThen.get(0)).isEqualTo(many + 2);
        assertThat(openThen.get(many))
                .as("the ack was settled between the questions")
                .isEqualTo(many + 1);
    }

    @Test
    void required_G08_what_is_too_large_to_be_given_up_is_named_and_holds_up_nobody() {
        Shard shard = smallCommits();
        // a dead letter of it is not sure to fit into a commit
        Bytes large = Bytes.of(new byte[COMMIT * 3 / 4 - 100]);
        Await.result(shard.open(Polls.range(
                0,
                2,
                Set.of(BILLING),
                Incoming.of(0, large, Attributes.NONE).to(BILLING, ALICE),
                Polls.message(1).to(BILLING, ALICE))));
        map.pass(Polls.LEASE);

        HandOutResult.HandedOut given =
                (HandOutResult.HandedOut) Await.result(shard.handOut(1, LEASE, due -> Optional.of(BOB)));

        assertThat(given.exhausted())
                .singleElement()
                .satisfies(letter -> assertThat(letter.id().offset()).isOne());
        assertThat(given.unreadable())
                .singleElement()
                .satisfies(damage -> assertThat(damage.why())
                        .contains(String.valueOf(COMMIT))
                        .contains("discard"));
        assertThat(shard.view().unreadable()).isEqualTo(given.unreadable());
        assertThat(node.open()).singleElement().satisfies(open -> {
            assertThat(open.offset()).isZero();
            assertThat(Await.result(shard.discard(open.id()))).isEqualTo(new DiscardResult.Discarded());
        });
        assertThat(shard.view().watermark()).hasValue(2);
    }

    @Test
    void required_G09_a_message_whose_dead_letter_might_not_fit_is_not_opened() {
        Shard shard = smallCommits();
        Incoming message =
                Incoming.of(0, Bytes.of(new byte[COMMIT * 5 / 8]), Attributes.of("large", "a".repeat(COMMIT / 5)));

        assertThat(Await.result(shard.open(Polls.range(0, 1, Set.of(BILLING), message.to(BILLING))))
                        .deliveries())
                .singleElement()
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure())
                                .isInstanceOf(LimitExceededException.class)
                                .hasMessageContaining(String.valueOf(COMMIT * 5 / 8 + COMMIT / 5 + 5))
                                .hasMessageContaining(String.valueOf(COMMIT * 3 / 4)));
        assertThat(shard.view().all().open()).isZero();
    }

    @Test
    void required_G09_a_reason_that_is_too_long_is_refused_and_changes_nothing() {
        Shard shard = node.claim();
        HandOut pushed =
                Polls.handOuts(Await.result(shard.open(Polls.forAlice(0, 1)))).get(0);
        String longest = "\u00e9".repeat(2048);

        assertThatThrownBy(() -> Await.result(
                        shard.nack(new Nack(pushed.receipt(), ALICE.client(), longest + "a"), Retry.immediately(9))))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("4097")
                .hasMessageContaining("4096");
        assertThatThrownBy(() -> Await.result(shard.deadLetter(pushed.receipt(), longest + "a")))
                .isInstanceOf(LimitExceededException.class);
        assertThat(node.find(pushed.delivery())).contains(pushed.delivery());
        Await.result(shard.nack(new Nack(pushed.receipt(), ALICE.client(), longest), Retry.immediately(9)));
        assertThat(node.find(pushed.delivery()).orElseThrow().lastFailure()).contains(longest);
    }

    @Test
    void it_says_when_to_come_back() {
        Shard shard = node.claim();
        Instant begin = map.clock().instant();
        assertThat(handOut(shard, 9).nextDue()).isEmpty();
        Await.result(shard.open(Polls.forAlice(0, 3)));
        assertThat(handOut(shard, 9).nextDue()).contains(begin.plus(Polls.LEASE));
        map.pass(Polls.LEASE);
        Instant due = map.clock().instant();
        assertThat(handOut(shard, 2).nextDue()).contains(due);
        map.pass(Duration.ofMillis(10));
        HandOutResult.HandedOut last = handOut(shard, 9);
        assertThat(last.given()).hasSize(1);
        assertThat(last.nextDue()).contains(due.plus(LEASE));
        // what nobody wants now is no reason to come at once
        map.pass(LEASE.minusMillis(10));
        HandOutResult.HandedOut unwanted =
                (HandOutResult.HandedOut) Await.result(shard.handOut(9, LEASE, nobody -> Optional.empty()));
        assertThat(unwanted.given()).isEmpty();
        assertThat(unwanted.nextDue()).contains(due.plus(LEASE).plusMillis(10));
    }

    /** Of 60, with one commit applied and the next at the gate. */
    private CompletionStage<HandOutResult> halfway(Shard shard, GatedMap gate) {
        Await.result(shard.open(Polls.forAlice(0, 60)));
        map.pass(Polls.LEASE);
        gate.close(true);
        CompletionStage<HandOutResult> handingOut = shard.handOut(60, LEASE, due -> Optional.of(BOB));
        gate.next().decide();
        return handingOut;
    }

    @Test
    void what_was_given_before_a_failure_is_told() {
        GatedMap gate = inSmallCommits();
        Shard shard = node.claim();
        CompletionStage<HandOutResult> handingOut = halfway(shard, gate);
        gate.next().fail(new StoreUnavailableException("no more"));
        List<HandOut> given = Await.result(handingOut).handOuts();
        gate.open();
        assertThat(given).hasSizeBetween(1, 59);
        given.forEach(each -> assertThat(Await.result(shard.ack(Ack.of(each.receipt(), BOB.client()))))
                .isInstanceOf(AckResult.Acked.class));
        assertThat(Await.result(shard.handOut(60, LEASE, due -> Optional.of(BOB)))
                        .handOuts())
                .hasSize(60 - given.size());
    }

    @Test
    void what_was_given_before_the_time_was_over_is_told() {
        GatedMap gate = inSmallCommits();
        Shard shard = node.claim();
        CompletionStage<HandOutResult> handingOut = halfway(shard, gate);
        GatedMap.Waiting second = gate.next();
        map.pass(Node.DEADLINE.plusSeconds(1));
        assertThat(Await.result(handingOut).handOuts()).hasSizeBetween(1, 59);
        second.decide();
        gate.open();
    }

    @Test
    void a_hand_out_that_gave_nothing_fails() {
        GatedMap gate = inSmallCommits();
        Shard shard = node.claim();
        Await.result(shard.open(Polls.forAlice(0, 3)));
        map.pass(Polls.LEASE);
        gate.close(true);
        CompletionStage<HandOutResult> handingOut = shard.handOut(3, LEASE, due -> Optional.of(BOB));
        gate.next().fail(new StoreUnavailableException("nothing at all"));
        assertThatThrownBy(() -> Await.result(handingOut))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing at all");
        gate.open();
    }

    private static HandOutResult.HandedOut handOut(Shard shard, int limit) {
        return (HandOutResult.HandedOut) Await.result(shard.handOut(limit, LEASE, due -> Optional.of(BOB)));
    }

    private GatedMap inSmallCommits() {
        close();
        GatedMap gate = new GatedMap(new Limits(30, COMMIT));
        map = new SharedMap(gate);
        node = new Node(map);
        return gate;
    }

    private Shard smallCommits() {
        close();
        map = new SharedMap(small);
        node = new Node(map, StoreLimits.DEFAULT.withHandOuts(1), Durability.DISK, StoreListener.NONE);
        return node.claim();
    }
}
