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
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.DeadLetterStore;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.GENERATION;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.SHIPPING;
import static org.apache.eventmesh.state.tck.contract.Examples.payload;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/** L01 to L05: what was given up, once, with all that was known of it. */
public interface LetterRules extends Rules {
    @Test
    @OneBackend
    default void required_L01_giving_up_is_one_step_and_its_repeat_gives_the_first_result() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(range(7, 8, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        long before = a.commits();

        NackResult first = get(shard.deadLetter(given.receipt(), "broken"));

        DeadLetterId id = new DeadLetterId(ORDERS_0, 7, BILLING);
        assertThat(a.commits() - before).isOne();
        assertThat(first).isEqualTo(new NackResult.DeadLettered(id, OptionalLong.of(8), Optional.empty()));
        assertThat(get(shard.deadLetter(given.receipt(), "broken"))).isEqualTo(first);
        assertThat(get(shard.ack(Ack.of(given.receipt(), ALICE.client()))))
                .isEqualTo(new Refused.Settled(Refused.How.DEAD_LETTERED));
        assertThat(get(a.stores().deadLetters().count(DeadLetterFilter.all()))).isOne();
    }

    @Test
    default void required_L02_a_record_keeps_all_that_was_known() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Attributes attributes = new Attributes(Map.of("tenant", "t1", "trace", ""));
        Incoming message = Incoming.of(3, payload(3), attributes).to(BILLING, ALICE);
        Instant opened = now();
        HandOut first = get(shard.open(OpenBatch.range(GENERATION, 3, 4, List.of(BILLING), List.of(message), HAND_OUT)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        passTime(Duration.ofSeconds(1));
        get(shard.nack(new Nack(first.receipt(), ALICE.client(), "busy"), Retry.immediately(2)));
        HandOut second = get(shard.handOut(1, HAND_OUT, due -> Optional.of(BOB)))
                .handOuts()
                .get(0);
        passTime(Duration.ofSeconds(1));
        get(shard.nack(new Nack(second.receipt(), BOB.client(), "broken"), Retry.immediately(2)));

        DeadLetter letter = get(a.stores().deadLetters().find(new DeadLetterId(ORDERS_0, 3, BILLING)))
                .orElseThrow();
        assertThat(letter.payload()).isEqualTo(payload(3));
        assertThat(letter.attributes()).isEqualTo(attributes);
        assertThat(letter.reason()).contains("broken");
        assertThat(letter.handOuts()).isEqualTo(2);
        assertThat(letter.failures())
                .containsExactly(
                        new DeadLetter.Failure(opened.plusSeconds(1), "busy"),
                        new DeadLetter.Failure(opened.plusSeconds(2), "broken"));
        assertThat(letter.openedAt()).isEqualTo(opened);
        assertThat(letter.deadAt()).isEqualTo(opened.plusSeconds(2));
        assertThat(letter.delivery()).isEqualTo(first.delivery().id());
    }

    @Test
    default void required_L02_the_same_message_is_not_recorded_twice_under_two_ids() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        for (int time = 0; time < 2; time++) {
            HandOut given = get(shard.open(range(0, 1, BILLING, ALICE)))
                    .handOuts()
                    .findFirst()
                    .orElseThrow();
            get(shard.deadLetter(given.receipt(), "time " + time));
            assertThat(get(a.stores().offsets().reset(shard, BILLING, Reset.from(1, 0))))
                    .isInstanceOf(ResetResult.Done.class);
        }

        assertThat(get(a.stores().deadLetters().list(DeadLetterFilter.all(), PageRequest.first(10)))
                        .items())
                .singleElement()
                .satisfies(letter -> assertThat(letter.reason()).contains("time 1"));
        assertThat(get(a.stores().deadLetters().count(DeadLetterFilter.all()))).isOne();
    }

    @Test
    default void required_L03_read_count_and_page_by_topic_subscriber_and_time() {
        Instance a = open("A");
        Instant begin = now();
        dead(a, ORDERS_0, BILLING, 5);
        passTime(Duration.ofSeconds(10));
        dead(a, new Partition("order", 0), BILLING, 2);
        dead(a, ORDERS_0, SHIPPING, 3);
        DeadLetterStore store = a.stores().deadLetters();

        assertThat(get(store.count(DeadLetterFilter.all()))).isEqualTo(10);
        assertThat(get(store.count(DeadLetterFilter.topic("orders")))).isEqualTo(8);
        assertThat(get(store.count(DeadLetterFilter.topic("order")))).isEqualTo(2);
        assertThat(get(store.count(DeadLetterFilter.subscriber(BILLING)))).isEqualTo(7);
        assertThat(get(store.count(DeadLetterFilter.subscriber(BILLING).since(begin.plusSeconds(10)))))
                .isEqualTo(2);
        List<DeadLetter> all = new ArrayList<>();
        Optional<PageRequest> page = Optional.of(PageRequest.first(3));
        while (page.isPresent()) {
            Page<DeadLetter> part = get(store.list(DeadLetterFilter.topic("orders"), page.get()));
            assertThat(part.items()).hasSizeLessThanOrEqualTo(3);
            all.addAll(part.items());
            page = part.next();
        }
        assertThat(all)
                .hasSize(8)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo(Comparator.comparing(DeadLetter::deadAt));
    }

    @Test
    default void required_L03_retention_is_bounded_and_goes_on_where_it_stopped() {
        Instance a = open("A");
        dead(a, ORDERS_0, BILLING, 7);
        passTime(Duration.ofSeconds(10));
        Instant until = now();
        dead(a, ORDERS_0, SHIPPING, 2);
        DeadLetterStore store = a.stores().deadLetters();

        Swept first = get(store.purge(DeadLetterFilter.all(), until, 5));
        assertThat(first).isEqualTo(new Swept(5, true));
        Swept second = get(store.purge(DeadLetterFilter.all(), until, 5));
        assertThat(second.count()).isEqualTo(2);
        assertThat(get(store.purge(DeadLetterFilter.all(), until, 5))).isEqualTo(new Swept(0, false));
        assertThat(get(store.count(DeadLetterFilter.all()))).isEqualTo(2);
    }

    @Test
    default void required_L03_one_is_purged_only_as_it_was_read() {
        Instance a = open("A");
        dead(a, ORDERS_0, BILLING, 1);
        DeadLetterStore store = a.stores().deadLetters();
        DeadLetter read =
                get(store.find(new DeadLetterId(ORDERS_0, 0, BILLING))).orElseThrow();
        Shard shard = a.shard(ORDERS_0);
        get(a.stores().offsets().reset(shard, BILLING, Reset.from(1, 0)));
        dead(a, ORDERS_0, BILLING, 1);

        assertThat(get(store.purge(read))).isInstanceOf(PurgeResult.Changed.class);
        DeadLetter now = ((PurgeResult.Changed) get(store.purge(read))).current();
        assertThat(get(store.purge(now))).isEqualTo(new PurgeResult.Purged());
        assertThat(get(store.purge(now))).isEqualTo(new PurgeResult.Gone());
    }

    @Test
    default void required_L04_a_replay_happens_once_for_each_key() {
        Instance a = open("A");
        dead(a, ORDERS_0, BILLING, 1);
        DeadLetterStore store = a.stores().deadLetters();
        DeadLetter letter =
                get(store.find(new DeadLetterId(ORDERS_0, 0, BILLING))).orElseThrow();

        ReplayResult first = get(store.replay(letter, RequestKey.of("k")));

        assertThat(first).isInstanceOf(ReplayResult.Replayed.class);
        assertThat(get(store.replay(letter, RequestKey.of("k")))).isEqualTo(first);
        assertThat(get(store.replay(letter, RequestKey.of("other")))).isEqualTo(new ReplayResult.Gone());
        HandOut again = get(a.shard(ORDERS_0).handOut(10, HAND_OUT, due -> Optional.of(ALICE)))
                .handOuts()
                .get(0);
        assertThat(again.delivery().id()).isEqualTo(((ReplayResult.Replayed) first).delivery());
        assertThat(again.delivery().payload()).isEqualTo(payload(0));
        assertThat(get(a.shard(ORDERS_0).ack(Ack.of(again.receipt(), ALICE.client()))))
                .isEqualTo(new AckResult.Acked(OptionalLong.empty(), Optional.empty()));
    }

    @Test
    default void required_L04_where_another_owns_the_shard_the_owner_finishes_the_request() {
        Instance a = open("A");
        dead(a, ORDERS_0, BILLING, 1);
        Shard owned = a.shard(ORDERS_0);
        DeadLetterStore elsewhere = open("B").stores().deadLetters();
        DeadLetterId id = new DeadLetterId(ORDERS_0, 0, BILLING);

        ReplayResult answer = get(elsewhere.replay(get(elsewhere.find(id)).orElseThrow(), RequestKey.of("k")));

        assertThat(answer).isEqualTo(new ReplayResult.Queued());
        eventually(() -> assertThat(owned.view().all().open()).isOne());
        assertThat(get(elsewhere.find(id))).isEmpty();
    }

    @Test
    default void required_L05_three_failures_and_a_crash_are_one_dead_letter() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 1, BILLING)));
        for (int failure = 1; failure <= 3; failure++) {
            HandOut given = get(shard.handOut(1, HAND_OUT, due -> Optional.of(ALICE)))
                    .handOuts()
                    .get(0);
            get(shard.nack(new Nack(given.receipt(), ALICE.client(), "no " + failure), Retry.immediately(3)));
        }
        Instance b = open("B");
        a.crash();
        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(get(b.stores().deadLetters().list(DeadLetterFilter.all(), PageRequest.first(10)))
                        .items())
                .singleElement()
                .satisfies(letter -> assertThat(letter.failures()).hasSize(3));
        assertThat(next.view().all().open()).isZero();
    }

    private Instant now() {
        return kit().time().clock().instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private void dead(Instance at, Partition partition, Subscriber subscriber, int count) {
        Shard shard = at.shard(partition);
        get(shard.open(range(0, count, subscriber, ALICE)))
                .handOuts()
                .forEach(h -> get(shard.deadLetter(h.receipt(), "broken")));
    }
}
