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
package org.apache.eventmesh.state.core.local;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.local.LocalFixture.ALL;
import static org.apache.eventmesh.state.core.local.LocalFixture.apply;
import static org.apache.eventmesh.state.core.local.LocalFixture.commit;
import static org.apache.eventmesh.state.core.local.LocalFixture.key;
import static org.apache.eventmesh.state.core.local.LocalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class SharedEnginesTest {
    private final LocalFixture fixture = new LocalFixture();
    private final StubProvider provider = new StubProvider();

    @Test
    void theLastHandleClosesThePlaceAndTheNextOpensItAnew() {
        Engine one = open("stub:a");
        Engine two = open("stub:a");
        assertThat(provider.opened).hasSize(1);
        one.close();
        one.close();
        assertThat(provider.opened.get(0).closed).isFalse();
        two.close();
        assertThat(provider.opened.get(0).closed).isTrue();
        open("stub:a").close();
        assertThat(provider.opened).hasSize(2);
    }

    @Test
    void everyMethodOfAClosedHandleSaysSo() {
        try (Engine kept = open("stub:a")) {
            Engine closed = open("stub:a");
            Lease lease = Await.result(closed.lease(Duration.ofSeconds(9)));
            closed.close();
            List<Runnable> calls = List.of(
                    closed::incarnation,
                    closed::limits,
                    closed::syncedRevision,
                    closed::health,
                    () -> closed.watch(ALL, 0, event -> {}).close(),
                    () -> Await.result(closed.commit(List.of(commit(put("a", "1"))), Durability.DISK)
                            .get(0)),
                    () -> Await.result(closed.read(List.of(key("a")))),
                    () -> Await.result(closed.scan(ALL, 1)),
                    () -> Await.result(closed.lease(Duration.ofSeconds(1))),
                    () -> Await.result(closed.remaining(1)),
                    () -> Await.result(lease.renew()),
                    () -> Await.result(lease.revoke()));
            assertThat(calls)
                    .allSatisfy(call -> assertThatThrownBy(call::run)
                            .isInstanceOf(StoreClosedException.class)
                            .hasMessageContaining("stub:a"));
            assertThat(Await.result(kept.remaining(lease.id()))).isPositive();
        }
    }

    @Test
    void openingDuringTheLastCloseWaitsAndOpensAnew() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        StubProvider slow = new StubProvider() {
            @Override
            public synchronized Engine open(EngineConfig config) {
                Engine engine = super.open(config);
                ((StubEngine) engine).onClose = () -> {
                    closing.countDown();
                    LocalFixture.waitFor(goOn);
                };
                return engine;
            }
        };
        Engine first = SharedEngines.open(slow, fixture.config("stub:slow"), LocalRanges.ANYTHING);
        Thread closer = new Thread(first::close);
        closer.start();
        closing.await();
        CompletableFuture<Engine> second = new CompletableFuture<>();
        Thread opener = new Thread(
                () -> second.complete(SharedEngines.open(slow, fixture.config("stub:slow"), LocalRanges.ANYTHING)));
        opener.start();
        await().until(() -> opener.getState() == Thread.State.TIMED_WAITING);
        goOn.countDown();
        second.get().close();
        assertThat(slow.opened).hasSize(2);
        closer.join();
    }

    @Test
    void manyThreadsThatOpenAndCloseNeverMeetAPlaceThatIsOpen() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            done.add(CompletableFuture.runAsync(
                    () -> {
                        for (int n = 0; n < 50; n++) {
                            try (Engine engine = open("stub:storm")) {
                                apply(engine, put("a", "1"));
                            }
                        }
                    },
                    threads));
        }
        for (CompletableFuture<Void> each : done) {
            each.get();
        }
        threads.shutdown();
        assertThat(provider.opened)
                .allSatisfy(engine -> assertThat(engine.closed).isTrue());
    }

    @Test
    void aFailedOpeningLeavesNothingBehind() {
        StubProvider failing = new StubProvider() {
            private boolean failed;

            @Override
            public synchronized Engine open(EngineConfig config) {
                if (!failed) {
                    failed = true;
                    throw new StoreUnavailableException("not now");
                }
                return super.open(config);
            }
        };
        assertThatThrownBy(() -> SharedEngines.open(failing, fixture.config("stub:f"), LocalRanges.ANYTHING))
                .isInstanceOf(StoreUnavailableException.class);
        SharedEngines.open(failing, fixture.config("stub:f"), LocalRanges.ANYTHING)
                .close();
    }

    @Test
    void otherOptionsAreRefusedByNameOnly() {
        try (Engine kept = open("stub:a")) {
            EngineConfig other = config("stub:a", Map.of("password", "hunter2"), EngineListener.NONE);
            assertThatThrownBy(() -> SharedEngines.open(provider, other, LocalRanges.ANYTHING))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("stub:a")
                    .hasMessageContaining("password")
                    .hasMessageNotContaining("hunter2");
            assertThat(kept.health().up()).isTrue();
        }
        assertThat(provider.opened.get(0).closed).isTrue();
    }

    @Test
    void everyHandleHearsWhatTheEngineNoticesUntilItIsClosed() {
        List<String> heard = new ArrayList<>();
        Engine one = open("stub:a", name(heard, "one"));
        Engine two = open("stub:a", name(heard, "two"));
        EngineListener engine = provider.configs.get(0).listener();
        engine.unknown("x");
        one.close();
        engine.healthChanged(new EngineHealth(false, "stub:a", "away"));
        two.close();
        engine.unknown("y");
        assertThat(heard).containsExactly("one x", "two x", "two away");
    }

    private static EngineListener name(List<String> heard, String name) {
        return new EngineListener() {
            @Override
            public void unknown(String what) {
                heard.add(name + " " + what);
            }

            @Override
            public void healthChanged(EngineHealth now) {
                heard.add(name + " " + now.advice());
            }
        };
    }

    @Test
    void anEngineOfManyProcessesIsGivenAsItIs() {
        StubProvider remote = new StubProvider() {
            @Override
            public Set<Capability> capabilities() {
                return Set.of(Capability.MULTI_PROCESS, Capability.LEASES, Capability.WATCH_HISTORY);
            }

            @Override
            public Optional<String> sharedUnder(EngineConfig config) {
                return Optional.empty();
            }
        };
        try (Engine engine = SharedEngines.open(remote, fixture.config("stub:r"), LocalRanges.ANYTHING)) {
            assertThat(engine).isSameAs(remote.opened.get(0));
        }
    }

    private Engine open(String uri) {
        return open(uri, EngineListener.NONE);
    }

    private Engine open(String uri, EngineListener listener) {
        return SharedEngines.open(provider, config(uri, Map.of(), listener), LocalRanges.ANYTHING);
    }

    private EngineConfig config(String uri, Map<String, String> options, EngineListener listener) {
        EngineConfig config = fixture.config(uri);
        return new EngineConfig(uri, options, config.deadline(), config.clock(), config.ticker(), listener);
    }
}
