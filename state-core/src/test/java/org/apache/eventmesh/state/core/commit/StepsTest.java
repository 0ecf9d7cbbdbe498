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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class StepsTest {
    private static final Operation MOVE = new Operation(StoreName.TASKS, "move", "it");
    private static final Bytes KEY = Bytes.utf8("k");
    private static final KeyRange ALL = new KeyRange(Bytes.utf8("a"), Bytes.utf8("z"));

    private final MapEngine engine = new MapEngine();
    private final TestBackend backend = new TestBackend(engine);

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    void the_last_step_is_the_answer() {
        CompletionStage<Integer> stage = Steps.run(
                backend.get(),
                MOVE,
                steps -> put(steps)
                        .thenCompose(done -> steps.read(List.of(KEY)))
                        .thenCompose(found -> steps.scan(ALL, 10)
                                .thenApply(
                                        slice -> found.size() + slice.entries().size())));
        assertThat(Await.result(stage)).isEqualTo(2);
    }

    @Test
    void what_fails_before_anything_was_applied_was_not_applied() {
        engine.away(true);
        assertThatThrownBy(() -> Await.result(Steps.run(backend.get(), MOVE, steps -> steps.scan(ALL, 10))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("tasks.move of it")
                .hasMessageContaining("it is away");
    }

    @Test
    void required_G04_what_fails_after_a_part_was_applied_may_have_been_applied() {
        engine.away(true);
        assertThatThrownBy(() -> Await.result(Steps.run(
                        backend.get(), MOVE, steps -> put(steps).thenCompose(done -> steps.scan(ALL, 10)))))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("a first part of it was applied")
                .hasMessageContaining("it is away");
        assertThatThrownBy(() -> Await.result(Steps.run(
                        backend.get(),
                        MOVE,
                        steps -> put(steps)
                                .thenCompose(done -> CompletableFuture.failedStage(new OverloadedException("full"))))))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("full");
    }

    /** Each says that nothing was applied, which is right of the step that failed and of no other. */
    private static Stream<StateStoreException> failures() {
        return Stream.of(
                new StoreUnavailableException("what happened"),
                new OverloadedException("what happened"),
                new OutcomeUnknownException("what happened"),
                new StoreClosedException("what happened"),
                new LimitExceededException("what happened"),
                new CorruptStateException("what happened"),
                new IncompatibleFormatException("what happened"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void required_G04_no_failure_after_a_part_was_applied_says_that_nothing_was(StateStoreException failure) {
        assertThatThrownBy(() -> Await.result(Steps.run(
                        backend.get(),
                        MOVE,
                        steps -> put(steps).thenCompose(done -> CompletableFuture.failedStage(failure)))))
                .isInstanceOfSatisfying(
                        StateStoreException.class,
                        told -> assertThat(told.certainlyNotApplied()).isFalse())
                .hasMessageContaining("what happened")
                .hasRootCause(failure);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void required_G04_a_failure_before_anything_was_applied_stays_what_it_is(StateStoreException failure) {
        assertThatThrownBy(() ->
                        Await.result(Steps.run(backend.get(), MOVE, steps -> CompletableFuture.failedStage(failure))))
                .isExactlyInstanceOf(failure.getClass())
                .hasMessageContaining("what happened");
    }

    @Test
    void a_step_elsewhere_counts_when_it_changes_something() {
        assertThatThrownBy(() -> Await.result(failedAfterPart(true))).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> Await.result(failedAfterPart(false))).isInstanceOf(StoreUnavailableException.class);
    }

    private CompletionStage<String> failedAfterPart(boolean writes) {
        return Steps.run(
                backend.get(),
                MOVE,
                steps -> steps.part(
                                told -> {
                                    told.complete("done");
                                    return Withdrawable.NOTHING_TO_APPLY;
                                },
                                writes)
                        .thenCompose(done -> CompletableFuture.failedStage(new StoreUnavailableException("away"))));
    }

    @Test
    void at_the_deadline_all_that_is_under_way_is_taken_back() {
        CompletionStage<String> nothing = Steps.run(backend.get(), MOVE, steps -> waiting(steps, true));
        CompletionStage<String> handedOver = Steps.run(backend.get(), MOVE, steps -> waiting(steps, false));
        CompletionStage<String> some =
                Steps.run(backend.get(), MOVE, steps -> put(steps).thenCompose(done -> waiting(steps, true)));
        await().until(() -> engine.get(KEY).isPresent());
        backend.pass(TestBackend.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(nothing))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing was applied");
        assertThatThrownBy(() -> Await.result(handedOver)).isInstanceOf(OutcomeUnknownException.class);
        assertThatThrownBy(() -> Await.result(some)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void a_step_that_has_ended_is_not_asked_to_withdraw() {
        AtomicBoolean asked = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        CompletionStage<String> stage = Steps.run(
                backend.get(),
                MOVE,
                steps -> steps.part(
                                (CompletableFuture<String> told) -> {
                                    told.complete("read");
                                    return () -> {
                                        asked.set(true);
                                        return false;
                                    };
                                },
                                false)
                        .thenCompose(read -> {
                            ended.set(true);
                            return waiting(steps, true);
                        }));
        await().untilTrue(ended);
        backend.pass(TestBackend.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(stage)).isInstanceOf(StoreUnavailableException.class);
        assertThat(asked).isFalse();
    }

    @Test
    void when_it_is_over_no_step_begins() {
        AtomicReference<Steps> kept = new AtomicReference<>();
        CompletionStage<String> stage = Steps.run(backend.get(), MOVE, steps -> {
            kept.set(steps);
            return waiting(steps, true);
        });
        await().until(() -> kept.get() != null);
        Steps steps = kept.get();
        assertThat(steps.over()).isFalse();
        assertThat(steps.applied()).isFalse();
        backend.pass(TestBackend.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(stage)).isInstanceOf(StoreUnavailableException.class);

        assertThat(steps.over()).isTrue();
        int reads = engine.reads();
        AtomicBoolean begun = new AtomicBoolean();
        List<CompletionStage<?>> late = List.of(
                put(steps),
                steps.read(List.of(KEY)),
                steps.scan(ALL, 10),
                steps.part(
                        told -> {
                            begun.set(true);
                            return Withdrawable.NOTHING_TO_APPLY;
                        },
                        true));
        // whatever they had begun would be done by the time that this is
        Await.result(Steps.run(backend.get(), MOVE, other -> other.scan(ALL, 10)));
        assertThat(late).noneMatch(each -> each.toCompletableFuture().isDone());
        assertThat(begun).isFalse();
        assertThat(engine.reads()).isEqualTo(reads);
        assertThat(engine.get(KEY)).isEmpty();
    }

    @Test
    void a_course_that_throws_fails_its_operation() {
        assertThatThrownBy(() -> Await.result(Steps.run(backend.get(), MOVE, steps -> {
                    throw new IllegalStateException("bug");
                })))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("bug");
    }

    @Test
    void what_is_unattended_has_no_deadline() {
        CompletableFuture<String> told = new CompletableFuture<>();
        CompletionStage<String> unattended = Steps.unattended(backend.get(), MOVE, steps -> {
            assertThat(steps.operation()).isEqualTo(MOVE);
            assertThat(steps.backend()).isSameAs(backend.get());
            return told;
        });
        CompletionStage<String> attended = Steps.run(backend.get(), MOVE, steps -> waiting(steps, true));
        backend.pass(TestBackend.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(attended)).isInstanceOf(StoreUnavailableException.class);
        assertThat(unattended.toCompletableFuture()).isNotDone();
        told.complete("at last");
        assertThat(Await.result(unattended)).isEqualTo("at last");
    }

    @Test
    void of_a_closed_store_set_no_course_begins() {
        backend.get().close(TestBackend.DEADLINE);
        AtomicBoolean begun = new AtomicBoolean();
        assertThatThrownBy(() -> Await.result(Steps.run(backend.get(), MOVE, steps -> {
                    begun.set(true);
                    return new CompletableFuture<String>();
                })))
                .isInstanceOf(StoreClosedException.class);
        assertThat(begun).isFalse();
    }

    private static CompletionStage<String> put(Steps steps) {
        return steps.transact(
                List.of(KEY),
                seen -> Decision.write(List.of(seen.unchanged(KEY)), List.of(Change.put(KEY, Bytes.utf8("v"))), "put"));
    }

    /** A step that does not end; when it is taken back, it says whether nothing came of it. */
    private static CompletionStage<String> waiting(Steps steps, boolean nothing) {
        return steps.part(told -> () -> nothing, true);
    }
}
