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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** G01 and G02: who sees a write when, and how a call behaves towards its caller. */
public interface CallRules extends Rules {
    @Test
    default void required_G01_a_write_is_visible_to_every_later_read_through_a_peer() {
        Instance a = open("A");
        Instance b = open("B");
        Shard shard = a.shard(ORDERS_0);

        for (long position = 1; position <= 20; position++) {
            Reset reset = position == 1 ? Reset.neverServed(1) : Reset.from(position - 1, position);
            get(a.stores().offsets().reset(shard, BILLING, reset));

            assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(position));
        }
    }

    @Test
    default void required_G01_any_number_of_threads_may_call() {
        Instance a = open("A");
        int threads = 8;
        int rounds = 25;
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Shard shard = a.shard(new Partition("orders", thread % 2));
                Subscriber subscriber = Subscriber.group("g" + thread);
                done.add(CompletableFuture.runAsync(
                        () -> {
                            for (long to = 1; to <= rounds; to++) {
                                Map<Subscriber, Outcome<AdvanceResult>> answer =
                                        get(a.stores().offsets().advance(shard, Map.of(subscriber, to)));
                                assertThat(Operation.answer(answer, subscriber))
                                        .isInstanceOf(AdvanceResult.Advanced.class);
                            }
                        },
                        callers));
            }
            done.forEach(this::get);
        } finally {
            callers.shutdownNow();
        }
        for (int thread = 0; thread < threads; thread++) {
            assertThat(get(a.stores()
                            .offsets()
                            .position(new Partition("orders", thread % 2), Subscriber.group("g" + thread))))
                    .isEqualTo(OptionalLong.of(rounds));
        }
    }

    @Test
    default void required_G02_no_operation_blocks_its_caller_and_each_completes_by_its_deadline() {
        Instance a = kit().open("A", settings -> settings.deadline(Duration.ofSeconds(10)));
        Scene scene = new Scene("s", a);
        a.pause();

        Map<Operation, CompletionStage<?>> stages = new LinkedHashMap<>();
        long before = a.commits();
        CompletionStage<?> ack = scene.shard.ack(scene.ack(0));
        // from here on nobody knows its fate; before, it is certainly not applied
        eventually(() -> assertThat(a.commits()).isGreaterThan(before));
        CompletionStage<?> position = a.stores().offsets().position(scene.partition, scene.reader);
        // a call that blocks does not come back from here: the test runs into its time limit and shows the call's stack
        Operation.all().forEach(operation -> stages.put(operation, operation.on(scene)));
        assertThat(stages.values().stream()
                        .filter(stage -> stage.toCompletableFuture().isDone()))
                .as("what is complete although nothing gets through to the backend")
                .hasSizeLessThan(stages.size() / 4);
        kit().passDeadline();

        SoftAssertions soft = new SoftAssertions();
        stages.forEach((operation, stage) -> soft.assertThatCode(() -> Operation.answers(stage))
                .as("%s at its deadline", operation)
                .doesNotThrowAnyException());
        soft.assertAll();
        assertThat(Operation.answers(ack)).singleElement().isInstanceOf(OutcomeUnknownException.class);
        assertThat(Operation.answers(position)).singleElement().isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    default void required_G02_stages_complete_on_the_callback_executor() {
        ExecutorService callbacks = Executors.newSingleThreadExecutor(work -> new Thread(work, "the-callbacks"));
        try {
            Instance a = kit().open("A", settings -> settings.callbacks(callbacks));
            Scene scene = new Scene("s", a);

            SoftAssertions soft = new SoftAssertions();
            Operation.all().forEach(operation -> {
                CountDownLatch attached = new CountDownLatch(1);
                callbacks.execute(() -> awaitQuietly(attached));
                CompletionStage<?> stage = operation.on(scene);
                soft.assertThat(stage.toCompletableFuture())
                        .as("%s while the executor is busy", operation)
                        .isNotDone();
                CompletableFuture<String> thread = threadThatCompletes(stage);
                attached.countDown();
                soft.assertThat(get(thread)).as(operation.name()).isEqualTo("the-callbacks");
            });
            soft.assertAll();
        } finally {
            callbacks.shutdown();
        }
    }

    @Test
    default void required_G02_a_callback_executor_that_throws_leaves_no_stage_incomplete() {
        Instance a = kit().open(
                        "A",
                        settings -> settings.callbacks(task -> {
                            throw new IllegalStateException("thrown by the callback executor, on purpose");
                        }));

        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    default void required_G02_without_an_executor_stages_complete_on_no_thread_of_the_caller() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.pause();
        Map<Operation, CompletableFuture<String>> threads = new LinkedHashMap<>();
        Operation.all().forEach(operation -> {
            CompletionStage<?> stage = operation.on(scene);
            // a dependent of a stage that is complete already runs here, by right
            if (!stage.toCompletableFuture().isDone()) {
                threads.put(operation, threadThatCompletes(stage));
            }
        });
        a.resume();

        SoftAssertions soft = new SoftAssertions();
        threads.forEach((operation, thread) -> soft.assertThat(get(thread))
                .as(operation.name())
                .isNotEqualTo(Thread.currentThread().getName()));
        soft.assertAll();
    }

    private static CompletableFuture<String> threadThatCompletes(CompletionStage<?> stage) {
        CompletableFuture<String> thread = new CompletableFuture<>();
        stage.whenComplete(
                (answer, failure) -> thread.complete(Thread.currentThread().getName()));
        return thread;
    }

    @Test
    default void required_G02_cancelling_a_stage_changes_nothing() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.pause();
        CompletableFuture<AckResult> ack = scene.shard.ack(scene.ack(0)).toCompletableFuture();

        ack.cancel(true);
        a.resume();

        eventually(() -> assertThat(get(a.stores().offsets().position(scene.partition, scene.reader)))
                .isEqualTo(OptionalLong.of(1)));
        assertThat(get(scene.shard.ack(scene.ack(0)))).isInstanceOf(AckResult.Duplicate.class);
    }

    @Test
    default void required_G02_await_gives_the_value_or_the_failure_itself() {
        Instance a = open("A");
        assertThat(Await.result(a.stores().offsets().position(ORDERS_0, BILLING)))
                .isEqualTo(OptionalLong.empty());
        StateStoreException failure = new StoreUnavailableException("the backend is away, for this test; call again");
        a.faults().failReads(Which.every(), () -> failure);

        assertThatThrownBy(() -> Await.result(a.stores().offsets().position(ORDERS_0, BILLING)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasNoSuppressedExceptions();
    }
}
