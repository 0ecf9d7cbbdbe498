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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.SubscriberKind;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The commit of a batch as it grows: what it conditions on, what it changes, what has to be done when it is applied. Can
 * be taken back to where it stood before an operation.
 */
final class DraftCommit {
    /** The shard record: its key and value at their longest. */
    private static final int RESERVED_BYTES = 2048;

    private static final long NOT_COMMITTED = -1;

    /** What every commit conditions on: the fence, and what an operation read. */
    private static final int OTHER_OPERATIONS = 8;

    private final Partition partition;
    private final Limits limits;
    private final Fetched fetched;
    private final Map<Bytes, Condition> conditions = new LinkedHashMap<>();
    private final Changes changes = new Changes();
    private final Set<Subscriber> moved = new LinkedHashSet<>();
    private final Set<Subscriber> placed = new LinkedHashSet<>();
    private final Set<Long> touched = new LinkedHashSet<>();
    private final List<OpenDelivery> marked = new ArrayList<>();
    private final List<Long> confirmed = new ArrayList<>();
    private long conditionBytes;
    private long readerBytes;
    private boolean synced;

    /** Where it stood. */
    record Mark(
            int conditions,
            int changes,
            int moved,
            int placed,
            int marked,
            int confirmed,
            long conditionBytes,
            long readerBytes,
            boolean synced) {}

    DraftCommit(Fence fence, Limits limits, Fetched fetched, boolean synced) {
        this.partition = fence.partition();
        this.limits = limits;
        this.fetched = fetched;
        this.synced = synced;
        fence.conditions().forEach(this::condition);
    }

    Optional<Entry> record(Bytes key) {
        Optional<Entry> entry = fetched.get(key);
        if (!conditions.containsKey(key)) {
            condition(entry.map(Condition::unchanged).orElseGet(() -> Condition.absent(key)));
        }
        return changed(key, entry);
    }

    Optional<Entry> own(Bytes key) {
        // what this batch wrote itself needs no fetching
        return changes.get(key) == null ? fetched.get(key) : changed(key, Optional.empty());
    }

    private Optional<Entry> changed(Bytes key, Optional<Entry> fetched) {
        Change change = changes.get(key);
        if (change == null) {
            return fetched;
        }
        return change instanceof Change.Put put
                ? Optional.of(new Entry(key, put.value(), NOT_COMMITTED))
                : Optional.empty();
    }

    private void condition(Condition condition) {
        conditions.put(condition.key(), condition);
        conditionBytes += condition.key().size();
    }

    void put(Change change) {
        changes.put(change);
    }

    /** The position of a subscriber may have moved. */
    void moved(Subscriber subscriber) {
        if (moved.add(subscriber)) {
            readerBytes += readerBytes(subscriber);
        }
    }

    /** More of its progress record has changed. */
    void placed(Subscriber subscriber) {
        placed.add(subscriber);
        moved(subscriber);
    }

    /** The fan-out of an offset may have been completed, or not be so any more. */
    void touched(long offset) {
        touched.add(offset);
    }

    void marked(OpenDelivery settled) {
        marked.add(settled);
    }

    void confirmed(long offset) {
        confirmed.add(offset);
    }

    void sync() {
        synced = true;
    }

    boolean synced() {
        return synced;
    }

    boolean fits(int moreChanges, long moreBytes) {
        return conditions.size() + changes.size() + moved.size() + 1 + moreChanges <= limits.maxOperations()
                && conditionBytes + changes.bytes() + readerBytes + RESERVED_BYTES + moreBytes <= limits.maxBytes();
    }

    /** As {@link #fits(int, long)}, of a commit that holds nothing else. */
    boolean fitsAlone(int changes, long bytes) {
        return OTHER_OPERATIONS + changes <= limits.maxOperations() && RESERVED_BYTES + bytes <= limits.maxBytes();
    }

    int maxBytes() {
        return limits.maxBytes();
    }

    /** Whether what was put down is within the limits of one commit. */
    boolean fits() {
        return fits(0, 0);
    }

    /** At most what a progress record takes with its key. */
    int readerBytes(Subscriber subscriber) {
        return 1024
                + 3
                        * (SubscriberKind.name(subscriber).length()
                                + partition.topic().length());
    }

    Mark mark() {
        return new Mark(
                conditions.size(),
                changes.mark(),
                moved.size(),
                placed.size(),
                marked.size(),
                confirmed.size(),
                conditionBytes,
                readerBytes,
                synced);
    }

    /** Takes back what came after; all of it, or what stays would have no room. Touched fan-outs take none. */
    void undo(Mark mark) {
        cut(conditions.keySet(), mark.conditions());
        changes.undo(mark.changes());
        cut(moved, mark.moved());
        cut(placed, mark.placed());
        marked.subList(mark.marked(), marked.size()).clear();
        confirmed.subList(mark.confirmed(), confirmed.size()).clear();
        conditionBytes = mark.conditionBytes();
        readerBytes = mark.readerBytes();
        synced = mark.synced();
    }

    /** Leaves the first of them, in the order in which they came. */
    private static void cut(Collection<?> all, int first) {
        Iterator<?> each = all.iterator();
        for (int n = 0; each.hasNext(); n++) {
            each.next();
            if (n >= first) {
                each.remove();
            }
        }
    }

    /** The commit of all that was decided. */
    Commit build(ShardIndex index, Numbers numbers, Bytes shardKey) {
        List<Change> others = new ArrayList<>();
        for (Subscriber subscriber : moved) {
            progress(index.reader(subscriber), subscriber).ifPresent(others::add);
        }
        if (numbers.reserving()) {
            synced = true;
            others.add(Records.SHARD.put(shardKey, numbers.record()));
        }
        // engines write ascending keys several times as fast
        return new Commit(List.copyOf(conditions.values()), changes.ascending(others));
    }

    private Optional<Change> progress(@Nullable Reader reader, Subscriber subscriber) {
        Bytes key = new ProgressKey(partition, subscriber).bytes();
        if (reader == null || reader.place().isEmpty()) {
            return placed.contains(subscriber) ? Optional.of(Change.delete(key)) : Optional.empty();
        }
        long position = reader.position().orElseThrow();
        return placed.contains(subscriber) || position != reader.written()
                ? Optional.of(Records.PROGRESS.put(key, reader.place().get().record(position)))
                : Optional.empty();
    }

    Set<Subscriber> readers() {
        return moved;
    }

    Set<Long> touched() {
        return touched;
    }

    /** Marks of settled deliveries that this commit puts. */
    List<OpenDelivery> marked() {
        return marked;
    }

    /** Offsets whose fan-outs this commit forgets. */
    List<Long> confirmed() {
        return confirmed;
    }
}
