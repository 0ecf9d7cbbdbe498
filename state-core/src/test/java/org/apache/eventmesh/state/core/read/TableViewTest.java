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

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class TableViewTest {
    private static final KeyRange ALL = KeyWriter.of(Table.AGENT).under();

    private final MapEngine engine = new MapEngine();
    private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
    private final TestBackend backend = new TestBackend(engine, new StoreListener() {
        @Override
        public void resynchronised(StoreName store, String reason) {
            events.add("resynchronised " + reason);
        }

        @Override
        public void listenerFailed(StoreName store, Throwable failure) {
            events.add("failed " + failure.getMessage());
        }
    });
    private final TableView<String> view = new TableView<>(backend.get(), StoreName.SESSIONS, ALL, TableViewTest::text);

    @AfterEach
    void close() {
        view.close();
        backend.close();
    }

    @Test
    void it_and_its_listeners_equal_the_backend_after_any_storm_and_loss() {
        Mirror mirror = new Mirror();
        view.watch(mirror);
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            Bytes key = key(random.nextInt(1_500));
            if (random.nextInt(4) == 0) {
                engine.delete(key);
            } else {
                engine.put(key, Bytes.utf8("v" + i));
            }
            if (i % 6_000 == 5_999) {
                engine.loseWatches("the connection broke");
            }
        }
        Map<Bytes, String> expected = new TreeMap<>();
        Await.result(engine.scan(ALL, 10_000)).entries().forEach(entry -> expected.put(entry.key(), text(entry)));
        await().untilAsserted(() -> {
            assertThat(view.under(ALL)).containsExactlyElementsOf(expected.values());
            assertThat(mirror.copy()).isEqualTo(expected);
        });
    }

    @Test
    void a_lost_watch_is_followed_by_a_marked_resynchronisation() {
        Await.result(view.ready());
        Mirror mirror = new Mirror();
        view.watch(mirror);
        await().until(() -> mirror.snapshots.get() == 1);
        engine.put(key(1), Bytes.utf8("one"));
        engine.loseWatches("compacted");
        engine.put(key(2), Bytes.utf8("two"));
        await().until(() -> mirror.snapshots.get() == 2 && mirror.copy().size() == 2);
        await().until(() -> events.contains("resynchronised compacted"));
    }

    @Test
    void a_slow_listener_is_resynchronised_and_holds_up_nobody() {
        Await.result(view.ready());
        CountDownLatch release = new CountDownLatch(1);
        Mirror slow = new Mirror(() -> open(release));
        Mirror quick = new Mirror();
        view.watch(slow);
        view.watch(quick);
        for (int i = 0; i < 25_000; i++) {
            engine.put(key(i % 10), Bytes.utf8("v" + i));
        }
        await().until(() -> quick.copy().size() == 10 && quick.copy().containsValue("v24999"));
        release.countDown();
        await().until(() -> slow.copy().equals(quick.copy()));
        assertThat(slow.snapshots).hasValue(2);
        await().until(() -> events.stream().anyMatch(event -> event.contains("too slow")));
    }

    @Test
    void a_throwing_listener_harms_only_itself_and_is_reported() {
        Await.result(view.ready());
        Mirror good = new Mirror();
        view.watch(new Mirror(() -> {
            throw new IllegalStateException("mine");
        }));
        view.watch(good);
        engine.put(key(1), Bytes.utf8("one"));
        await().until(() -> good.copy().size() == 1);
        await().until(() -> events.contains("failed mine"));
        assertThat(view.under(ALL)).containsExactly("one");
    }

    @Test
    void what_cannot_be_decoded_hides_no_other() {
        engine.put(key(1), Bytes.utf8("one"));
        engine.put(key(2), Bytes.utf8("bad"));
        await().untilAsserted(() -> {
            assertThat(view.under(ALL)).containsExactly("one");
            assertThat(view.unreadable()).hasSize(1);
        });
        engine.put(key(2), Bytes.utf8("two"));
        await().untilAsserted(() -> {
            assertThat(view.under(ALL)).containsExactly("one", "two");
            assertThat(view.unreadable()).isEmpty();
        });
    }

    @Test
    void it_says_how_old_it_is_and_never_too_young() {
        await().until(() -> view.age().isZero());
        engine.away(true);
        backend.pass(Duration.ofSeconds(3));
        assertThat(view.age()).isEqualTo(Duration.ofSeconds(3));
        engine.away(false);
        await().until(() -> view.age().isZero());
    }

    @Test
    void before_the_first_snapshot_it_is_empty_and_endlessly_old() {
        engine.away(true);
        try (TableView<String> early = new TableView<>(backend.get(), StoreName.SESSIONS, ALL, TableViewTest::text)) {
            assertThat(early.under(ALL)).isEmpty();
            assertThat(early.age()).isEqualTo(TableView.NEVER);
            assertThat(early.ready().toCompletableFuture()).isNotDone();
            engine.away(false);
            Await.result(early.ready());
            await().until(() -> early.age().isZero());
        }
    }

    @Test
    void a_watch_that_is_silent_while_the_backend_moves_on_is_taken_as_lost() {
        try (TableView<String> deaf = new TableView<>(
                backend.get(), StoreName.SESSIONS, ALL, TableViewTest::text, new Follower.Pace(2, 1_000))) {
            Await.result(deaf.ready());
            engine.forgetWatches();
            engine.put(key(1), Bytes.utf8("one"));
            await().untilAsserted(() -> assertThat(deaf.under(ALL)).containsExactly("one"));
            await().until(() -> events.stream().anyMatch(event -> event.contains("silent")));
        }
    }

    @Test
    void a_change_that_a_watch_leaves_out_is_found_by_a_comparison_with_a_listing() {
        AtomicInteger dropped = new AtomicInteger();
        MapEngine forgetful = new MapEngine() {
            @Override
            public synchronized Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
                return super.watch(range, afterRevision, event -> {
                    if (event instanceof WatchEvent.Changed change
                            && change.now().isEmpty()
                            && dropped.getAndIncrement() == 0) {
                        return;
                    }
                    listener.on(event);
                });
            }
        };
        forgetful.put(key(1), Bytes.utf8("one"));
        forgetful.put(key(2), Bytes.utf8("two"));
        try (TestBackend other = new TestBackend(forgetful);
                TableView<String> compared = new TableView<>(
                        other.get(), StoreName.SESSIONS, ALL, TableViewTest::text, new Follower.Pace(1_000, 1))) {
            Await.result(compared.ready());
            Mirror mirror = new Mirror();
            compared.watch(mirror);
            await().until(() -> mirror.snapshots.get() == 1);
            forgetful.delete(key(1));
            forgetful.put(key(2), Bytes.utf8("again"));
            await().untilAsserted(() -> assertThat(compared.under(ALL)).containsExactly("again"));
            await().until(() -> mirror.snapshots.get() == 2);
            assertThat(dropped).hasPositiveValue();
        }
    }

    @Test
    void comparisons_under_load_find_nothing_where_nothing_is_missing() {
        try (TableView<String> compared = new TableView<>(
                backend.get(), StoreName.SESSIONS, ALL, TableViewTest::text, new Follower.Pace(1_000, 1))) {
            Await.result(compared.ready());
            Mirror mirror = new Mirror();
            compared.watch(mirror);
            await().until(() -> mirror.snapshots.get() == 1);
            AtomicInteger scans = new AtomicInteger();
            engine.beforeScan(scans::incrementAndGet);
            Random random = new Random(11);
            for (int i = 0; scans.get() < 12; i++) {
                Bytes key = key(1 + random.nextInt(700));
                if (random.nextInt(3) == 0) {
                    engine.delete(key);
                } else {
                    engine.put(key, Bytes.utf8("v" + i));
                }
                if (i % 1_000 == 0) {
                    String mark = "mark" + i;
                    engine.put(key(0), Bytes.utf8(mark));
                    await().until(() -> compared.get(key(0)).equals(Optional.of(mark)));
                }
            }
            assertThat(mirror.snapshots).hasValue(1);
            assertThat(events).noneMatch(event -> event.contains("differs"));
        }
    }

    @Test
    void a_snapshot_of_many_pages_is_one_state() {
        for (int i = 0; i < 3_000; i++) {
            engine.put(key(i), Bytes.utf8("0"));
        }
        // each step moves a value from one end to the other: at any one revision there are 3,000 of them
        Mirror mirror = new Mirror();
        AtomicInteger steps = new AtomicInteger();
        engine.beforeScan(() -> {
            int step = steps.getAndIncrement();
            if (step < 2_000) {
                engine.apply(new Commit(
                        List.of(),
                        List.of(Change.delete(key(2_999 - step)), Change.put(key(10_000 + step), Bytes.utf8("0")))));
            }
        });
        try (TableView<String> large = new TableView<>(backend.get(), StoreName.SESSIONS, ALL, TableViewTest::text)) {
            large.watch(mirror);
            Await.result(large.ready());
            await().until(() -> mirror.snapshots.get() > 0);
            assertThat(mirror.sizes).allMatch(size -> size == 3_000);
        }
    }

    @Test
    void a_watch_that_cannot_be_had_is_tried_again() {
        AtomicInteger refusals = new AtomicInteger(3);
        MapEngine stubborn = new MapEngine() {
            @Override
            public synchronized Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
                if (refusals.getAndDecrement() > 0) {
                    throw new IllegalStateException("not now");
                }
                return super.watch(range, afterRevision, listener);
            }
        };
        stubborn.put(key(1), Bytes.utf8("one"));
        try (TestBackend other = new TestBackend(stubborn);
                TableView<String> patient =
                        new TableView<>(other.get(), StoreName.SESSIONS, ALL, TableViewTest::text)) {
            Await.result(patient.ready());
            stubborn.put(key(2), Bytes.utf8("two"));
            await().untilAsserted(() -> assertThat(patient.under(ALL)).containsExactly("one", "two"));
        }
    }

    @Test
    void more_changes_than_may_wait_lead_to_a_resynchronisation_and_not_to_unbounded_memory() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger decoded = new AtomicInteger();
        try (TableView<String> slow = new TableView<>(backend.get(), StoreName.SESSIONS, ALL, entry -> {
            decoded.incrementAndGet();
            open(release);
            return text(entry);
        })) {
            Await.result(slow.ready());
            for (int i = 0; i < 250_000; i++) {
                engine.put(key(i % 3), Bytes.utf8("v" + i));
            }
            release.countDown();
            await().untilAsserted(() -> assertThat(slow.under(ALL)).containsExactly("v249999", "v249997", "v249998"));
            await().until(() -> events.stream().anyMatch(event -> event.contains("changes waited")));
            assertThat(decoded.get()).isLessThan(150_000);
        }
    }

    private static String text(Entry entry) {
        String text = entry.value().toUtf8();
        if (text.equals("bad")) {
            throw new IllegalArgumentException("bad");
        }
        return text;
    }

    private static void open(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Bytes key(int i) {
        return KeyWriter.of(Table.AGENT).text("agent" + i).key();
    }

    /** A copy made of what a listener hears. */
    private static final class Mirror implements ViewListener<String> {
        private final Map<Bytes, String> copy = new ConcurrentSkipListMap<>();
        private final Runnable first;
        final AtomicInteger snapshots = new AtomicInteger();
        final Queue<Integer> sizes = new ConcurrentLinkedQueue<>();

        Mirror() {
            this(() -> {});
        }

        /** @param first done before each event */
        Mirror(Runnable first) {
            this.first = first;
        }

        Map<Bytes, String> copy() {
            return copy;
        }

        @Override
        public void resynchronised(SortedMap<Bytes, String> all) {
            first.run();
            copy.clear();
            copy.putAll(all);
            sizes.add(all.size());
            snapshots.incrementAndGet();
        }

        @Override
        public void changed(Bytes key, Optional<String> before, Optional<String> now) {
            first.run();
            assertThat(Optional.ofNullable(copy.get(key))).isEqualTo(before);
            now.ifPresentOrElse(value -> copy.put(key, value), () -> copy.remove(key));
        }
    }
}
