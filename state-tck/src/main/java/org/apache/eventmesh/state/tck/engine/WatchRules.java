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
package org.apache.eventmesh.state.tck.engine;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.delete;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.apache.eventmesh.state.tck.engine.EngineRules.value;
import static org.assertj.core.api.Assertions.assertThat;

/** Watches: every later change in order without a gap, or a plain word that it was lost. */
public interface WatchRules extends EngineRules {
    @Test
    default void required_S04_a_watch_after_the_revision_of_a_scan_delivers_every_later_change_in_order() {
        Engine engine = engines().complete();
        apply(engine, always(put("a", "1"), put("b", "1")));
        Slice before = get(engine.scan(ALL, 10));
        WatchLog log = new WatchLog();
        apply(engine, always(put("a", "2")));

        Watch watch = engine.watch(ALL, before.revision(), log);
        log.awaitChanges("a=2");
        long revision = apply(engine, always(put("c", "3")));
        long deleted = apply(engine, always(delete("b")));

        log.awaitChanges("a=2", "c=3", "-b");
        assertThat(log.changed().get(1))
                .isEqualTo(new WatchEvent.Changed(
                        revision, key("c"), Optional.of(new Entry(key("c"), value("3"), revision))));
        assertThat(log.changed().get(2).revision()).isEqualTo(deleted);
        watch.close();
    }

    @Test
    default void required_S04_the_changes_of_one_commit_share_its_revision() {
        Engine engine = engines().complete();
        WatchLog log = new WatchLog();
        try (Watch watch = engine.watch(ALL, get(engine.scan(ALL, 1)).revision(), log)) {
            long revision = apply(engine, always(put("a", "1"), put("b", "1"), put("c", "1")));
            Eventually.holds(() -> assertThat(log.changed()).hasSize(3));
            assertThat(log.changed()).extracting(WatchEvent.Changed::revision).containsOnly(revision);
            assertThat(log.changes()).containsExactlyInAnyOrder("a=1", "b=1", "c=1");
            assertThat(watch).isNotNull();
        }
    }

    @Test
    default void required_S04_a_watch_hears_of_its_range_only() {
        Engine engine = engines().complete();
        WatchLog log = new WatchLog();
        Watch watch = engine.watch(
                new KeyRange(key("b"), key("c")), get(engine.scan(ALL, 1)).revision(), log);
        apply(engine, always(put("a", "1"), put("b", "1"), put("bb", "1"), put("c", "1")));
        apply(engine, always(put("b", "2")));
        Eventually.holds(() -> assertThat(log.changes()).contains("b=2"));
        assertThat(log.changes())
                .containsExactlyInAnyOrder("b=1", "bb=1", "b=2")
                .endsWith("b=2");
        watch.close();
    }

    @Test
    default void required_S04_a_snapshot_and_its_watch_together_are_the_whole_under_load() {
        Engine engine = engines().complete();
        int writers = 4;
        int each = 100;
        WatchLog log = new WatchLog();
        long seen;
        try (Threads threads = new Threads()) {
            CountDownLatch begun = new CountDownLatch(20);
            for (int w = 0; w < writers; w++) {
                String name = "w" + w;
                threads.run(() -> {
                    for (int i = 1; i <= each; i++) {
                        apply(engine, always(put(name, String.valueOf(i))));
                        begun.countDown();
                    }
                });
            }
            latch(begun);
            Slice snapshot = get(engine.scan(ALL, 100));
            seen = snapshot.entries().stream()
                    .mapToLong(entry -> Long.parseLong(entry.value().toUtf8()))
                    .sum();
            Watch unused = engine.watch(ALL, snapshot.revision(), log);
            threads.await();
        }
        // every put of a writer is one event or is in the snapshot, so the numbers add up exactly
        Eventually.holds(() -> assertThat(seen + log.changed().size()).isEqualTo((long) writers * each));
        assertThat(log.changed()).extracting(WatchEvent.Changed::revision).isSorted();
        for (int w = 0; w < writers; w++) {
            String prefix = "w" + w + "=";
            List<Integer> numbers = log.changes().stream()
                    .filter(change -> change.startsWith(prefix))
                    .map(change -> Integer.valueOf(change.substring(prefix.length())))
                    .toList();
            assertThat(numbers).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    default void required_S04_several_watches_hear_the_same_in_the_same_order() {
        Engine engine = engines().complete();
        long revision = get(engine.scan(ALL, 1)).revision();
        WatchLog early = new WatchLog();
        Watch first = engine.watch(ALL, revision, early);
        for (int i = 0; i < 50; i++) {
            apply(engine, always(put("k" + i % 7, String.valueOf(i))));
        }
        WatchLog late = new WatchLog();
        Watch second = engine.watch(ALL, revision, late);
        Eventually.holds(() -> assertThat(early.changes()).hasSize(50));
        Eventually.holds(() -> assertThat(late.changes()).hasSize(50));
        assertThat(late.changed()).isEqualTo(early.changed());
        first.close();
        second.close();
    }

    @Test
    default void required_S04_a_listener_that_throws_or_blocks_harms_only_itself() {
        Engine engine = engines().complete();
        long revision = get(engine.scan(ALL, 1)).revision();
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger thrown = new AtomicInteger();
        Watch throwing = engine.watch(ALL, revision, event -> {
            thrown.incrementAndGet();
            throw new IllegalStateException("on purpose");
        });
        Watch blocking = engine.watch(ALL, revision, event -> latch(goOn));
        WatchLog log = new WatchLog();
        Watch watch = engine.watch(ALL, revision, log);
        apply(engine, always(put("a", "1")));
        apply(engine, always(put("a", "2")));
        log.awaitChanges("a=1", "a=2");
        Eventually.holds(() -> assertThat(thrown.get()).isPositive());
        goOn.countDown();
        throwing.close();
        blocking.close();
        watch.close();
    }

    @Test
    default void required_ENG_nothing_is_heard_after_a_watch_was_closed() {
        Engine engine = engines().complete();
        long revision = get(engine.scan(ALL, 1)).revision();
        WatchLog closed = new WatchLog();
        Watch watch = engine.watch(ALL, revision, closed);
        WatchLog other = new WatchLog();
        Watch kept = engine.watch(ALL, revision, other);
        apply(engine, always(put("a", "1")));
        closed.awaitChanges("a=1");
        watch.close();
        watch.close();
        apply(engine, always(put("a", "2")));
        other.awaitChanges("a=1", "a=2");
        assertThat(closed.changes()).containsExactly("a=1");
        kept.close();
    }

    @Test
    default void required_ENG_a_watch_may_be_closed_by_its_own_listener() {
        Engine engine = engines().complete();
        AtomicInteger heard = new AtomicInteger();
        Watch[] own = new Watch[1];
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        own[0] = engine.watch(ALL, get(engine.scan(ALL, 1)).revision(), event -> {
            latch(started);
            heard.incrementAndGet();
            own[0].close();
            closed.countDown();
        });
        started.countDown();
        apply(engine, always(put("a", "1"), put("b", "1")));
        latch(closed);
        apply(engine, always(put("c", "1")));
        assertThat(heard).hasValue(1);
    }

    @Test
    default void required_S04_closing_the_engine_ends_its_watches_with_lost() {
        Engine engine = engines().complete();
        WatchLog log = new WatchLog();
        Watch watch = engine.watch(ALL, get(engine.scan(ALL, 1)).revision(), log);
        engine.close();
        log.awaitLost();
        watch.close();
    }

    private static void latch(CountDownLatch latch) {
        try {
            assertThat(latch.await(Stages.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", e);
        }
    }
}
