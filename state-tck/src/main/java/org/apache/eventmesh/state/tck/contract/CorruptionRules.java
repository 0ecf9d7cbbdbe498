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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.tck.kit.AcrossBackends;
import org.apache.eventmesh.state.tck.kit.Below;
import org.apache.eventmesh.state.tck.kit.Events;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** G08: a record that cannot be decoded is named, and hides no other. */
public interface CorruptionRules extends Rules {
    @Test
    default void required_G08_reading_a_damaged_record_is_an_exception_that_names_it() {
        Instance a = open("A");
        Scene scene = new Scene("bad", a);
        StateStores stores = a.stores();
        Map<String, Supplier<CompletionStage<?>>> reads = new LinkedHashMap<>();
        reads.put("TASK", () -> stores.tasks().find(scene.task.id()));
        reads.put("DEAD_LETTER", () -> stores.deadLetters().find(scene.letter.id()));
        reads.put("AGENT", () -> stores.sessions().find(scene.agent.token().scope()));
        reads.put("SESSION", () -> stores.sessions().find(new SessionId("bad-session")));
        damage(reads.keySet().stream(), "bad-");

        SoftAssertions soft = new SoftAssertions();
        reads.forEach((table, read) -> soft.assertThat(Operation.answers(read.get()))
                .as(table)
                .singleElement()
                .isInstanceOfSatisfying(
                        CorruptStateException.class,
                        failure -> assertThat(failure.getMessage())
                                .contains("bad-")
                                .contains(table)
                                .matches(FailureRules.ADVICE)));
        soft.assertAll();
    }

    @Test
    default void required_G08_a_page_names_what_it_could_not_decode_beside_its_records() {
        Instance a = open("A");
        new Scene("bad", a);
        new Scene("good", a);
        StateStores stores = a.stores();
        PageRequest page = PageRequest.first(100);
        Map<String, Supplier<CompletionStage<? extends Page<?>>>> lists = new LinkedHashMap<>();
        lists.put("TASK", () -> stores.tasks().list(TaskFilter.all(), page));
        lists.put("DEAD_LETTER", () -> stores.deadLetters().list(DeadLetterFilter.all(), page));
        lists.put("AGENT", () -> stores.sessions().agents(page));
        lists.put("SUBSCRIPTION", () -> stores.subscriptions().list(SubscriptionFilter.instance("A"), page));
        damage(lists.keySet().stream(), "bad-");

        SoftAssertions soft = new SoftAssertions();
        lists.forEach((table, list) -> {
            Page<?> found = get(list.get());
            soft.assertThat(found.items())
                    .as("good records of %s", table)
                    .singleElement()
                    .asString()
                    .contains("good-")
                    .doesNotContain("bad-");
            soft.assertThat(found.unreadable())
                    .as("bad records of %s", table)
                    .singleElement()
                    .satisfies(bad -> assertThat(bad.key()).contains("bad-").contains(table))
                    .satisfies(bad -> assertThat(bad.why()).isNotBlank());
        });
        soft.assertAll();
    }

    @Test
    default void required_G08_damaged_progress_is_named_in_its_page() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(a.stores().offsets().advance(shard, Map.of(BILLING, 3L, Examples.SHIPPING, 4L)));
        get(shard.release());
        damage(Stream.of("PROGRESS"), "billing");

        Page<?> found = get(a.stores().offsets().list(ProgressFilter.topic("orders"), PageRequest.first(10)));

        assertThat(found.items()).singleElement().asString().contains("shipping");
        assertThat(found.unreadable())
                .singleElement()
                .satisfies(bad -> assertThat(bad.key()).contains("billing"));
        assertThat(Operation.answers(a.stores().offsets().position(ORDERS_0, BILLING)))
                .singleElement()
                .isInstanceOf(CorruptStateException.class);
    }

    @Test
    @AcrossBackends
    default void required_G08_X03_damaged_published_progress_hides_no_other_and_the_partition_is_released() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(a.stores().offsets().advance(shard, Map.of(BILLING, 3L, Examples.SHIPPING, 4L)));
        damage(Stream.of("PUBLISHED"), "billing");
        get(a.stores().offsets().advance(shard, Map.of(BILLING, 5L, Examples.SHIPPING, 6L)));

        get(shard.release());

        eventually(() -> assertThat(a.events().of(Events.UnreadableRecord.class))
                .singleElement()
                .satisfies(bad -> assertThat(bad.record().key()).contains("billing")));
        Instance b = kit().open("B", 1);
        Page<Progress> found = get(b.stores().offsets().list(ProgressFilter.topic("orders"), PageRequest.first(10)));
        assertThat(found.items()).containsExactly(new Progress(ORDERS_0, Examples.SHIPPING, 6));
        assertThat(found.unreadable())
                .singleElement()
                .satisfies(bad -> assertThat(bad.key()).contains("billing"));
    }

    @Test
    default void required_G08_every_flipped_byte_of_a_record_is_seen() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Entry good;
        try (Below below = kit().below()) {
            good = below.record("TASK", "s-task");
            SoftAssertions soft = new SoftAssertions();
            for (int place = 0; place < good.value().size(); place++) {
                int at = place;
                below.rewrite(below.record("TASK", "s-task"), value -> {
                    byte[] changed = good.value().toArray();
                    changed[at] ^= (byte) 0x40;
                    return changed;
                });
                soft.assertThat(Operation.answers(a.stores().tasks().find(scene.task.id())))
                        .as("byte %d of %d", place, good.value().size())
                        .singleElement()
                        .isInstanceOf(StateStoreException.class);
            }
            soft.assertAll();
            below.rewrite(below.record("TASK", "s-task"), value -> good.value().toArray());
        }
        assertThat(get(a.stores().tasks().find(scene.task.id()))).hasValue(scene.task);
    }

    @Test
    default void required_G08_an_undecodable_delivery_counts_as_open_until_it_is_discarded() {
        Instance a = open("A");
        Shard before = a.shard(ORDERS_0);
        List<Delivery> opened = get(before.open(Examples.range(0, 3, BILLING, ALICE)))
                .handOuts()
                .map(HandOut::delivery)
                .toList();
        get(before.release());
        Delivery bad = opened.get(1);
        damageDelivery(bad);

        Instance b = open("B");
        Shard shard = b.shard(ORDERS_0);
        kit().passTime(HAND_OUT.plusSeconds(1));
        HandOutResult.HandedOut given =
                (HandOutResult.HandedOut) get(shard.handOut(10, HAND_OUT, due -> Optional.of(ALICE)));

        assertThat(given.given())
                .extracting(handOut -> handOut.delivery().offset())
                .containsExactly(0L, 2L);
        assertThat(given.unreadable()).hasSize(1);
        assertThat(shard.view().unreadable()).hasSize(1);
        assertThat(shard.view().all().open()).isEqualTo(3);
        given.given().forEach(handOut -> get(shard.ack(Ack.of(handOut.receipt(), ALICE.client()))));
        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(1));
        assertThat(Operation.answers(b.stores().deliveries().find(bad.id())))
                .singleElement()
                .isInstanceOf(CorruptStateException.class);
        Page<Delivery> listed = get(b.stores().deliveries().list(DeliveryFilter.of(ORDERS_0), PageRequest.first(10)));
        assertThat(listed.items()).isEmpty();
        assertThat(listed.unreadable()).hasSize(1);
        eventually(
                () -> assertThat(b.events().of(Events.UnreadableRecord.class)).isNotEmpty());

        assertThat(get(shard.discard(bad.id()))).isEqualTo(new DiscardResult.Discarded());
        assertThat(get(shard.discard(bad.id()))).isEqualTo(new DiscardResult.NotOpen());
        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(3));
        assertThat(shard.view().watermark()).isEqualTo(OptionalLong.of(3));
        assertThat(shard.view().unreadable()).isEmpty();
    }

    @Test
    default void required_G08_a_delivery_whose_task_cannot_be_decoded_stays_open_and_hides_no_other() {
        Scene scene = new Scene("s", open("A"));
        Shard shard = scene.shard;
        for (String id : List.of("bad", "good")) {
            get(scene.stores().tasks().create(shard, scene.newTask(id), scene.carrier()));
        }
        damage(Stream.of("TASK"), "s-bad");
        Route tasks = due -> due.task().isPresent() ? Optional.of(ALICE) : Optional.empty();

        HandOutResult.HandedOut given = (HandOutResult.HandedOut) get(shard.handOut(10, HAND_OUT, tasks));

        assertThat(given.given())
                .extracting(handOut -> handOut.delivery().task().orElseThrow().value())
                .containsExactlyInAnyOrder("s-task", "s-good");
        assertThat(given.unreadable())
                .singleElement()
                .satisfies(damage -> assertThat(damage.key()).contains("TASK").contains("s-bad"));
        assertThat(get(scene.stores().deliveries().list(DeliveryFilter.of(scene.partition), PageRequest.first(100)))
                        .items())
                .filteredOn(delivery ->
                        delivery.task().filter(id -> id.value().equals("s-bad")).isPresent())
                .singleElement()
                .satisfies(open -> assertThat(open.handOuts()).isZero())
                .satisfies(open -> assertThat(get(shard.discard(open.id()))).isEqualTo(new DiscardResult.Discarded()));
        assertThat(((HandOutResult.HandedOut) get(shard.handOut(10, HAND_OUT, tasks))).unreadable())
                .isEmpty();
    }

    @Test
    default void required_G08_a_delivery_that_can_be_decoded_is_not_discarded() {
        Shard shard = open("A").shard(ORDERS_0);
        HandOut given = get(shard.open(Examples.range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();

        assertThat(get(shard.discard(given.delivery().id()))).isEqualTo(new DiscardResult.Decodable(given.delivery()));
        assertThat(shard.view().all().open()).isOne();
    }

    private void damage(Stream<String> tables, String name) {
        try (Below below = kit().below()) {
            tables.forEach(table -> below.damage(below.record(table, name)));
        }
    }

    /** Delivery numbers ascend in the order of offsets, and so do their keys. */
    private void damageDelivery(Delivery delivery) {
        try (Below below = kit().below()) {
            below.damage(below.records("DELIVERY").get((int) delivery.offset()));
        }
    }
}
