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
package org.apache.eventmesh.state.core.commit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.engine.HeldEngine;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class BackendTest {
    private static final Operation PUT = new Operation(StoreName.TASKS, "put");
    private static final Bytes TASK = KeyWriter.of(Table.TASK).text("t").key();
    private static final Bytes HOLDER = KeyWriter.of(Table.HOLDER).text("h").key();
    private static final Bytes MARK = KeyWriter.of(Table.MARK).text("m").key();

    @Test
    void what_an_owner_wrote_of_tasks_and_holders_is_remembered_and_nothing_else() {
        MapEngine engine = new MapEngine();
        try (TestBackend backend = new TestBackend(engine)) {
            for (Bytes key : List.of(TASK, HOLDER, MARK)) {
                engine.put(key, Bytes.utf8("1"));
                long revision = engine.get(key).map(Entry::revision).orElseThrow();
                backend.get().wrote(new Commit(List.of(), List.of(Change.put(key, Bytes.utf8("1")))), revision);
            }
            Await.result(put(backend, TASK));
            Await.result(put(backend, HOLDER));
            assertThat(engine.reads()).isZero();
            Await.result(put(backend, MARK));
            assertThat(engine.reads()).isEqualTo(1);
        }
    }

    @Test
    void what_is_expected_absent_is_not_read_unless_somebody_writes_it() {
        HeldEngine engine = new HeldEngine();
        try (TestBackend backend = new TestBackend(engine)) {
            CompletionStage<String> first = put(backend, TASK);
            await().until(() -> engine.calls().size() == 1);
            assertThat(engine.reads()).isEqualTo(1);
            backend.get().expectAbsent(List.of(TASK, HOLDER));
            assertThat(backend.get().remembered().all(List.of(TASK))).isEmpty();
            assertThat(backend.get().remembered().all(List.of(HOLDER))).contains(List.of());
            engine.release();
            assertThat(Await.result(first)).isEqualTo("put");
            assertThat(Await.result(put(backend, HOLDER))).isEqualTo("put");
            assertThat(engine.reads()).isEqualTo(1);
        }
    }

    @Test
    void nothing_is_asked_of_the_engine_when_nothing_is_read() {
        MapEngine engine = new MapEngine();
        try (TestBackend backend = new TestBackend(engine)) {
            assertThat(Await.result(backend.get().read(List.of()))).isEmpty();
            assertThat(engine.reads()).isZero();
        }
    }

    @Test
    void reads_that_wait_are_bounded() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        MapEngine engine = new MapEngine();
        engine.beforeRead(() -> {
            begun.incrementAndGet();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        int workers = 1 + Math.max(2, Runtime.getRuntime().availableProcessors());
        try (TestBackend backend = new TestBackend(engine, StoreListener.NONE, 2)) {
            List<CompletionStage<List<Entry>>> reads = new ArrayList<>();
            for (int read = 1; read <= workers; read++) {
                int running = read;
                reads.add(backend.get().read(List.of(TASK)));
                await().until(() -> begun.get() == running);
            }
            reads.add(backend.get().read(List.of(TASK)));
            reads.add(backend.get().read(List.of(TASK)));
            assertThatThrownBy(() -> Await.result(backend.get().read(List.of(TASK))))
                    .isInstanceOf(OverloadedException.class);
            go.countDown();
            reads.forEach(read -> assertThat(Await.result(read)).isEmpty());
            assertThat(Await.result(backend.get().read(List.of(TASK)))).isEmpty();
        }
    }

    @Test
    void required_G10_after_closing_every_way_to_the_engine_is_an_exception() {
        TestBackend backend = new TestBackend(new MapEngine());
        assertThatCode(backend.get()::requireOpen).doesNotThrowAnyException();
        assertThat(backend.get().closed()).isFalse();
        assertThat(backend.get().close(Duration.ofSeconds(10))).isTrue();
        assertThat(backend.get().closed()).isTrue();
        assertThatThrownBy(backend.get()::requireOpen)
                .isInstanceOf(StoreClosedException.class)
                .hasMessageContaining("map:");
        assertThatThrownBy(() -> Await.result(backend.get().read(List.of(TASK))))
                .isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> Await.result(backend.get().call(engine -> engine.read(List.of(TASK)))))
                .isInstanceOf(StoreClosedException.class);
        Submission late = backend.get().queue().submit(new Commit(List.of(), List.of()), Durability.DISK);
        assertThatThrownBy(() -> Await.result(late.fate())).isInstanceOf(StoreClosedException.class);
        backend.close();
    }

    @Test
    void an_engine_that_throws_is_a_failed_read() {
        MapEngine engine = new MapEngine();
        engine.beforeRead(() -> {
            throw new StackOverflowError("on purpose");
        });
        try (TestBackend backend = new TestBackend(engine)) {
            assertThatThrownBy(() -> Await.result(backend.get().read(List.of(TASK))))
                    .isInstanceOf(StackOverflowError.class);
        }
    }

    @Test
    void a_late_answer_comes_with_what_is_known_of_the_backend() {
        for (boolean up : List.of(true, false)) {
            MapEngine engine = new MapEngine() {
                @Override
                public EngineHealth health() {
                    return new EngineHealth(up, "map:", "pull the plug");
                }
            };
            try (TestBackend backend = new TestBackend(engine)) {
                CompletionStage<String> stuck = Steps.run(backend.get(), PUT, steps -> new CompletableFuture<>());
                backend.pass(TestBackend.DEADLINE.plusSeconds(1));
                assertThatThrownBy(() -> Await.result(stuck))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(up ? "The backend is up" : "The backend is away: pull the plug");
            }
        }
    }

    private static CompletionStage<String> put(TestBackend backend, Bytes key) {
        return new Transactions(backend.get())
                .run(
                        PUT,
                        List.of(key),
                        seen -> Decision.write(
                                List.of(seen.unchanged(key)), List.of(Change.put(key, Bytes.utf8("2"))), "put"));
    }
}
