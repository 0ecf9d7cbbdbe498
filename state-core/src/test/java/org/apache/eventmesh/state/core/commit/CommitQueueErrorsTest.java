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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.apache.eventmesh.state.core.engine.HeldEngine;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The queue goes on after whatever is thrown at it, and nobody waits for ever. */
class CommitQueueErrorsTest {
    private static final QueueBounds ONE_ROUND = new QueueBounds(100, 10_000, 50, 2_000, 1);

    private final Deque<Error> errors = new ArrayDeque<>();

    private void throwNext() {
        Error next = errors.poll();
        if (next != null) {
            throw next;
        }
    }

    private void throwing(int times) {
        for (int n = 0; n < times; n++) {
            errors.add(n % 2 == 0 ? new OutOfMemoryError("on purpose") : new StackOverflowError("on purpose"));
        }
    }

    @Test
    void required_G02_after_errors_of_the_engine_commits_go_on() {
        MapEngine engine = new MapEngine() {
            @Override
            public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
                throwNext();
                return super.commit(commits, level);
            }
        };
        CommitQueue queue = new CommitQueue(engine, ONE_ROUND, Runnable::run);
        throwing(4);

        for (int n = 0; n < 4; n++) {
            Submission lost = queue.submit(put("k" + n), Durability.DISK);
            assertThatThrownBy(() -> fate(lost))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasCauseInstanceOf(VirtualMachineError.class);
        }
        assertThat(fate(queue.submit(put("last"), Durability.DISK))).isInstanceOf(CommitResult.Applied.class);
    }

    /** A fate that cannot be followed; what was asked of the engine is done all the same. */
    private final class Deaf extends CompletableFuture<CommitResult> {
        @Override
        public CompletableFuture<CommitResult> whenComplete(BiConsumer<? super CommitResult, ? super Throwable> next) {
            throwNext();
            return super.whenComplete(next);
        }
    }

    @Test
    void required_G02_after_errors_on_the_way_to_a_fate_commits_go_on() {
        MapEngine engine = new MapEngine() {
            @Override
            public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
                return commits.stream()
                        .<CompletionStage<CommitResult>>map(commit -> {
                            Deaf fate = new Deaf();
                            fate.complete(apply(commit));
                            return fate;
                        })
                        .toList();
            }
        };
        CommitQueue queue = new CommitQueue(engine, ONE_ROUND, Runnable::run);
        throwing(4);

        for (int n = 0; n < 4; n++) {
            Submission unheard = queue.submit(put("k" + n), Durability.DISK);
            // its deadline tells that it is unknown: it cannot be taken back
            assertThat(unheard.fate().toCompletableFuture()).isNotDone();
            assertThat(unheard.withdraw()).isFalse();
        }
        assertThat(fate(queue.submit(put("last"), Durability.DISK))).isInstanceOf(CommitResult.Applied.class);
        assertThat(queue.drained(Duration.ZERO)).isTrue();
    }

    @Test
    void required_G02_without_a_thread_what_was_handed_in_waits_for_the_next_commit() {
        MapEngine engine = new MapEngine();
        CommitQueue queue = new CommitQueue(engine, ONE_ROUND, failing(Runnable::run));
        throwing(2);

        Submission first = queue.submit(put("a"), Durability.DISK);
        Submission second = queue.submit(put("b"), Durability.DISK);
        assertThat(queue.waiting()).isEqualTo(2);
        assertThat(second.withdraw()).isTrue();
        Submission third = queue.submit(put("c"), Durability.DISK);

        assertThat(fate(first)).isInstanceOf(CommitResult.Applied.class);
        assertThat(fate(third)).isInstanceOf(CommitResult.Applied.class);
        assertThat(engine.get(key("b"))).isEmpty();
    }

    @Test
    void required_G02_without_a_thread_at_the_end_of_a_round_the_next_commit_begins_another() {
        HeldEngine engine = new HeldEngine();
        CommitQueue queue = new CommitQueue(engine, ONE_ROUND, failing(Runnable::run));
        Submission first = queue.submit(put("a"), Durability.DISK);
        Submission second = queue.submit(put("b"), Durability.DISK);
        throwing(1);

        engine.release();
        assertThat(fate(first)).isInstanceOf(CommitResult.Applied.class);
        assertThat(queue.waiting()).isOne();
        Submission third = queue.submit(put("c"), Durability.DISK);

        assertThat(fate(second)).isInstanceOf(CommitResult.Applied.class);
        assertThat(fate(third)).isInstanceOf(CommitResult.Applied.class);
    }

    private Executor failing(Executor good) {
        return task -> {
            throwNext();
            good.execute(task);
        };
    }

    private static Commit put(String key) {
        return new Commit(List.of(), List.of(Change.put(key(key), Bytes.utf8("v"))));
    }

    private static Bytes key(String name) {
        return Bytes.utf8(name);
    }

    /** Of a commit that nobody holds up: without a wait. */
    private static CommitResult fate(Submission submission) {
        try {
            CompletableFuture<CommitResult> fate = submission.fate().toCompletableFuture();
            assertThat(fate).isDone();
            return fate.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
