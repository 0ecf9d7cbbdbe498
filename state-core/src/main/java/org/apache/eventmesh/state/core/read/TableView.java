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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A local copy of a table, for reads that must not wait. It follows the backend by itself, and says how old it is. A record
 * that cannot be decoded is not in it, and hides no other.
 */
public final class TableView<V> implements AutoCloseable {
    /** The age before the first snapshot. */
    public static final Duration NEVER = Duration.ofNanos(Long.MAX_VALUE);

    private static final long NOT_YET = Long.MIN_VALUE;

    private final Backend backend;
    private final StoreName store;
    private final Function<Entry, V> decoder;
    private final Follower follower;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final List<Watcher<V>> watchers = new CopyOnWriteArrayList<>();
    private final Map<Bytes, Unreadable> unreadable = new ConcurrentHashMap<>();
    private volatile NavigableMap<Bytes, V> records = new ConcurrentSkipListMap<>();
    private volatile long equalAt = NOT_YET;

    /** Guarded by this: the first snapshot has come. */
    private boolean complete;

    /**
     * Starts to follow.
     *
     * @param decoder pure; throws for what it cannot decode
     */
    public TableView(Backend backend, StoreName store, KeyRange range, Function<Entry, V> decoder) {
        this(backend, store, range, decoder, Follower.Pace.USUAL);
    }

    TableView(Backend backend, StoreName store, KeyRange range, Function<Entry, V> decoder, Follower.Pace pace) {
        this.backend = backend;
        this.store = store;
        this.decoder = decoder;
        this.follower = new Follower(backend, range, new Copy(), pace);
        follower.start();
    }

    /** Completes with the first snapshot, on the callback executor; never, when the backend stays away. */
    public CompletionStage<Void> ready() {
        return ready.minimalCompletionStage();
    }

    /** One record; empty before the first snapshot. */
    public Optional<V> get(Bytes key) {
        return Optional.ofNullable(records.get(key));
    }

    /** The records of a range, in the order of their keys; does not change later. */
    public List<V> under(KeyRange range) {
        return List.copyOf(records.subMap(range.from(), range.to()).values());
    }

    /** What cannot be decoded at the moment. */
    public List<Unreadable> unreadable() {
        return List.copyOf(unreadable.values());
    }

    /** Since it was last known to equal the backend, by the ticker. */
    public Duration age() {
        long then = equalAt;
        return then == NOT_YET
                ? NEVER
                : Duration.ofNanos(Math.max(0, backend.deadlines().now() - then));
    }

    /** Tells a listener: a snapshot first, then every later change. */
    public ViewWatch watch(ViewListener<V> listener) {
        Watcher<V> watcher = new Watcher<>(this, listener, backend.callbacks(), store);
        synchronized (this) {
            watchers.add(watcher);
            if (complete) {
                watcher.resynchronise();
            }
        }
        return watcher;
    }

    /** Stops to follow; the copy stays and grows old. */
    @Override
    public void close() {
        follower.close();
        backend.callbacks()
                .run(() -> ready.completeExceptionally(
                        new StoreClosedException("the store set was closed before its local copy was complete")));
        watchers.forEach(Watcher::close);
    }

    void remove(Watcher<V> watcher) {
        watchers.remove(watcher);
    }

    synchronized SortedMap<Bytes, V> snapshotFor(Watcher<V> watcher) {
        watcher.snapshotTaken();
        return Collections.unmodifiableSortedMap(new TreeMap<>(records));
    }

    /** Every change of records and what it tells the watchers is one step, so that a snapshot has a place among them. */
    private final class Copy implements Follower.Target {
        @Override
        public void replaced(NavigableMap<Bytes, Entry> all, Optional<String> why) {
            NavigableMap<Bytes, V> decoded = new ConcurrentSkipListMap<>();
            unreadable.keySet().retainAll(all.keySet());
            all.forEach((key, entry) -> decode(entry).ifPresent(value -> decoded.put(key, value)));
            synchronized (TableView.this) {
                records = decoded;
                complete = true;
                watchers.forEach(Watcher::resynchronise);
            }
            why.ifPresent(reason -> backend.callbacks().tell(to -> to.resynchronised(store, reason)));
            if (!ready.isDone()) {
                backend.callbacks().run(() -> ready.complete(null));
            }
        }

        @Override
        public void changed(WatchEvent.Changed change) {
            Bytes key = change.key();
            if (change.now().isEmpty()) {
                unreadable.remove(key);
            }
            Optional<V> now = change.now().flatMap(this::decode);
            synchronized (TableView.this) {
                Optional<V> before = Optional.ofNullable(records.get(key));
                now.ifPresentOrElse(value -> records.put(key, value), () -> records.remove(key));
                if (before.isPresent() || now.isPresent()) {
                    watchers.forEach(watcher -> watcher.changed(key, before, now));
                }
            }
        }

        @Override
        public void equalAt(long time) {
            equalAt = time;
        }

        private Optional<V> decode(Entry entry) {
            try {
                V value = decoder.apply(entry);
                unreadable.remove(entry.key());
                return Optional.of(value);
            } catch (RuntimeException e) {
                Unreadable record = new Unreadable(KeyText.of(entry.key()), String.valueOf(e.getMessage()));
                unreadable.put(entry.key(), record);
                backend.callbacks().tell(to -> to.unreadable(store, record));
                return Optional.empty();
            }
        }
    }
}
