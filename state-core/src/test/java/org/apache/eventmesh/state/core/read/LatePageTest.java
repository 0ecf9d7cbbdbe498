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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A change that comes before the last page of a listing, and after what that page shows: nothing is missing there. */
class LatePageTest {
    private static final KeyRange ALL = KeyWriter.of(Table.AGENT).under();

    /** More than a page. */
    private static final int KEYS = 600;

    private final ConcurrentLinkedQueue<String> resynchronised = new ConcurrentLinkedQueue<>();
    private final LatePages engine = new LatePages();

    @Test
    void required_S04_a_change_before_the_last_page_of_a_comparison_is_no_difference() {
        fill();
        try (TestBackend backend = backend();
                TableView<String> view = compared(backend)) {
            Await.result(view.ready());
            aheadOfTheNextLastPage(view);
            awaitComparison();
            assertThat(resynchronised).isEmpty();
        }
    }

    @Test
    void required_S04_a_change_before_the_last_page_of_the_snapshot_is_no_difference_later() {
        fill();
        engine.holdLastPages();
        try (TestBackend backend = backend();
                TableView<String> view = compared(backend)) {
            await().until(() -> engine.held() == 1);
            engine.put(key(KEYS + 1), Bytes.utf8("ahead"));
            engine.letIn();
            Await.result(view.ready());
            await().until(() -> view.get(key(KEYS + 1)).equals(Optional.of("ahead")));
            awaitComparison();
            assertThat(resynchronised).isEmpty();
        }
    }

    private void fill() {
        for (int i = 0; i < KEYS; i++) {
            engine.put(key(i), Bytes.utf8("v"));
        }
    }

    private void aheadOfTheNextLastPage(TableView<String> view) {
        engine.holdLastPages();
        await().until(() -> engine.held() == 1);
        engine.put(key(0), Bytes.utf8("ahead"));
        await().until(() -> view.get(key(0)).equals(Optional.of("ahead")));
        engine.letIn();
    }

    /** A whole one from now on; it ends when a change says that those before it are all told. */
    private void awaitComparison() {
        int before = engine.lastPages.get();
        await().until(() -> {
            engine.put(key(1), Bytes.utf8("again"));
            return engine.lastPages.get() > before + 1;
        });
    }

    private TestBackend backend() {
        return new TestBackend(engine, new StoreListener() {
            @Override
            public void resynchronised(StoreName store, String reason) {
                resynchronised.add(reason);
            }
        });
    }

    private static TableView<String> compared(TestBackend backend) {
        return new TableView<>(
                backend.get(), StoreName.SESSIONS, ALL, entry -> entry.value().toUtf8(), new Follower.Pace(1_000, 1));
    }

    private static Bytes key(int i) {
        return KeyWriter.of(Table.AGENT).text("agent%04d".formatted(i)).key();
    }

    /** Its last pages can be held, and its watches tell only by the next change that one is whole. */
    private static final class LatePages extends MapEngine {
        private final List<Runnable> held = new ArrayList<>();
        final AtomicInteger lastPages = new AtomicInteger();
        private boolean holding;

        synchronized void holdLastPages() {
            holding = true;
        }

        synchronized int held() {
            return held.size();
        }

        synchronized void letIn() {
            holding = false;
            held.forEach(Runnable::run);
            held.clear();
        }

        @Override
        public CompletionStage<Slice> scan(KeyRange range, int limit) {
            CompletionStage<Slice> page = super.scan(range, limit);
            boolean last = !range.from().equals(ALL.from());
            synchronized (this) {
                if (!last) {
                    return page;
                }
                lastPages.incrementAndGet();
                if (!holding) {
                    return page;
                }
                CompletableFuture<Slice> late = new CompletableFuture<>();
                held.add(() -> page.thenAccept(late::complete));
                return late;
            }
        }

        @Override
        public synchronized Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
            return super.watch(range, afterRevision, event -> {
                if (!(event instanceof WatchEvent.Progress)) {
                    listener.on(event);
                }
            });
        }
    }
}
