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

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.interleaving.Interleavings;
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.apache.eventmesh.state.core.interleaving.Workers;
import org.apache.eventmesh.state.core.local.LocalFixture.Events;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.apache.eventmesh.state.core.local.LocalFixture.ALL;
import static org.apache.eventmesh.state.core.local.LocalFixture.commit;
import static org.apache.eventmesh.state.core.local.LocalFixture.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** However those who write, watch and deliver take turns, a watch hears every change once, in order, without a gap. */
class LocalWatchInterleavingsTest {
    /** The last is the listener of one who closes: what he sees, he sees at some moment. */
    private static final String[] POINTS = {
        "CommitOrder", "History", "LocalWatch", "LocalWatches", "LocalWatchInterleavingsTest$Ended"
    };

    @ParameterizedTest
    @ValueSource(classes = {Written.class, Begun.class, Ended.class, Lost.class})
    void required_S04_a_watch_has_no_gap_however_threads_take_turns(Class<? extends Scenario> scenario) {
        assertThat(Interleavings.of(scenario, POINTS).preemptions()).isGreaterThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {Written.class, Begun.class, Ended.class})
    void without_locks_they_fail(Class<? extends Scenario> scenario) {
        assertThatThrownBy(() -> Interleavings.withoutLocks(scenario, POINTS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("when the threads take turns like this");
    }

    /** What is written, and those who deliver it. */
    abstract static class Watched implements Scenario {
        final MapEngine engine = new MapEngine();
        final Workers threads = new Workers();
        final History history = new History(HistoryBounds.DEFAULT);
        final CommitOrder order = new CommitOrder(history, HistoryBounds.DEFAULT);
        final LocalWatches watches = new LocalWatches(history, threads);
        final Events events = new Events();

        Watched() {
            history.beginAt(0);
        }

        PublishedCommits over(MapEngine below) {
            return new PublishedCommits(below, LocalRanges.ANYTHING, history, order, watches);
        }

        void write(PublishedCommits way, String key) {
            var unused = way.commit(List.of(commit(put(key, "v"))), Durability.DISK);
        }

        /** Every change that was made, in order. */
        void heardAll(int many) {
            assertThat(events.lost()).isFalse();
            assertThat(events.all.stream()
                            .filter(WatchEvent.Changed.class::isInstance)
                            .map(event -> ((WatchEvent.Changed) event).revision()))
                    .hasSize(many)
                    .doesNotHaveDuplicates()
                    .isSorted();
        }
    }

    /** Two write and one delivers. */
    static final class Written extends Watched {
        private final PublishedCommits way = over(engine);

        Written() {
            watches.start(ALL, 0, events);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(threads.giver(() -> write(way, "a")), threads.giver(() -> write(way, "b")), threads::work);
        }

        @Override
        public void check() {
            heardAll(2);
        }
    }

    /** A watch begins while others write, from a revision of before. */
    static final class Begun extends Watched {
        private final PublishedCommits way = over(engine);

        @Override
        public List<Runnable> threads() {
            return List.of(
                    threads.giver(() -> {
                        write(way, "a");
                        write(way, "b");
                    }),
                    threads.giver(() -> watches.start(ALL, 0, events)),
                    threads::work,
                    threads::work);
        }

        @Override
        public void check() {
            heardAll(2);
        }
    }

    /** A watch is closed while it is delivered: when the call has returned, nobody hears anything any more. */
    static final class Ended extends Watched {
        private final PublishedCommits way = over(engine);
        private boolean closed;
        private boolean late;
        private final LocalWatch watch = watches.start(ALL, 0, event -> {
            // a listener that throws is only logged
            late |= closed;
            events.on(event);
        });

        @Override
        public List<Runnable> threads() {
            return List.of(
                    threads.giver(() -> write(way, "a")),
                    () -> {
                        watch.close();
                        closed = true;
                    },
                    threads::work);
        }

        @Override
        public void check() {
            assertThat(late).as("told after the close had returned").isFalse();
            assertThat(events.changes()).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** A commit whose fate nobody knows: whoever watches is told, once, and hears of nothing behind it. */
    static final class Lost extends Watched {
        private final PublishedCommits good = over(engine);
        private final PublishedCommits bad = over(new Unknown());

        Lost() {
            watches.start(ALL, 0, events);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(threads.giver(() -> write(good, "a")), threads.giver(() -> write(bad, "b")), threads::work);
        }

        @Override
        public void check() {
            assertThat(events.all.stream().filter(WatchEvent.Lost.class::isInstance))
                    .hasSize(1);
            assertThat(events.all.get(events.all.size() - 1)).isInstanceOf(WatchEvent.Lost.class);
        }
    }

    private static final class Unknown extends MapEngine {
        @Override
        public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
            return commits.stream()
                    .<CompletionStage<CommitResult>>map(
                            commit -> CompletableFuture.failedStage(new OutcomeUnknownException("nobody knows")))
                    .toList();
        }
    }
}
