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
package org.apache.eventmesh.state.core.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** A sorted map as an engine, for tests of what stands above one; subclasses make it slow, stubborn or broken. */
public class MapEngine implements Engine {
    private final NavigableMap<Bytes, Entry> entries = new TreeMap<>();
    private final List<RunningWatch> watches = new CopyOnWriteArrayList<>();
    private long revision;
    private int reads;
    private boolean away;
    private volatile Runnable beforeRead = () -> {};
    private volatile Runnable beforeScan = () -> {};

    private record RunningWatch(KeyRange range, WatchListener listener) {}

    @Override
    public String incarnation() {
        return "map";
    }

    @Override
    public Limits limits() {
        return new Limits(1_000, 1 << 20);
    }

    @Override
    public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        List<CompletionStage<CommitResult>> fates = new ArrayList<>();
        commits.forEach(commit -> fates.add(CompletableFuture.completedStage(apply(commit))));
        return fates;
    }

    /** Applies it now. */
    public synchronized CommitResult apply(Commit commit) {
        for (Condition condition : commit.conditions()) {
            Entry present = entries.get(condition.key());
            if (condition.revision() != (present == null ? Condition.ABSENT : present.revision())) {
                return new CommitResult.Refused(commit.conditions().stream()
                        .map(each -> entries.get(each.key()))
                        .filter(Objects::nonNull)
                        .toList());
            }
        }
        revision++;
        for (Change change : commit.changes()) {
            Optional<Entry> now = Optional.empty();
            if (change instanceof Change.Put put) {
                now = Optional.of(new Entry(put.key(), put.value(), revision));
                entries.put(put.key(), now.get());
            } else {
                entries.remove(change.key());
            }
            tell(new WatchEvent.Changed(revision, change.key(), now));
        }
        watches.forEach(watch -> watch.listener().on(new WatchEvent.Progress(revision)));
        return new CommitResult.Applied(revision);
    }

    /** Puts without a condition. */
    public void put(Bytes key, Bytes value) {
        apply(new Commit(List.of(), List.of(Change.put(key, value))));
    }

    public void delete(Bytes key) {
        apply(new Commit(List.of(), List.of(Change.delete(key))));
    }

    /** While it is away, reads and scans fail. */
    public synchronized void away(boolean now) {
        away = now;
    }

    /** Done at the beginning of every read. */
    public void beforeRead(Runnable task) {
        beforeRead = task;
    }

    /** Done at the beginning of every scan. */
    public void beforeScan(Runnable task) {
        beforeScan = task;
    }

    /** How often it was read. */
    public synchronized int reads() {
        return reads;
    }

    /** What the key has now. */
    public synchronized Optional<Entry> get(Bytes key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        beforeRead.run();
        return present(keys);
    }

    private synchronized CompletionStage<List<Entry>> present(Collection<Bytes> keys) {
        reads++;
        return CompletableFuture.completedStage(keys.stream()
                .distinct()
                .map(entries::get)
                .filter(Objects::nonNull)
                .toList());
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        beforeScan.run();
        return slice(range, limit);
    }

    private synchronized CompletionStage<Slice> slice(KeyRange range, int limit) {
        if (away) {
            return CompletableFuture.failedStage(new StoreUnavailableException("it is away"));
        }
        Collection<Entry> inside = entries.subMap(range.from(), range.to()).values();
        return CompletableFuture.completedStage(
                new Slice(inside.stream().limit(limit).toList(), revision, inside.size() > limit));
    }

    @Override
    public synchronized long syncedRevision() {
        return revision;
    }

    @Override
    public synchronized Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
        RunningWatch watch = new RunningWatch(range, listener);
        if (afterRevision < revision) {
            listener.on(new WatchEvent.Lost("this engine keeps no history"));
            return () -> {};
        }
        watches.add(watch);
        listener.on(new WatchEvent.Progress(revision));
        return () -> watches.remove(watch);
    }

    /** Ends all watches, as a broken connection does. */
    public synchronized void loseWatches(String reason) {
        List<RunningWatch> lost = List.copyOf(watches);
        watches.clear();
        lost.forEach(watch -> watch.listener().on(new WatchEvent.Lost(reason)));
    }

    /** Tells the watches nothing any more, as a connection does that died unseen. */
    public synchronized void forgetWatches() {
        watches.clear();
    }

    @Override
    public EngineHealth health() {
        return new EngineHealth(true, "map:", "");
    }

    @Override
    public void close() {}

    private void tell(WatchEvent.Changed event) {
        for (RunningWatch watch : watches) {
            if (watch.range().contains(event.key())) {
                watch.listener().on(event);
            }
        }
    }
}
