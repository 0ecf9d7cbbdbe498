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
package org.apache.eventmesh.state.core.read;

import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.interleaving.Interleavings;
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.apache.eventmesh.state.core.interleaving.Workers;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** However those who change a local copy, watch it and are told of it take turns, every listener ends with what is there. */
class WatcherInterleavingsTest {
    @ParameterizedTest
    @ValueSource(classes = {Begun.class, Resynchronised.class, Several.class})
    void required_S04_a_listener_ends_with_what_is_there_however_threads_take_turns(
            Class<? extends Scenario> scenario) {
        assertThat(Interleavings.of(scenario, "TableView", "Watcher").preemptions())
                .isGreaterThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {Begun.class, Resynchronised.class, Several.class})
    void without_locks_they_fail(Class<? extends Scenario> scenario) {
        assertThatThrownBy(() -> Interleavings.withoutLocks(scenario, "TableView", "Watcher"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("when the threads take turns like this");
    }

    /** Never answers: what comes into the copy is said by the scenario alone. */
    private static final class SilentEngine extends MapEngine {
        @Override
        public CompletionStage<Slice> scan(KeyRange range, int limit) {
            return new CompletableFuture<>();
        }
    }

    /** What a listener has been told. */
    private static final class Mirror implements ViewListener<String> {
        private final TreeMap<Bytes, String> told = new TreeMap<>();

        @Override
        public void resynchronised(SortedMap<Bytes, String> all) {
            told.clear();
            told.putAll(all);
        }

        @Override
        public void changed(Bytes key, Optional<String> before, Optional<String> now) {
            assertThat(before).as("what was there before").isEqualTo(Optional.ofNullable(told.get(key)));
            now.ifPresentOrElse(value -> told.put(key, value), () -> told.remove(key));
        }
    }

    /** A local copy, and those who tell of it. */
    abstract static class Viewed implements Scenario {
        private static final KeyRange ALL = new KeyRange(Bytes.utf8("a"), Bytes.utf8("z"));

        private static final AtomicReference<Executor> THREADS = new AtomicReference<>(Runnable::run);

        /** One for all interleavings: it starts threads, which have nothing to do with them. */
        private static final Backend BACKEND = new Backend(
                new SilentEngine(),
                new Deadlines(() -> 0, Duration.ofSeconds(10)),
                new Callbacks(task -> THREADS.get().execute(task), StoreListener.NONE),
                1_000);

        final Workers workers = new Workers();
        final TableView<String> view;
        final Follower.Target copy;
        private long revision;

        Viewed() {
            THREADS.set(workers);
            view = new TableView<>(
                    BACKEND,
                    StoreName.SUBSCRIPTIONS,
                    ALL,
                    entry -> entry.value().toUtf8());
            copy = (Follower.Target) field(field(view, "follower"), "target");
        }

        private static Object field(Object of, String name) {
            try {
                Field field = of.getClass().getDeclaredField(name);
                field.setAccessible(true);
                return field.get(of);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("adapt the scenario: " + name + " is gone", e);
            }
        }

        private Entry entry(String key) {
            return new Entry(Bytes.utf8(key), Bytes.utf8(key + ++revision), revision);
        }

        void replaced(String... keys) {
            NavigableMap<Bytes, Entry> all = new TreeMap<>();
            for (String key : keys) {
                Entry entry = entry(key);
                all.put(entry.key(), entry);
            }
            copy.replaced(all, Optional.empty());
        }

        void put(String key) {
            Entry entry = entry(key);
            copy.changed(new WatchEvent.Changed(entry.revision(), entry.key(), Optional.of(entry)));
        }

        void delete(String key) {
            copy.changed(new WatchEvent.Changed(++revision, Bytes.utf8(key), Optional.empty()));
        }

        void mirrored(Mirror mirror, String... keys) {
            assertThat(mirror.told.keySet().stream().map(Bytes::toUtf8)).containsExactly(keys);
            assertThat(mirror.told.values()).containsExactlyElementsOf(view.under(ALL));
            view.close();
        }
    }

    /** A watch begins while the first snapshot and changes come. */
    static final class Begun extends Viewed {
        private final Mirror mirror = new Mirror();

        @Override
        public List<Runnable> threads() {
            return List.of(
                    workers.giver(() -> {
                        replaced("a");
                        put("b");
                        delete("a");
                        put("b");
                    }),
                    workers.giver(() -> view.watch(mirror)),
                    workers::work);
        }

        @Override
        public void check() {
            mirrored(mirror, "b");
        }
    }

    /** The copy begins again while its changes are told. */
    static final class Resynchronised extends Viewed {
        private final Mirror mirror = new Mirror();

        Resynchronised() {
            view.watch(mirror);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    workers.giver(() -> {
                        replaced("a");
                        put("b");
                        replaced("c");
                        put("d");
                    }),
                    workers::work,
                    workers::work);
        }

        @Override
        public void check() {
            mirrored(mirror, "c", "d");
        }
    }

    /** One watch ends and another begins while changes are told: what one does is nothing to the other. */
    static final class Several extends Viewed {
        private final Mirror mirror = new Mirror();
        private final Mirror later = new Mirror();
        private final ViewWatch ending = view.watch(new Mirror());

        Several() {
            replaced("a");
            view.watch(mirror);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    workers.giver(() -> {
                        put("b");
                        delete("a");
                    }),
                    workers.giver(() -> {
                        view.watch(later);
                        ending.close();
                    }),
                    workers::work);
        }

        @Override
        public void check() {
            assertThat(later.told).isEqualTo(mirror.told);
            mirrored(mirror, "b");
        }
    }
}
