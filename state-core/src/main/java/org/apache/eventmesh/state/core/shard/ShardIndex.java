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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Unreadable;
import org.jspecify.annotations.Nullable;

/**
 * What is open in a shard, and all that follows from it: positions, due order, who holds what, fan-outs.
 *
 * <p>The loop decides on it in place; every change is journaled, so that a decision whose commit is refused or fails is
 * taken back, and so that others can be shown committed facts while a commit is under way. Not safe for threads by itself:
 * the loop changes it under its monitor.
 */
public final class ShardIndex {
    /** By when it is due, then by age. */
    public static final Comparator<OpenDelivery> DUE_ORDER =
            Comparator.comparingLong(OpenDelivery::dueAt).thenComparingLong(OpenDelivery::number);

    private final Map<Long, OpenDelivery> open = new HashMap<>();
    private final Map<Subscriber, Reader> readers = new HashMap<>();
    private final Waiting waiting = new Waiting();
    private final Map<Long, FanOutState> fanOuts = new HashMap<>();
    private final LongCounts messages = new LongCounts();
    private final LongCounts openAt = new LongCounts();
    private final Lowest holds = new Lowest();
    private final Lowest cursors = new Lowest();

    private final Aside aside = new Aside();
    private final Remembered remembered = new Remembered();

    /** Follows the commits, so not journaled. */
    private final CompletedFanOuts completed = new CompletedFanOuts();

    private final List<Step> journal = new ArrayList<>();

    private final Partition partition;

    ShardIndex(Partition partition) {
        this.partition = partition;
    }

    public Partition partition() {
        return partition;
    }

    /** Null when it is not open. */
    public @Nullable OpenDelivery delivery(long number) {
        return open.get(number);
    }

    /** Null when nothing is known of the subscriber here. */
    public @Nullable Reader reader(Subscriber subscriber) {
        return readers.get(subscriber);
    }

    /** Whether a subscriber has progress here, readable or not. */
    public boolean hasProgress(Subscriber subscriber) {
        Reader reader = readers.get(subscriber);
        return reader != null && (reader.place().isPresent() || reader.damage().isPresent());
    }

    public Collection<Reader> readers() {
        return readers.values();
    }

    /** Null when the broker waits for nothing at this offset. */
    public @Nullable FanOutState fanOut(long offset) {
        return fanOuts.get(offset);
    }

    public Map<Long, FanOutState> fanOuts() {
        return fanOuts;
    }

    /** How many are open. */
    public int size() {
        return open.size();
    }

    public Collection<OpenDelivery> all() {
        return open.values();
    }

    /** Readable ones, in due order. */
    public NavigableSet<OpenDelivery> due() {
        return waiting.due();
    }

    /** When the first is due that is not due yet; empty when there is none. */
    public OptionalLong nextDue(long now) {
        return waiting.nextDue(partition, now);
    }

    /** By the receiver of their last hand-out that has not ended. */
    public Map<Receiver, NavigableMap<Long, OpenDelivery>> held() {
        return waiting.held();
    }

    /** Those whose record cannot be decoded, by number. */
    public NavigableMap<Long, OpenDelivery> unreadable() {
        return waiting.unreadable();
    }

    /** Null when the message was read, or was not looked at yet. */
    public @Nullable Unreadable damagedMessage(long message) {
        return remembered.damagedMessage(message);
    }

    public Map<Long, Unreadable> damagedMessages() {
        return remembered.damagedMessages();
    }

    /** Remembers that a payload cannot be read. */
    public void damagedMessage(long message, Unreadable damage) {
        remembered.damagedMessage(message, damage);
    }

    /** Withdrawals and removals. Not journaled: one that fails did begin. */
    public Departures departures() {
        return remembered.departures();
    }

    /** Open deliveries that are given up and are not dead letters yet, by number. */
    public NavigableMap<Long, OpenDelivery> givenUp() {
        return aside.givenUp();
    }

    /** Settled deliveries whose settlement the shared backend does not know yet, by number. */
    public NavigableMap<Long, OutstandingRecord> outstanding() {
        return aside.outstanding();
    }

    /** Whether the message is a dead letter of another host, from before its state was replaced. */
    public boolean deadBefore(Subscriber subscriber, long offset) {
        return aside.deadBefore(subscriber).contains(offset);
    }

    /** Whether any message of the subscriber is. */
    public boolean anyDeadBefore(Subscriber subscriber) {
        return !aside.deadBefore(subscriber).isEmpty();
    }

    NavigableSet<Long> deadBefore(Subscriber subscriber) {
        return aside.deadBefore(subscriber);
    }

    /** How many open deliveries carry a message. */
    public int references(long message) {
        return messages.get(message);
    }

    /** How many deliveries from the broker are open at an offset. */
    public int openAt(long offset) {
        return openAt.get(offset);
    }

    /** Whether there is a fan-out at this offset, and all its deliveries are settled. */
    public boolean complete(long offset) {
        FanOutState fanOut = fanOuts.get(offset);
        return fanOut != null && fanOut.notOpened().isEmpty() && openAt.get(offset) == 0;
    }

    /** Offsets of complete fan-outs, oldest first; only what commits up to that revision made so. */
    public List<Long> completed(long syncedRevision, int limit) {
        return completed.upTo(syncedRevision, limit);
    }

    /** Every offset below is settled for every subscriber. */
    OptionalLong watermark() {
        return holds.get();
    }

    /** The lowest cursor. */
    public OptionalLong readNext() {
        return cursors.get();
    }

    void deliver(@Nullable OpenDelivery before, @Nullable OpenDelivery after) {
        record(new Step.Delivered(before, after));
    }

    void place(Subscriber subscriber, @Nullable Place after) {
        Reader reader = readers.get(subscriber);
        record(new Step.Placed(
                subscriber,
                reader == null ? null : reader.place().orElse(null),
                reader == null ? null : reader.damage().orElse(null),
                after));
    }

    void fanOut(long offset, @Nullable FanOutState after) {
        record(new Step.FannedOut(offset, fanOuts.get(offset), after));
    }

    void outstanding(long number, @Nullable OutstandingRecord after) {
        record(new Step.Outstanding(number, aside.outstanding().get(number), after));
    }

    /** Only these count from now on. */
    void deadBefore(Subscriber subscriber, NavigableSet<Long> after) {
        record(new Step.DeadBefore(subscriber, aside.deadBefore(subscriber), after));
    }

    /** As it was read; part of loading. */
    void loadDeadBefore(Subscriber subscriber, long offset) {
        aside.addDeadBefore(subscriber, offset);
    }

    /** The reader of a subscriber, made when there is none. */
    Reader makeReader(Subscriber subscriber) {
        return readers.computeIfAbsent(subscriber, Reader::new);
    }

    /** A progress record that cannot be read holds the watermark; not journaled, part of loading. */
    void damaged(Subscriber subscriber, StateStoreException why) {
        Reader reader = makeReader(subscriber);
        long before = reader.held();
        reader.damaged(why);
        held(before, reader.held());
    }

    Aside aside() {
        return aside;
    }

    List<Step> journal() {
        return journal;
    }

    /** How far the journal is; for {@link #undo}. */
    int mark() {
        return journal.size();
    }

    /** Takes back what came after a mark. */
    void undo(int mark) {
        for (int i = journal.size() - 1; i >= mark; i--) {
            journal.remove(i).back(this);
        }
    }

    /**
     * What was decided is committed.
     *
     * @param touched offsets whose fan-outs may have been completed, or not be so any more
     */
    void commit(long revision, Collection<Long> touched) {
        for (Step step : journal) {
            if (step instanceof Step.FannedOut f && f.before() != null) {
                completed.remove(f.before().number());
            }
        }
        journal.clear();
        remembered.forgetMessages(message -> messages.get(message) == 0);
        for (long offset : touched) {
            FanOutState fanOut = fanOuts.get(offset);
            if (fanOut != null && complete(offset)) {
                completed.add(fanOut.number(), offset, revision);
            } else if (fanOut != null) {
                completed.remove(fanOut.number());
            }
        }
    }

    /** Everything that was loaded is committed and synced. */
    void loaded() {
        commit(0, fanOuts.keySet());
    }

    /** Runs with the committed state, whatever is being decided. */
    <T> T committed(Supplier<T> look) {
        for (int i = journal.size() - 1; i >= 0; i--) {
            journal.get(i).back(this);
        }
        try {
            return look.get();
        } finally {
            journal.forEach(step -> step.forth(this));
        }
    }

    private void record(Step step) {
        journal.add(step);
        step.forth(this);
    }

    void replace(@Nullable OpenDelivery old, @Nullable OpenDelivery now) {
        if (old != null) {
            remove(old, now == null);
        }
        if (now != null) {
            add(now, old == null);
        }
    }

    private void add(OpenDelivery delivery, boolean opened) {
        open.put(delivery.number(), delivery);
        waiting.add(delivery);
        if (delivery.givenUp()) {
            aside.givenUp().put(delivery.number(), delivery);
        }
        Reader reader = makeReader(delivery.subscriber());
        if (!opened) {
            reader.add(delivery);
            return;
        }
        messages.add(delivery.key().message(), 1);
        if (delivery.fromBroker()) {
            openAt.add(delivery.offset(), 1);
        }
        long before = reader.held();
        reader.add(delivery);
        held(before, reader.held());
    }

    private void remove(OpenDelivery delivery, boolean settled) {
        waiting.remove(delivery);
        aside.givenUp().remove(delivery.number());
        if (!settled) {
            return;
        }
        open.remove(delivery.number());
        messages.add(delivery.key().message(), -1);
        if (delivery.fromBroker()) {
            openAt.add(delivery.offset(), -1);
        }
        Reader reader = makeReader(delivery.subscriber());
        long before = reader.held();
        reader.remove(delivery);
        held(before, reader.held());
        forget(reader);
    }

    void move(Subscriber subscriber, @Nullable Place now, @Nullable StateStoreException damage) {
        Reader reader = makeReader(subscriber);
        long heldBefore = reader.held();
        long cursorBefore = reader.cursor();
        reader.place(now, damage);
        held(heldBefore, reader.held());
        change(cursors, cursorBefore, reader.cursor());
        forget(reader);
    }

    void fan(long offset, @Nullable FanOutState now) {
        if (now == null) {
            fanOuts.remove(offset);
        } else {
            fanOuts.put(offset, now);
        }
    }

    private void held(long before, long after) {
        change(holds, before, after);
    }

    private static void change(Lowest of, long before, long after) {
        if (before != after) {
            if (before >= 0) {
                of.remove(before);
            }
            if (after >= 0) {
                of.add(after);
            }
        }
    }

    private void forget(Reader reader) {
        if (reader.forgotten()) {
            readers.remove(reader.subscriber());
        }
    }
}
