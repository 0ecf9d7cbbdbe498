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
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.core.engine.HeldEngine;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class AskTest {
    private static final Operation OPERATION = new Operation(StoreName.TASKS, "create", "task \"t\"");
    private static final Bytes KEY = Bytes.utf8("k");

    private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
    private final StoreListener listener = new StoreListener() {
        @Override
        public void failed(StoreName store, String operation, StateStoreException failure) {
            events.add("failed " + operation + " " + failure.getClass().getSimpleName());
        }

        @Override
        public void slow(StoreName store, String operation, Duration took) {
            events.add("slow " + operation + " " + took);
        }

        @Override
        public void unknown(StoreName store, String operation) {
            events.add("unknown " + operation);
        }
    };

    @Test
    void required_G02_a_write_that_waits_is_taken_back_at_its_deadline() {
        HeldEngine engine = new HeldEngine();
        try (TestBackend backend = new TestBackend(engine, listener)) {
            // as many rounds as may be under way, and one more
            for (int i = 0; i < QueueBounds.DEFAULT.rounds(); i++) {
                int calls = i + 1;
                write(backend, Bytes.utf8("other" + i));
                await().until(() -> engine.calls().size() == calls);
            }
            CompletionStage<String> stage = write(backend, KEY);
            await().until(() -> backend.get().queue().waiting() == 1);
            backend.pass(TestBackend.DEADLINE.plusSeconds(1));
            assertThatThrownBy(() -> Await.result(stage))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("tasks.create of task \"t\"")
                    .hasMessageContaining("map:")
                    .hasMessageContaining("PT10S")
                    .hasMessageContaining("nothing was applied");
            engine.release();
        }
        assertThat(engine.get(KEY)).isEmpty();
        assertThat(engine.get(Bytes.utf8("other0"))).isPresent();
        await().untilAsserted(() ->
                assertThat(events).contains("failed create StoreUnavailableException", "slow create PT11S"));
    }

    @Test
    void required_G02_a_write_that_was_handed_over_is_unknown_at_its_deadline() {
        HeldEngine engine = new HeldEngine();
        try (TestBackend backend = new TestBackend(engine, listener)) {
            CompletionStage<String> stage = write(backend, KEY);
            await().until(() -> engine.calls().size() == 1);
            backend.pass(TestBackend.DEADLINE.plusSeconds(1));
            assertThatThrownBy(() -> Await.result(stage))
                    .isInstanceOfSatisfying(
                            OutcomeUnknownException.class,
                            e -> assertThat(e.certainlyNotApplied()).isFalse());
            engine.release();
            await().until(() -> events.contains("unknown create"));
            await().until(() -> events.contains("failed create OutcomeUnknownException"));
        }
        assertThat(engine.get(KEY)).isPresent();
    }

    @Test
    void required_G02_a_read_that_hangs_ends_at_its_deadline() {
        MapEngine hanging = new MapEngine() {
            @Override
            public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
                return new CompletableFuture<>();
            }
        };
        try (TestBackend backend = new TestBackend(hanging, listener)) {
            CompletionStage<String> stage = write(backend, KEY);
            backend.pass(TestBackend.DEADLINE.plusSeconds(1));
            assertThatThrownBy(() -> Await.result(stage)).isInstanceOf(StoreUnavailableException.class);
        }
    }

    @Test
    void required_G02_a_native_call_that_never_returns_holds_nobody() {
        CountDownLatch never = new CountDownLatch(1);
        MapEngine stuck = new MapEngine();
        stuck.beforeRead(() -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (TestBackend backend = new TestBackend(stuck, listener)) {
            List<CompletionStage<String>> all =
                    IntStream.range(0, 100).mapToObj(i -> write(backend, KEY)).toList();
            backend.pass(TestBackend.DEADLINE.plusSeconds(1));
            all.forEach(stage ->
                    assertThatThrownBy(() -> Await.result(stage)).isInstanceOf(StoreUnavailableException.class));
            never.countDown();
        }
        assertThat(stuck.get(KEY)).isEmpty();
    }

    @Test
    void required_G02_stages_complete_on_the_callback_executor_and_cancelling_changes_nothing() {
        HeldEngine engine = new HeldEngine();
        try (TestBackend backend = new TestBackend(engine, listener)) {
            CompletionStage<String> stage = write(backend, KEY);
            CompletionStage<String> thread =
                    stage.thenApply(done -> Thread.currentThread().getName());
            assertThat(stage.toCompletableFuture().cancel(true)).isTrue();
            await().until(() -> engine.calls().size() == 1);
            engine.release();
            assertThat(Await.result(thread)).isEqualTo(TestBackend.CALLBACK_THREAD);
            assertThat(Await.result(stage)).isEqualTo("done");
        }
    }

    @Test
    void a_callback_executor_that_refuses_leaves_no_stage_incomplete() {
        try (TestBackend backend = new TestBackend(new MapEngine(), listener)) {
            backend.callbackThreads().shutdown();
            assertThat(Await.result(write(backend, KEY))).isEqualTo("done");
        }
    }

    @Test
    void required_G02_a_callback_executor_that_throws_anything_leaves_no_stage_incomplete() {
        for (Executor broken : List.<Executor>of(
                task -> {
                    throw new IllegalStateException("on purpose");
                },
                task -> {
                    throw new OutOfMemoryError("on purpose");
                })) {
            Callbacks callbacks = new Callbacks(broken, listener);
            AtomicBoolean ran = new AtomicBoolean();
            callbacks.run(() -> ran.set(true));
            await().untilTrue(ran);
            events.clear();
            callbacks.tell(to -> to.unknown(StoreName.TASKS, "create"));
            await().until(() -> List.copyOf(events).equals(List.of("unknown create")));
        }
    }

    @Test
    void required_G10_closing_tells_everyone_and_the_use_after_it_is_an_exception() {
        HeldEngine engine = new HeldEngine();
        TestBackend backend = new TestBackend(engine, listener);
        CompletionStage<String> handedOver = write(backend, KEY);
        await().until(() -> engine.calls().size() == 1);
        assertThat(backend.get().close(Duration.ofMillis(1))).isFalse();
        assertThatThrownBy(() -> Await.result(handedOver)).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> Await.result(write(backend, KEY)))
                .isInstanceOf(StoreClosedException.class)
                .hasMessageContaining("tasks.create");
        engine.release();
        assertThat(backend.get().close(Duration.ofSeconds(10))).isTrue();
        backend.close();
    }

    @Test
    void beyond_the_limit_of_outstanding_operations_more_are_refused() {
        HeldEngine engine = new HeldEngine();
        try (TestBackend backend = new TestBackend(engine, listener, 3)) {
            List<CompletionStage<String>> three = IntStream.range(0, 3)
                    .mapToObj(i -> write(backend, Bytes.utf8("k" + i)))
                    .toList();
            assertThatThrownBy(() -> Await.result(write(backend, KEY)))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("limit is 3");
            engine.release();
            three.forEach(stage -> assertThat(Await.result(stage)).isEqualTo("done"));
            assertThat(Await.result(write(backend, KEY))).isEqualTo("done");
        }
    }

    private static CompletionStage<String> write(TestBackend backend, Bytes key) {
        return new Transactions(backend.get())
                .run(
                        OPERATION,
                        List.of(key),
                        seen -> Decision.write(
                                List.of(seen.unchanged(key)), List.of(Change.put(key, Bytes.utf8("v"))), "done"));
    }
}
