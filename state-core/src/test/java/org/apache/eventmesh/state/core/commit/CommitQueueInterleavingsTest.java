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
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.interleaving.Interleavings;
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.apache.eventmesh.state.core.interleaving.Schedule;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** However the threads that hand in, hand over, take back and close take turns, each commit has one fate. */
class CommitQueueInterleavingsTest {
    /** One round at a time, so that the end of a round has something to do. */
    private static final QueueBounds ONE_ROUND = new QueueBounds(100, 10_000, 50, 2_000, 1);

    @ParameterizedTest
    @ValueSource(classes = {Together.class, OnTheSpot.class, TakenBack.class, Closed.class, LateFates.class})
    void required_G02_every_commit_has_its_fate_however_threads_take_turns(Class<? extends Scenario> scenario) {
        assertThat(Interleavings.of(scenario, "CommitQueue", "Submission").preemptions())
                .isGreaterThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {Together.class, OnTheSpot.class, TakenBack.class, LateFates.class})
    void without_locks_they_fail(Class<? extends Scenario> scenario) {
        assertThatThrownBy(() -> Interleavings.withoutLocks(scenario, "CommitQueue", "Submission"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("when the threads take turns like this");
    }

    /** A queue, and those who work for it. */
    abstract static class Queue implements Scenario {
        final MapEngine engine;
        final org.apache.eventmesh.state.core.interleaving.Workers threads =
                new org.apache.eventmesh.state.core.interleaving.Workers();
        final CommitQueue queue;

        Queue(MapEngine engine) {
            this.engine = engine;
            this.queue = new CommitQueue(engine, ONE_ROUND, threads);
        }

        Submission submit(String key) {
            return queue.submit(put(key), Durability.DISK);
        }

        static Commit put(String key) {
            return new Commit(List.of(), List.of(Change.put(Bytes.utf8(key), Bytes.utf8("v"))));
        }

        boolean stored(String key) {
            return engine.get(Bytes.utf8(key)).isPresent();
        }

        static CompletableFuture<CommitResult> fate(@Nullable Submission submission) {
            assertThat(submission).isNotNull();
            return submission.fate().toCompletableFuture();
        }

        static void applied(@Nullable Submission submission) {
            assertThat(fate(submission)).isCompletedWithValueMatching(CommitResult.Applied.class::isInstance);
        }

        @Override
        public void check() {
            assertThat(queue.waiting()).isZero();
            assertThat(queue.drained(Duration.ZERO)).as("nothing is under way").isTrue();
        }
    }

    /** Two hand in, and one hands over. */
    static final class Together extends Queue {
        private @Nullable Submission first;
        private @Nullable Submission second;

        Together() {
            super(new MapEngine());
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    threads.giver(() -> first = submit("a")), threads.giver(() -> second = submit("a")), threads::work);
        }

        @Override
        public void check() {
            super.check();
            applied(first);
            applied(second);
        }
    }

    /** One hands over what it hands in, while another hands in. */
    static final class OnTheSpot extends Queue {
        private @Nullable Submission first;
        private @Nullable Submission second;

        OnTheSpot() {
            super(new MapEngine());
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    threads.giver(() -> first = queue.write(put("a"), Durability.DISK)),
                    threads.giver(() -> second = submit("b")),
                    threads::work);
        }

        @Override
        public void check() {
            super.check();
            applied(first);
            applied(second);
        }
    }

    /** One takes back what it handed in, while it is handed over. */
    static final class TakenBack extends Queue {
        private @Nullable Submission taken;
        private @Nullable Submission other;
        private boolean back;

        TakenBack() {
            super(new MapEngine());
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    threads.giver(() -> {
                        Submission mine = submit("a");
                        taken = mine;
                        back = mine.withdraw();
                    }),
                    threads.giver(() -> other = submit("b")),
                    threads::work);
        }

        @Override
        public void check() {
            super.check();
            applied(other);
            assertThat(stored("a")).isEqualTo(!back);
            assertThat(fate(taken).isDone()).isEqualTo(!back);
        }
    }

    /** It is closed while one hands in. */
    static final class Closed extends Queue {
        private @Nullable Submission submission;

        Closed() {
            super(new MapEngine());
        }

        @Override
        public List<Runnable> threads() {
            return List.of(threads.giver(() -> submission = submit("a")), queue::close, threads::work);
        }

        @Override
        public void check() {
            super.check();
            if (stored("a")) {
                applied(submission);
            } else {
                assertThat(fate(submission))
                        .isCompletedExceptionally()
                        .failsWithin(Duration.ZERO)
                        .withThrowableThat()
                        .withCauseInstanceOf(StoreClosedException.class);
            }
        }
    }

    /** The engine tells fates by a thread of its own, when a round is long on its way. */
    static final class LateFates extends Queue {
        private @Nullable Submission first;
        private @Nullable Submission second;

        LateFates() {
            super(new LateEngine());
        }

        @Override
        public List<Runnable> threads() {
            LateEngine late = (LateEngine) engine;
            return List.of(
                    threads.giver(() -> first = submit("a")),
                    threads.giver(() -> second = submit("b")),
                    threads.giver(() -> {
                        for (int told = 0; told < 2; told++) {
                            late.tell();
                        }
                    }),
                    threads::work);
        }

        @Override
        public void check() {
            super.check();
            applied(first);
            applied(second);
        }
    }

    private static final class LateEngine extends MapEngine {
        private final List<Runnable> untold = new ArrayList<>();

        @Override
        public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
            return commits.stream()
                    .<CompletionStage<CommitResult>>map(commit -> {
                        CompletableFuture<CommitResult> fate = new CompletableFuture<>();
                        untold.add(() -> fate.complete(apply(commit)));
                        return fate;
                    })
                    .toList();
        }

        void tell() {
            Schedule.await(() -> !untold.isEmpty());
            untold.remove(0).run();
        }
    }
}
