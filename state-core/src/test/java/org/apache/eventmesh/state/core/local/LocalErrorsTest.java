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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.local.LocalFixture.Events;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.apache.eventmesh.state.core.local.LocalFixture.ALL;
import static org.apache.eventmesh.state.core.local.LocalFixture.apply;
import static org.apache.eventmesh.state.core.local.LocalFixture.put;
import static org.apache.eventmesh.state.core.local.LocalFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** No watch falls silent because of an {@link Error}. */
class LocalErrorsTest {
    private final ConcurrentLinkedQueue<Error> errors = new ConcurrentLinkedQueue<>();
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
        Deque<Error> refusals = new ArrayDeque<>(errors());
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
}
