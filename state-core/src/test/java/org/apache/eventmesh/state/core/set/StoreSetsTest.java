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
package org.apache.eventmesh.state.core.set;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.StoreSettingsBuilder;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.engine.StubbornEngine;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.MetaRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.Health;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StoreSetsTest {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Partition ORDERS = new Partition("orders", 0);
    private static final Subscriber BILLING = Subscriber.group("billing");
    private static final PageRequest PAGE = PageRequest.first(10);

    private final SharedMap map = new SharedMap();

    @AfterEach
    void close() {
        map.close();
    }

    @Test
    void production_refuses_an_engine_that_is_not_durable_and_names_the_setting() {
        StubbornEngine engine = new StubbornEngine(map.engine());
        assertThatThrownBy(() -> StoreSets.open(StoreSettings.of("map:"), engine, Set.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("development()");
        assertThat(engine.closed()).isTrue();
        assertThat(map.engine().syncedRevision()).isZero();
    }

    @Test
    void a_data_set_of_another_format_is_refused_and_nothing_is_written() {
        MapEngine other = NamedMaps.map("named-map:later");
        other.put(
                KeyWriter.of(Table.META).text("data set").key(),
                Records.META.encode(MetaRecord.newBuilder().setFormatVersion(2).build()));
        other.put(KeyWriter.of(Table.MEMBER).text("of a later version").key(), Bytes.EMPTY);
        long before = other.syncedRevision();
        assertThatThrownBy(() -> StoreSets.open(StoreSettings.of("named-map:later"), new NamedMaps()))
                .isInstanceOf(IncompatibleFormatException.class)
                .hasMessageContaining("named-map:later")
                .hasMessageContaining("2");
        assertThat(other.syncedRevision()).isEqualTo(before);
    }

    @Test
    void a_place_that_holds_something_else_is_refused() {
        MapEngine foreign = NamedMaps.map("named-map:foreign");
        foreign.put(Bytes.utf8("key"), Bytes.utf8("value"));
        assertThatThrownBy(() -> StoreSets.open(StoreSettings.of("named-map:foreign"), new NamedMaps()))
                .isInstanceOf(IncompatibleFormatException.class)
                .hasMessageContaining("holds data");
        assertThat(foreign.syncedRevision()).isOne();
    }

    @Test
    void opening_again_finds_everything_and_all_leases_ended() {
        long epoch;
        try (StateStores stores = StoreSets.open(StoreSettings.of("named-map:again"), new NamedMaps())) {
            Member member = Await.result(stores.join("a", LEASE));
            epoch = Await.result(stores.deliveries().takeOver(member, ORDERS))
                    .token()
                    .epoch();
        }
        try (StateStores stores = StoreSets.open(StoreSettings.of("named-map:again"), new NamedMaps())) {
            Member member = Await.result(stores.join("b", LEASE));
            assertThat(Await.result(stores.deliveries().claim(member, ORDERS))
                            .claimed()
                            .orElseThrow()
                            .token()
                            .epoch())
                    .isGreaterThan(epoch);
        }
    }

    @Test
    void closing_one_set_gives_its_leases_back_and_leaves_the_other_alone() {
        StateStores a = open();
        StateStores b = open();
        Member alice = Await.result(a.join("alice", LEASE));
        Member bob = Await.result(b.join("bob", LEASE));
        Await.result(a.deliveries().takeOver(alice, ORDERS));
        assertThat(Await.result(b.deliveries().claim(bob, ORDERS)).claimed()).isEmpty();
        a.close();
        a.close();
        assertThat(Await.result(b.deliveries().claim(bob, ORDERS)).claimed()).isPresent();
        b.close();
    }

    @Test
    void every_operation_after_close_is_refused() {
        StateStores stores = open();
        Member member = Await.result(stores.join("a", LEASE));
        Shard shard = Await.result(stores.deliveries().takeOver(member, ORDERS));
        OwnedClient client = Await.result(stores.subscriptions().connect(member, new ClientId("c")));
        AgentSpec spec = new AgentSpec(new AgentId("x"), "kind", 1, Attributes.NONE);
        OwnedAgent agent = Await.result(stores.sessions().takeOver(member, spec, LEASE));
        stores.close();
        List<Runnable> calls = List.of(
                () -> Await.result(stores.join("b", LEASE)),
                () -> Await.result(member.renew()),
                () -> Await.result(member.leave()),
                () -> Await.result(stores.ownership().owner(ORDERS)),
                () -> Await.result(stores.ownership().ownedBy("a", PAGE)),
                () -> Await.result(stores.deliveries().claim(member, ORDERS)),
                () -> Await.result(stores.deliveries().list(DeliveryFilter.of(ORDERS), PAGE)),
                () -> Await.result(shard.completed(1)),
                () -> Await.result(shard.withdraw(BILLING)),
                () -> Await.result(shard.release()),
                () -> Await.result(stores.offsets().position(ORDERS, BILLING)),
                () -> Await.result(stores.subscriptions().topics(PAGE)),
                () -> Await.result(client.unregister("t")),
                () -> Await.result(client.release()),
                () -> stores.subscriptions().view(),
                () -> Await.result(agent.heartbeat(true, 0)),
                () -> Await.result(agent.release()),
                () -> stores.sessions().view(),
                () -> Await.result(stores.sessions().expire(1)),
                () -> Await.result(stores.sessions().keepAlive(new SessionId("s"))),
                () -> Await.result(stores.tasks().find(new TaskId("t"))),
                () -> Await.result(stores.tasks().list(TaskFilter.all(), PAGE)),
                () -> Await.result(stores.reconcile()));
        assertThat(calls).allSatisfy(call -> assertThatThrownBy(call::run).isInstanceOf(StoreClosedException.class));
        assertThat(member.live()).isFalse();
    }

    @Test
    void calls_under_way_finish_or_are_told_that_the_set_closed() throws Exception {
        StateStores stores = open();
        CountDownLatch busy = new CountDownLatch(400);
        ConcurrentLinkedQueue<CompletionStage<String>> stages = new ConcurrentLinkedQueue<>();
        ExecutorService callers = Executors.newFixedThreadPool(4);
        CompletableFuture<?>[] calling = new CompletableFuture<?>[4];
        for (int caller = 0; caller < calling.length; caller++) {
            int number = caller;
            calling[caller] = CompletableFuture.runAsync(
                    () -> {
                        for (int i = 0; i < 2_000; i++) {
                            SessionId id = new SessionId(number + " " + i);
                            SessionSpec spec = new SessionSpec(id, Duration.ofHours(1), Attributes.NONE);
                            stages.add(stores.sessions().open(spec).thenApply(String::valueOf));
                            stages.add(
                                    stores.offsets().position(ORDERS, BILLING).thenApply(String::valueOf));
                            busy.countDown();
                        }
                    },
                    callers);
        }
        busy.await();
        stores.close();
        CompletableFuture.allOf(calling).join();
        callers.shutdown();
        assertThat(stages).hasSize(16_000).allSatisfy(stage -> {
            try {
                assertThat(Await.result(stage)).isNotNull();
            } catch (StoreClosedException told) {
                assertThat(told).hasMessageContaining("closed");
            }
        });
    }

    @Test
    void required_G10_two_engines_that_are_stuck_hold_no_close_beyond_its_deadline() {
        Duration deadline = Duration.ofSeconds(2);
        CountDownLatch backAgain = new CountDownLatch(1);
        StuckEngine local = new StuckEngine(new MapEngine(), backAgain);
        StuckEngine shared = new StuckEngine(map.engine(), backAgain);
        StateStores stores = StoreSets.open(
                settings().shared("map:shared").deadline(deadline).build(), local, shared, Set.of(Capability.LEASES));
        shared.holdAnswers();
        CompletionStage<Member> joining = stores.join("a", LEASE);
        Awaitility.await().until(() -> shared.holding() == 1);
        long begin = System.nanoTime();
        stores.close();
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        // nothing is left undone: both are told to close, and what they hold is given back when they can
        assertThat(local.closing()).isTrue();
        assertThat(shared.closing()).isTrue();
        backAgain.countDown();
        Awaitility.await().until(() -> local.closed() && shared.closed());
        assertThat(took).isLessThan(deadline.multipliedBy(3).dividedBy(2));
        assertThatThrownBy(() -> Await.result(joining)).isInstanceOf(OutcomeUnknownException.class);
    }

    /** Its close does not come back, as one does that waits for a disk. */
    private static final class StuckEngine extends StubbornEngine {
        private final CountDownLatch goOn;
        private volatile boolean closing;

        StuckEngine(Engine shared, CountDownLatch goOn) {
            super(shared);
            this.goOn = goOn;
        }

        boolean closing() {
            return closing;
        }

        @Override
        public void close() {
            closing = true;
            try {
                goOn.await(8, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts a close that is left behind", e);
            }
            super.close();
        }
    }

    @Test
    void a_close_of_an_engine_that_throws_is_told_to_who_closes_the_set() {
        StubbornEngine broken = new StubbornEngine(map.engine()) {
            @Override
            public void close() {
                throw new IllegalStateException("no close");
            }
        };
        StateStores stores = StoreSets.open(settings().build(), broken, Set.of());
        assertThatThrownBy(stores::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no close");
    }

    @Test
    void a_backend_that_goes_and_comes_is_told_once_each_for_every_store() {
        List<String> told = new CopyOnWriteArrayList<>();
        StubbornEngine engine = new StubbornEngine(map.engine());
        StateStores stores = StoreSets.open(
                settings()
                        .listener(new StoreListener() {
                            @Override
                            public void healthChanged(StoreName store, Health now) {
                                told.add(store + " " + now.up());
                            }
                        })
                        .build(),
                engine,
                Set.of());
        assertThat(stores.health())
                .hasSize(StoreName.values().length)
                .allSatisfy((store, health) -> assertThat(health.up()).isTrue());
        engine.away(true);
        Awaitility.await().until(() -> told.size() == StoreName.values().length);
        Map<StoreName, Health> now = stores.health();
        assertThat(now.keySet()).isEqualTo(EnumSet.allOf(StoreName.class));
        assertThat(now.get(StoreName.TASKS).advice()).contains("wait");
        engine.away(false);
        Awaitility.await().until(() -> told.size() == 2 * StoreName.values().length);
        assertThat(told).doesNotHaveDuplicates();
        stores.close();
    }

    @Test
    void stages_complete_on_the_executor_of_the_settings() {
        ExecutorService own = Executors.newSingleThreadExecutor();
        AtomicInteger tasks = new AtomicInteger();
        Executor counted = task -> {
            tasks.incrementAndGet();
            own.execute(task);
        };
        StateStores stores =
                StoreSets.open(settings().callbacks(counted).build(), new StubbornEngine(map.engine()), Set.of());
        assertThat(Await.result(stores.offsets().position(ORDERS, BILLING))).isEqualTo(OptionalLong.empty());
        assertThat(tasks).hasPositiveValue();
        stores.close();
        assertThat(own.isShutdown()).isFalse();
        own.shutdown();
    }

    private StateStores open() {
        return StoreSets.open(settings().build(), new StubbornEngine(map.engine()), Set.of(Capability.LEASES));
    }

    private StoreSettingsBuilder settings() {
        return StoreSettings.builder("map:").development().clock(map.clock()).ticker(map.ticker()::get);
    }
}
