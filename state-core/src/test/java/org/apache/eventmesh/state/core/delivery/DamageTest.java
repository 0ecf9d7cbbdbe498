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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.AUDIT;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.apache.eventmesh.state.core.delivery.Polls.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Records of a shard that cannot be decoded: they hide nothing else, and count as open until discarded. */
class DamageTest {
    private final GatedMap gate = new GatedMap();
    private final SharedMap map = new SharedMap(gate);
    private final List<Unreadable> reported = new CopyOnWriteArrayList<>();
    private final StoreListener listener = new StoreListener() {
        @Override
        public void unreadable(StoreName store, Unreadable record) {
            reported.add(record);
        }
    };
    private Node node = node();
    private Shard shard = node.claim();

    private Node node() {
        return new Node(map, StoreLimits.DEFAULT, Durability.DISK, listener);
    }

    @AfterEach
    void close() {
        gate.open();
        node.close();
        map.close();
    }

    private void restart() {
        node.close();
        node = node();
        shard = node.takeOver();
    }

    private void damage(Table table, int place) {
        List<Entry> entries = new ArrayList<>(
                Await.result(map.map().scan(KeyWriter.of(table).under(), 100)).entries());
        byte[] value = entries.get(place).value().toArray();
        value[value.length - 1] ^= 1;
        map.map().put(entries.get(place).key(), Bytes.of(value));
    }

    private HandOutResult.HandedOut handOut() {
        map.pass(Polls.LEASE);
        return (HandOutResult.HandedOut)
                Await.result(shard.handOut(10, Duration.ofSeconds(1), due -> Optional.of(BOB)));
    }

    private List<HandOut> open() {
        return Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 103))));
    }

    @Test
    void a_damaged_delivery_holds_its_position_and_nothing_else() {
        List<HandOut> pushed = open();
        damage(Table.DELIVERY, 1);
        restart();
        Awaitility.await().untilAsserted(() -> assertThat(reported).hasSize(1));
        assertThat(shard.view().unreadable()).isEqualTo(reported);
        assertThat(shard.view().all().open()).isEqualTo(3);
        assertThatThrownBy(() -> Await.result(shard.ack(Ack.of(pushed.get(1).receipt(), ALICE.client()))))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("DELIVERY");
        HandOutResult.HandedOut given = handOut();
        assertThat(given.given()).hasSize(2);
        assertThat(given.unreadable()).isEqualTo(reported);
        given.given().forEach(each -> Await.result(shard.ack(Ack.of(each.receipt(), BOB.client()))));
        assertThat(shard.view().watermark()).hasValue(101);
        assertThat(Await.result(shard.open(Polls.forAlice(101, 102)))
                        .deliveries()
                        .get(0))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(Await.result(shard.discard(pushed.get(0).delivery().id()))).isEqualTo(new DiscardResult.NotOpen());
        assertThat(Await.result(shard.discard(pushed.get(1).delivery().id()))).isEqualTo(new DiscardResult.Discarded());
        assertThat(shard.view().watermark()).hasValue(103);
        assertThat(shard.view().unreadable()).isEmpty();
    }

    @Test
    void a_damaged_payload_is_reported_when_it_is_wanted() {
        List<HandOut> pushed = open();
        damage(Table.MESSAGE, 0);
        HandOutResult.HandedOut given = handOut();
        assertThat(given.given()).hasSize(2);
        assertThat(given.unreadable()).hasSize(1);
        assertThat(shard.view().unreadable()).isEqualTo(given.unreadable());
        Retry once = Retry.immediately(1);
        Nack nack = new Nack(given.given().get(0).receipt(), BOB.client(), "no");
        assertThat(Await.result(shard.nack(nack, once))).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(handOut().unreadable()).hasSize(1);
        assertThat(Await.result(shard.discard(pushed.get(0).delivery().id()))).isEqualTo(new DiscardResult.Discarded());
        assertThat(handOut().unreadable()).isEmpty();
        assertThat(shard.view().unreadable()).isEmpty();
    }

    @Test
    void a_payload_that_is_needed_for_the_dead_letter_keeps_the_delivery_open() {
        List<HandOut> pushed = open();
        damage(Table.MESSAGE, 0);
        assertThatThrownBy(() -> Await.result(shard.deadLetter(pushed.get(0).receipt(), "poison")))
                .isInstanceOf(CorruptStateException.class);
        assertThat(shard.view().all().open()).isEqualTo(3);
        assertThat(Await.result(shard.ack(Ack.of(pushed.get(0).receipt(), ALICE.client()))))
                .isInstanceOf(AckResult.Acked.class);
    }

    @Test
    void damaged_progress_holds_the_watermark_until_the_subscriber_is_withdrawn() {
        Await.result(shard.open(Polls.range(
                100, 101, Set.of(BILLING, AUDIT), Polls.message(100).to(BILLING).to(AUDIT))));
        damage(Table.PROGRESS, 0);
        restart();
        assertThat(shard.view().watermark()).hasValue(0);
        var report = Await.result(shard.open(Polls.range(
                101, 102, Set.of(BILLING, AUDIT), Polls.message(101).to(BILLING).to(AUDIT))));
        assertThat(report.deliveries()).hasAtLeastOneElementOfType(Outcome.Failed.class);
        assertThat(Polls.result(report, 0)).isInstanceOf(OpenResult.Opened.class);
        assertThat(Await.result(shard.withdraw(AUDIT))).isEqualTo(new SweepResult.Done(1));
        assertThat(shard.view().watermark()).hasValue(100);
    }

    @Test
    void required_G08_a_withdrawal_or_removal_that_was_not_applied_leaves_the_progress_damaged() {
        Await.result(shard.open(
                Polls.range(100, 101, Set.of(BILLING, AUDIT), Polls.message(100).to(BILLING))));
        damage(Table.PROGRESS, 0);
        restart();
        for (Supplier<CompletionStage<?>> call : List.<Supplier<CompletionStage<?>>>of(
                () -> shard.withdraw(AUDIT), () -> node.offsets().remove(shard, AUDIT))) {
            gate.close(true);
            CompletionStage<?> failing = call.get();
            gate.next().fail(new StoreUnavailableException("the disk said no"));
            assertThatThrownBy(() -> Await.result(failing)).isInstanceOf(StoreUnavailableException.class);
            gate.open();
            var report = Await.result(shard.open(Polls.range(101, 101, Set.of(AUDIT))));
            assertThat(report.readers().get(AUDIT)).isInstanceOf(Outcome.Failed.class);
        }
        assertThat(Await.result(node.offsets().remove(shard, AUDIT))).isEqualTo(new RemoveResult.Removed(true));
        restart();
        assertThat(shard.view().watermark()).hasValue(100);
    }

    @Test
    void a_damaged_fan_out_is_never_told_complete() {
        Await.result(shard.open(Polls.unordered(
                Polls.message(5).to(BILLING, ALICE).brokerHandle(Bytes.utf8("h"), Duration.ofHours(1)))));
        damage(Table.FAN_OUT, 0);
        restart();
        handOut().given().forEach(each -> Await.result(shard.ack(Ack.of(each.receipt(), BOB.client()))));
        assertThat(Await.result(shard.completed(10))).isEmpty();
        Awaitility.await().untilAsserted(() -> assertThat(reported).hasSize(1));
        // the broker gives the message again, with another handle
        Await.result(shard.open(Polls.unordered(
                Polls.message(5).to(BILLING, ALICE).brokerHandle(Bytes.utf8("h2"), Duration.ofHours(1)))));
        assertThat(Await.result(shard.completed(10))).hasSize(1);
    }

    @Test
    void what_can_be_decoded_is_told_and_not_discarded() {
        List<HandOut> pushed = open();
        assertThat(Await.result(shard.discard(pushed.get(0).delivery().id())))
                .isEqualTo(new DiscardResult.Decodable(pushed.get(0).delivery()));
        // the same number in another life of the data set
        DeliveryId elsewhere = new DeliveryId(
                Node.PARTITION, "another life", pushed.get(0).delivery().id().number());
        assertThat(Await.result(shard.discard(elsewhere))).isEqualTo(new DiscardResult.NotOpen());
        assertThat(node.open()).hasSize(3);
    }
}
