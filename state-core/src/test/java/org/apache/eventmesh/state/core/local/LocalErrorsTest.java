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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.local.LocalFixture.Events;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.apache.eventmesh.state.core.local.LocalFixture.ALL;
import static org.apache.eventmesh.state.core.local.LocalFixture.apply;
import static org.apache.eventmesh.state.core.local.LocalFixture.key;
import static org.apache.eventmesh.state.core.local.LocalFixture.put;
import static org.apache.eventmesh.state.core.local.LocalFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** No watch falls silent because of an {@link Error}. */
class LocalErrorsTest {
    private final ConcurrentLinkedQueue<Error> errors = new ConcurrentLinkedQueue<>();
    private final Deque<Error> refusals = new ArrayDeque<>();
    private final MapEngine map = new MapEngine() {
        @Override
        public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
            Error next = errors.poll();
            if (next != null) {
                throw next;
            }
            return super.commit(commits, level);
        }
    };

    static List<Error> errors() {
        return List.of(new OutOfMemoryError("on purpose"), new StackOverflowError("on purpose"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void required_S04_after_an_error_of_the_engine_a_watch_is_lost_and_not_silent(Error error) {
        try (SingleProcessEngine engine = new LocalFixture().over(map)) {
            Events events = new Events();
            engine.watch(ALL, Await.result(engine.scan(ALL, 1)).revision(), events);
            errors.add(error);

            CompletionStage<CommitResult> failed = start(engine, put("a", "1"));
            assertThatThrownBy(() -> failed.toCompletableFuture().join()).hasCause(error);

            await().until(events::lost);
            await().until(() -> {
                Events again = new Events();
                engine.watch(ALL, Await.result(engine.scan(ALL, 1)).revision(), again);
                apply(engine, put("b", "1"));
                await().until(() -> again.lost() || !again.changes().isEmpty());
                return !again.lost();
            });
        }
    }

    @Test
    void required_S04_without_a_thread_changes_come_with_the_next_look() {
        refusals.addAll(errors());
        Executor refusing = task -> {
            Error next = refusals.poll();
            if (next != null) {
                throw next;
            }
            task.run();
        };
        History history = new History(HistoryBounds.DEFAULT);
        history.beginAt(0);
        LocalWatches watches = new LocalWatches(history, refusing);
        Events events = new Events();
        watches.start(ALL, 0, events);
        history.append(1, List.of(put("a", "1")));
        watches.signal();
        assertThat(refusals).isEmpty();
        assertThat(events.changes()).isEmpty();

        watches.catchUp();

        assertThat(events.changes()).containsExactly("a@1");
    }

    @ParameterizedTest
    @MethodSource("errors")
    void required_S04_an_error_while_the_history_begins_again_is_not_the_end_of_it(Error error) {
        History history = new History(HistoryBounds.DEFAULT);
        PublishedCommits commits = new PublishedCommits(
                map,
                LocalRanges.ANYTHING,
                history,
                new CommitOrder(history, HistoryBounds.DEFAULT),
                new LocalWatches(history, Runnable::run));
        map.beforeScan(() -> {
            throw error;
        });
        commits.resume();
        assertThat(history.isForgotten()).isTrue();
        map.beforeScan(() -> {});

        commits.resume();

        assertThat(history.isForgotten()).isFalse();
    }

    @Test
    void required_S05_after_errors_the_keys_of_an_ended_lease_go() {
        map.put(key("a"), key("v"));
        Map<Bytes, Long> keys = Map.of(key("a"), map.get(key("a")).orElseThrow().revision());
        LeasedKeyDeletes deletes = new LeasedKeyDeletes(commits -> map.commit(commits, Durability.DISK), task -> {
            Error next = refusals.poll();
            if (next != null) {
                throw next;
            }
            task.run();
        });

        // one finds no thread, and the next one no engine
        refusals.add(errors().get(0));
        assertThatThrownBy(() -> deletes.delete(keys).toCompletableFuture().join())
                .hasCauseInstanceOf(OutOfMemoryError.class);
        LeasedKeyDeletes unheard = new LeasedKeyDeletes(
                commits -> {
                    throw errors().get(1);
                },
                Runnable::run);
        for (int n = 0; n < 2; n++) {
            assertThatThrownBy(() -> unheard.delete(keys).toCompletableFuture().join())
                    .hasCauseInstanceOf(StackOverflowError.class);
        }

        assertThat(deletes.delete(keys).toCompletableFuture()).isCompleted();
        assertThat(map.get(key("a"))).isEmpty();
    }
}
