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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Await;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What callers are told, and what is true, for every fate of a commit. */
class FateTest {
    private static final Duration BEYOND = Node.DEADLINE.plusSeconds(1);

    private final GatedMap gate = new GatedMap();
    private final SharedMap map = new SharedMap(gate);
    private final Node node = new Node(map);
    private Shard shard = node.claim();
    private HandOut first;
    private HandOut second;

    @BeforeEach
    void open() {
        List<HandOut> pushed = Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 102))));
        first = pushed.get(0);
        second = pushed.get(1);
        gate.close(true);
    }

    @AfterEach
    void close() {
        gate.open();
        node.close();
        map.close();
    }

    private static Ack ack(HandOut handOut) {
        return Ack.of(handOut.receipt(), handOut.receiver().client());
    }

    private static void openUntil(CompletionStage<?> stage) {
        Awaitility.await().until(() -> stage.toCompletableFuture().isDone());
    }

    @Test
    void a_commit_that_was_not_applied_leaves_the_delivery_open() {
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        gate.next().fail(new StoreUnavailableException("the disk said no"));
        assertThatThrownBy(() -> Await.result(acking))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("ack")
                .hasMessageContaining("the disk said no");
        assertThat(shard.view().all().open()).isEqualTo(2);
        gate.open();
        assertThat(Await.result(shard.ack(ack(first)))).isInstanceOf(AckResult.Acked.class);
        assertThat(node.open()).hasSize(1);
    }

    @Test
    void while_the_fate_is_unknown_nothing_is_told_or_handed_out() {
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        GatedMap.Waiting held = gate.next();
        CompletionStage<AckResult> again = shard.ack(ack(first));
        CompletionStage<HandOutResult> handOut = shard.handOut(10, Duration.ofSeconds(1), due -> Optional.of(BOB));
        assertThat(shard.view().all().open()).isEqualTo(2);
        assertThat(shard.view().watermark()).hasValue(100);

        map.pass(BEYOND);
        assertThatThrownBy(() -> Await.result(acking)).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> Await.result(again)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> Await.result(handOut)).isInstanceOf(StoreUnavailableException.class);
        assertThat(shard.view().all().open()).isEqualTo(2);

        held.decide();
        gate.open();
        assertThat(Await.result(shard.ack(ack(first)))).isInstanceOf(AckResult.Duplicate.class);
        assertThat(shard.view().watermark()).hasValue(101);
    }

    @Test
    void an_unknown_commit_that_was_not_applied_can_be_asked_for_again() {
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        GatedMap.Waiting held = gate.next();
        map.pass(BEYOND);
        assertThatThrownBy(() -> Await.result(acking)).isInstanceOf(OutcomeUnknownException.class);
        held.fail(new StoreUnavailableException("it was never there"));
        gate.open();
        assertThat(Await.result(shard.ack(ack(first)))).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    void what_was_applied_without_an_answer_is_found_by_loading_again() {
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        gate.next().applyAndFail(new OutcomeUnknownException("closed before it was known"));
        assertThatThrownBy(() -> Await.result(acking)).isInstanceOf(OutcomeUnknownException.class);
        gate.open();
        assertThat(Await.result(shard.ack(ack(first)))).isInstanceOf(AckResult.Duplicate.class);
        assertThat(Await.result(shard.ack(ack(second)))).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    void an_operation_that_waits_too_long_is_never_applied() {
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        GatedMap.Waiting held = gate.next();
        CompletionStage<AckResult> waiting = shard.ack(ack(second));
        map.pass(BEYOND);
        assertThatThrownBy(() -> Await.result(waiting))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing was applied");
        held.decide();
        gate.open();
        openUntil(acking);
        assertThat(Await.result(shard.ack(ack(second)))).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    void what_waits_together_is_one_commit_and_decided_in_order() {
        CompletionStage<AckResult> holding = shard.ack(ack(second));
        GatedMap.Waiting held = gate.next();
        int before = gate.commits();
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        CompletionStage<AckResult> again = shard.ack(ack(first));
        CompletionStage<NackResult> nacking =
                shard.nack(new Nack(first.receipt(), ALICE.client(), "late"), Retry.immediately(1));
        CompletionStage<HandOutResult> handOut = shard.handOut(10, Duration.ofSeconds(1), due -> Optional.of(BOB));
        held.decide();
        gate.open();
        assertThat(Await.result(holding)).isInstanceOf(AckResult.Acked.class);
        AckResult.Acked acked = (AckResult.Acked) Await.result(acking);
        assertThat(Await.result(again)).isEqualTo(new AckResult.Duplicate(acked));
        assertThat(Await.result(nacking)).isEqualTo(new Refused.Settled(Refused.How.ACKED));
        assertThat(Await.result(handOut).handOuts()).isEmpty();
        assertThat(gate.commits() - before).isEqualTo(1);
    }

    @Test
    void an_owner_that_was_taken_over_changes_nothing() {
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        GatedMap.Waiting held = gate.next();
        CompletionStage<AckResult> waiting = shard.ack(ack(second));
        gate.close(false);
        try (Node thief = new Node(map)) {
            Shard taken = thief.takeOver();
            held.decide();
            Fenced fenced = (Fenced) Await.result(acking);
            assertThat(fenced.current().orElseThrow().epoch())
                    .isEqualTo(taken.token().epoch());
            assertThat(Await.result(waiting)).isEqualTo(fenced);
            assertThat(Await.result(shard.lost())).isEqualTo(fenced);
            assertThat(Await.result(shard.ack(ack(first)))).isEqualTo(fenced);
            assertThat(Await.result(shard.open(Polls.forAlice(102, 103)))
                            .deliveries()
                            .get(0)
                            .orThrow())
                    .isEqualTo(fenced);
            assertThat(thief.open()).hasSize(2);
            assertThat(Await.result(taken.ack(ack(first)))).isInstanceOf(AckResult.Acked.class);
        }
    }

    @Test
    void two_loops_under_one_token_never_mislead_each_other() {
        gate.close(false);
        try (Node other = new Node(map)) {
            Shard twin = other.deliveries().shard(shard.token());
            assertThat(Await.result(twin.ack(ack(first)))).isInstanceOf(AckResult.Acked.class);
            assertThat(Await.result(shard.ack(ack(first)))).isInstanceOf(AckResult.Duplicate.class);
            HandOut third = Polls.handOuts(Await.result(shard.open(Polls.forAlice(102, 103))))
                    .get(0);
            assertThat(Await.result(twin.ack(ack(third)))).isInstanceOf(AckResult.Acked.class);
            HandOut fourth = Polls.handOuts(Await.result(twin.open(Polls.forAlice(103, 104))))
                    .get(0);
            assertThat(fourth.receipt().delivery().number())
                    .isGreaterThan(third.receipt().delivery().number());
            assertThat(node.open()).hasSize(2);
        }
    }

    @Test
    void a_token_that_nobody_holds_any_more_is_fenced() {
        gate.close(false);
        Await.result(shard.release());
        try (Node other = new Node(map)) {
            assertThat(Await.result(other.deliveries().shard(shard.token()).ack(ack(first))))
                    .isEqualTo(new Fenced(Optional.empty()));
        }
        assertThat(Await.result(shard.ack(ack(first)))).isEqualTo(new Fenced(Optional.empty()));
    }

    @Test
    void closing_tells_everybody_what_is_known() {
        CompletionStage<AckResult> acking = shard.ack(ack(first));
        gate.next();
        CompletionStage<AckResult> waiting = shard.ack(ack(second));
        CompletionStage<?> opening = shard.open(Polls.forAlice(102, 103));
        CompletableFuture<Void> closed =
                CompletableFuture.runAsync(() -> node.backend().close(Duration.ofMillis(100)));
        assertThatThrownBy(() -> Await.result(waiting)).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> Await.result(opening)).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> Await.result(acking)).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> Await.result(shard.ack(ack(first)))).isInstanceOf(StoreClosedException.class);
        closed.join();
    }

    @Test
    void a_route_that_throws_fails_its_own_call_only() {
        gate.close(false);
        map.pass(Polls.LEASE);
        CompletionStage<HandOutResult> broken = shard.handOut(10, Polls.LEASE, due -> {
            throw new IllegalArgumentException("no such client");
        });
        assertThatThrownBy(() -> Await.result(broken)).hasMessageContaining("no such client");
        assertThat(Await.result(shard.handOut(10, Polls.LEASE, due -> Optional.of(BOB)))
                        .handOuts())
                .hasSize(2);
    }

    @Test
    void hand_outs_that_are_decided_together_do_not_share() {
        map.pass(Polls.LEASE);
        CompletionStage<AckResult> holding =
                shard.ack(new Ack(second.receipt(), BOB.client(), ack(second).key()));
        GatedMap.Waiting held = gate.next();
        CompletionStage<HandOutResult> one = shard.handOut(1, Polls.LEASE, due -> Optional.of(ALICE));
        CompletionStage<HandOutResult> two = shard.handOut(1, Polls.LEASE, due -> Optional.of(BOB));
        CompletionStage<HandOutResult> three = shard.handOut(1, Polls.LEASE, due -> Optional.of(BOB));
        held.decide();
        gate.open();
        assertThat(Await.result(holding)).isInstanceOf(Refused.WrongReceiver.class);
        assertThat(Await.result(one).handOuts()).hasSize(1);
        assertThat(Await.result(two).handOuts()).hasSize(1);
        assertThat(Await.result(three).handOuts()).isEmpty();
    }
}
