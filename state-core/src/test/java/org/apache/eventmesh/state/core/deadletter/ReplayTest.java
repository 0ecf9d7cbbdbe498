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
package org.apache.eventmesh.state.core.deadletter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.world.Instance;
import org.apache.eventmesh.state.core.world.WithheldAnswers;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Where the partition is ours: the letter becomes a delivery, once per request. */
class ReplayTest {
    private static final Partition PARTITION = new Partition("orders", 0);
    private static final RequestKey ONCE = RequestKey.of("once");

    private final WithheldAnswers map = new WithheldAnswers();
    private final World world = new World(map);
    private final Instance a = world.instance("a");

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void required_L04_a_letter_becomes_a_delivery_and_is_gone() {
        a.own(PARTITION);
        ShardLoop loop = a.loop(PARTITION);
        DeadLetter letter = letter(101);

        ReplayResult result = replay(a, letter, ONCE);

        OpenDelivery open = onlyOpen(loop);
        DeliveryId delivery = new DeliveryId(PARTITION, "map", open.number());
        assertThat(result).isEqualTo(new ReplayResult.Replayed(delivery));
        assertThat(Await.result(a.deliveries.find(delivery)))
                .hasValueSatisfying(again -> assertThat(again.payload()).isEqualTo(letter.payload()));
        assertThat(open.key().kind()).isEqualTo(DeliveryKind.REPLAY);
        assertThat(open.offset()).isEqualTo(101);
        assertThat(open.subscriber()).isEqualTo(letter.id().subscriber());
        assertThat(open.dueAt()).isEqualTo(world.now().toEpochMilli());
        assertThat(Await.result(a.deadLetters.count(DeadLetterFilter.all()))).isZero();
        assertThat(Await.result(a.deadLetters.find(letter.id()))).isEmpty();
        assertThat(Await.result(a.offsets.position(PARTITION, letter.id().subscriber())))
                .isEmpty();
    }

    @Test
    void required_L04_a_repeat_gets_the_first_result_and_another_request_finds_nothing() {
        a.own(PARTITION);
        ShardLoop loop = a.loop(PARTITION);
        DeadLetter letter = letter(101);
        ReplayResult first = replay(a, letter, ONCE);

        assertThat(replay(a, letter, ONCE)).isEqualTo(first);
        assertThat(replay(a, letter, RequestKey.of("other"))).isEqualTo(new ReplayResult.Gone());
        assertThat(onlyOpen(loop)).isNotNull();

        // also through another owner
        Instance b = world.instance("b");
        b.own(PARTITION);
        assertThat(replay(b, letter, ONCE)).isEqualTo(first);
    }

    @Test
    void required_L04_requests_at_once_under_one_key_make_one_delivery() {
        a.own(PARTITION);
        ShardLoop loop = a.loop(PARTITION);
        DeadLetter letter = letter(101);
        List<CompletableFuture<ReplayResult>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(a.deadLetters.replay(letter, ONCE).toCompletableFuture());
        }
        Set<ReplayResult> results = new HashSet<>();
        calls.forEach(call -> results.add(call.join()));

        assertThat(results).hasSize(1).hasOnlyElementsOfType(ReplayResult.Replayed.class);
        assertThat(onlyOpen(loop)).isNotNull();
    }

    @Test
    void required_L04_a_repeat_after_an_unknown_outcome_gets_the_delivery_that_was_made() {
        a.own(PARTITION);
        ShardLoop loop = a.loop(PARTITION);
        DeadLetter letter = letter(101);
        map.withhold();
        CompletionStage<ReplayResult> unknown = a.deadLetters.replay(letter, ONCE);
        Awaitility.await().until(() -> map.withheld() > 0);
        world.pass(Duration.ofSeconds(11));
        assertThatThrownBy(() -> Await.result(unknown)).isInstanceOf(OutcomeUnknownException.class);
        map.comeBack();

        ReplayResult repeat = replay(a, letter, ONCE);

        assertThat(repeat)
                .isEqualTo(new ReplayResult.Replayed(
                        new DeliveryId(PARTITION, "map", onlyOpen(loop).number())));
    }

    @Test
    void a_letter_that_was_given_up_again_is_not_replayed_on_an_old_reading() {
        a.own(PARTITION);
        ShardLoop loop = a.loop(PARTITION);
        DeadLetter old = letter(101);
        DeadLetter current = letter(101);

        assertThat(replay(a, old, ONCE)).isEqualTo(new ReplayResult.Changed(current));
        assertThat(loop.<Integer>look(index -> index.size())).isZero();
        assertThat(replay(a, current, ONCE)).isInstanceOf(ReplayResult.Replayed.class);
    }

    @Test
    void required_L04_a_request_that_waited_is_finished_by_the_owner_at_its_claim() {
        DeadLetter letter = letter(101);
        assertThat(replay(a, letter, ONCE)).isEqualTo(new ReplayResult.Queued());

        Instance b = world.instance("b");
        b.own(PARTITION);
        ShardLoop loop = b.loop(PARTITION);

        awaitOpen(loop, 1);
        assertThat(replay(a, letter, ONCE)).isInstanceOf(ReplayResult.Replayed.class);
        assertThat(world.map.get(new ReplayKey(letter.id(), ONCE).queued())).isEmpty();
    }

    @Test
    void required_L04_a_request_that_comes_while_another_owns_is_finished_there() {
        Instance b = world.instance("b");
        b.own(PARTITION);
        ShardLoop loop = b.loop(PARTITION);
        DeadLetter letter = letter(101);

        assertThat(replay(a, letter, ONCE)).isEqualTo(new ReplayResult.Queued());

        awaitOpen(loop, 1);
        Awaitility.await()
                .untilAsserted(() -> assertThat(replay(a, letter, ONCE)).isInstanceOf(ReplayResult.Replayed.class));
    }

    @Test
    void required_L04_a_former_owner_queues_instead() {
        a.own(PARTITION);
        DeadLetter letter = letter(101);
        Instance b = world.instance("b");
        b.own(PARTITION);
        ShardLoop loop = b.loop(PARTITION);

        assertThat(replay(a, letter, ONCE)).isEqualTo(new ReplayResult.Queued());
        awaitOpen(loop, 1);
    }

    @Test
    void required_L04_what_the_owner_cannot_finish_now_it_finishes_later() {
        Instance full = world.instance("full", 1);
        Shard shard = full.own(PARTITION);
        DeadLetter first = letter(1);
        assertThat(replay(full, first, ONCE)).isInstanceOf(ReplayResult.Replayed.class);
        DeadLetter second = letter(2);
        assertThatThrownBy(() -> replay(full, second, RequestKey.of("here"))).isInstanceOf(OverloadedException.class);
        assertThat(replay(a, second, ONCE)).isEqualTo(new ReplayResult.Queued());

        Await.result(shard.withdraw(first.id().subscriber()));

        Awaitility.await().untilAsserted(() -> {
            world.pass(Duration.ofSeconds(1));
            assertThat(replay(a, second, ONCE)).isInstanceOf(ReplayResult.Replayed.class);
        });
    }

    @Test
    void reconciling_finishes_what_waits_for_owned_partitions() {
        for (int i = 0; i < 150; i++) {
            assertThat(replay(a, letter(i), ONCE)).isEqualTo(new ReplayResult.Queued());
        }
        a.own(PARTITION);
        ShardLoop loop = a.loop(PARTITION);

        // some may be noticed by the watch first
        assertThat(Await.result(a.queued.reconcile())).isBetween(0L, 150L);
        // what the watch began may be applied and not yet told to the shard
        awaitOpen(loop, 150);
        assertThat(Await.result(a.queued.reconcile())).isZero();
    }

    @Test
    void a_request_that_waited_comes_to_nothing_when_the_letter_was_purged() {
        DeadLetter letter = letter(101);
        replay(a, letter, ONCE);
        Await.result(a.deadLetters.purge(letter));
        a.own(PARTITION);
        ShardLoop loop = a.loop(PARTITION);

        assertThat(Await.result(a.queued.reconcile())).isZero();
        assertThat(replay(a, letter, ONCE)).isEqualTo(new ReplayResult.Gone());
        assertThat(loop.<Integer>look(index -> index.size())).isZero();
        assertThat(world.map.get(new ReplayKey(letter.id(), ONCE).queued())).isEmpty();
    }

    /** Given up, or given up again, as a shard does it. */
    private DeadLetter letter(long offset) {
        DeadLetterId id = new DeadLetterId(PARTITION, offset, Subscriber.group("billing"));
        world.pass(Duration.ofMillis(1));
        DeadLetterRecord record = DeadLetterRecord.newBuilder()
                .setPayload(SharedValues.bytes(Bytes.utf8("payload")))
                .setReason("given up")
                .setDeadAtMillis(world.now().toEpochMilli())
                .setIncarnation("map")
                .setDelivery(1 + offset)
                .build();
        Optional<DeadLetterRecord> replaced = Await.result(a.deadLetters.find(id))
                .map(old -> record.toBuilder()
                        .setDeadAtMillis(old.deadAt().toEpochMilli())
                        .build());
        Await.result(world.engine
                .commit(List.of(new Commit(List.of(), DeadLetterRecords.put(id, record, replaced))), Durability.DISK)
                .get(0));
        return Await.result(a.deadLetters.find(id)).orElseThrow();
    }

    private static ReplayResult replay(Instance by, DeadLetter letter, RequestKey request) {
        return Await.result(by.deadLetters.replay(letter, request));
    }

    private static OpenDelivery onlyOpen(ShardLoop loop) {
        return loop.look(index -> {
            assertThat(index.all()).hasSize(1);
            return index.all().iterator().next();
        });
    }

    private static void awaitOpen(ShardLoop loop, int count) {
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(loop.<Integer>look(index -> index.size())).isEqualTo(count));
    }
}
