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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.StubbornEngine;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A store set that is refused leaves nothing written and nothing running. */
class RefusedSetTest {
    @Test
    void a_second_backend_that_cannot_be_opened_leaves_the_first_as_it_was() {
        MapEngine first = NamedMaps.map("named-map:first");
        EngineProvider away = new NamedMaps() {
            @Override
            public Engine open(EngineConfig config) {
                throw new StoreUnavailableException("nobody there");
            }
        };
        assertThatThrownBy(() -> StoreSets.open(two("named-map:first", "named-map:away"), new NamedMaps(), away))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(first.syncedRevision()).isZero();
        alone("named-map:first");
    }

    @Test
    void a_second_backend_that_holds_something_else_leaves_the_first_as_it_was() {
        NamedMaps.map("named-map:taken").put(Bytes.utf8("key"), Bytes.utf8("value"));
        StoreSettings settings = two("named-map:innocent", "named-map:taken");
        assertThatThrownBy(() -> StoreSets.open(settings, new NamedMaps(), new NamedMaps()))
                .isInstanceOf(IncompatibleFormatException.class)
                .hasMessageContaining("named-map:taken");
        assertThat(NamedMaps.map("named-map:innocent").syncedRevision()).isZero();
        alone("named-map:innocent");
    }

    @Test
    void one_place_under_two_names_is_not_two() {
        EngineProvider same = new NamedMaps() {
            @Override
            public Optional<String> sharedUnder(EngineConfig config) {
                return Optional.of("the one place");
            }
        };
        assertThatThrownBy(() -> StoreSets.open(two("named-map:one", "named-map:other"), same, same))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("named-map:one")
                .hasMessageContaining("named-map:other")
                .hasMessageContaining("the one place");
        assertThat(NamedMaps.map("named-map:one").syncedRevision()).isZero();
    }

    @Test
    void two_backends_are_what_they_were_when_they_are_opened_again() {
        StoreSettings settings = two("named-map:left", "named-map:right");
        StoreSets.open(settings, new NamedMaps(), new NamedMaps()).close();
        StoreSets.open(settings, new NamedMaps(), new NamedMaps()).close();
        assertThatThrownBy(() -> alone("named-map:left"))
                .isInstanceOf(IncompatibleFormatException.class)
                .hasMessageContaining("local one of a store set over two");
        assertThatThrownBy(() -> alone("named-map:right"))
                .isInstanceOf(IncompatibleFormatException.class)
                .hasMessageContaining("shared one of a store set over two");
    }

    @Test
    void a_clock_or_ticker_that_throws_is_refused_before_anything_is_written() {
        InstantSource clock = () -> {
            throw new IllegalStateException("boom");
        };
        LongSupplier ticker = () -> {
            throw new IllegalStateException("boom");
        };
        for (StoreSettings settings : List.of(
                StoreSettings.builder("named-map:clock").clock(clock).build(),
                StoreSettings.builder("named-map:ticker").ticker(ticker).build())) {
            assertThatThrownBy(() -> StoreSets.open(settings, new NamedMaps()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(settings.uri())
                    .hasMessageContaining(settings.uri().substring("named-map:".length()) + " of the settings")
                    .hasMessageContaining("boom");
            assertThat(NamedMaps.map(settings.uri()).syncedRevision()).isZero();
            alone(settings.uri());
        }
    }

    @Test
    void required_G02_an_opening_that_fails_leaves_no_thread() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        StubbornEngine broken = new StubbornEngine(new MapEngine()) {
            @Override
            public EngineHealth health() {
                throw new IllegalStateException("no health");
            }
        };
        StoreSettings settings = StoreSettings.builder("map:").development().build();
        assertThatThrownBy(() -> StoreSets.open(settings, broken, Set.of())).hasMessage("no health");
        Awaitility.await()
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .filteredOn(thread -> !before.contains(thread))
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("state-")));
    }

    @Test
    void required_G02_a_first_write_that_never_returns_holds_no_opening_beyond_its_deadline() throws Exception {
        stuckThenFree("named-map:stuck-mark");
    }

    @Test
    void required_G02_the_end_of_old_leases_that_never_returns_holds_no_opening_beyond_its_deadline() throws Exception {
        alone("named-map:stuck-leases");
        NamedMaps.map("named-map:stuck-leases")
                .put(KeyWriter.of(Table.MEMBER).text("of a killed process").key(), Bytes.EMPTY);
        stuckThenFree("named-map:stuck-leases");
    }

    /** The first commit does not come back before the opening was given up. */
    private static void stuckThenFree(String uri) throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        StubbornEngine engine = new StubbornEngine(NamedMaps.map(uri));
        engine.beforeCommit(() -> waitFor(stuck));
        NamedMaps provider = new NamedMaps() {
            @Override
            public Engine open(EngineConfig config) {
                return engine;
            }
        };
        StoreSettings settings =
                StoreSettings.builder(uri).deadline(Duration.ofMillis(300)).build();
        CompletableFuture<StateStores> opening = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                opening.complete(StoreSets.open(settings, provider));
            } catch (RuntimeException e) {
                opening.completeExceptionally(e);
            }
        });
        caller.start();
        try {
            assertThatThrownBy(() -> opening.get(5, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(uri)
                    .hasMessageContaining("stuck disk");
            assertThat(engine.closed()).isFalse();
        } finally {
            stuck.countDown();
        }
        // the place is waited for until what came late has given it back
        alone(uri);
        Awaitility.await().until(engine::closed);
        caller.join();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts an opening that is left behind", e);
        }
    }

    @Test
    void required_G02_an_opening_whose_caller_is_interrupted_ends_at_once_and_is_closed() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        StubbornEngine engine = new StubbornEngine(NamedMaps.map("named-map:interrupted"));
        engine.beforeCommit(() -> {
            begun.countDown();
            waitFor(stuck);
        });
        NamedMaps provider = new NamedMaps() {
            @Override
            public Engine open(EngineConfig config) {
                return engine;
            }
        };
        FutureTask<Boolean> opening = new FutureTask<>(() -> {
            assertThatThrownBy(() -> StoreSets.open(StoreSettings.of("named-map:interrupted"), provider))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("interrupted");
            return Thread.interrupted();
        });
        try {
            Thread caller = new Thread(opening, "caller");
            caller.start();
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            assertThat(opening.get(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            stuck.countDown();
        }
        alone("named-map:interrupted");
        Awaitility.await().until(engine::closed);
    }

    @Test
    void required_G02_a_deadline_that_no_nanoseconds_can_hold_is_for_ever() {
        Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
        StoreSettings settings = StoreSettings.builder("named-map:patient")
                .deadline(huge)
                .settledMarks(huge)
                .keepAliveInterval(huge)
                .build();
        try (StateStores stores = StoreSets.open(settings, new NamedMaps())) {
            Member member = Await.result(stores.join("a", Duration.ofSeconds(15)));
            Await.result(stores.deliveries().takeOver(member, new Partition("orders", 0)));
        }
        EngineConfig config =
                new EngineConfig("a:b", Map.of(), huge, InstantSource.system(), System::nanoTime, EngineListener.NONE);
        assertThat(config.deadline().toNanos()).isPositive();
    }

    private static StoreSettings two(String local, String shared) {
        return StoreSettings.builder(local).shared(shared).build();
    }

    private static void alone(String uri) {
        try (StateStores stores = StoreSets.open(StoreSettings.of(uri), new NamedMaps())) {
            assertThat(stores.health()).isNotEmpty();
        }
    }
}
