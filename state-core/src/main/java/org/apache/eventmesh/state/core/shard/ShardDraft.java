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

import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MarkByMessageRecord;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The shard as the operations decided so far leave it. An operation reads first and changes afterwards; what it changes
 * here goes into the batch's commit.
 */
public final class ShardDraft {
    private final Fence fence;
    private final Sides sides;
    private final ShardIndex index;
    private final Numbers numbers;
    private final DraftCommit commit;
    private final ShardSettings settings;
    private final long charged;
    private final long now;

    /**
     * @param charged how many of the index's deliveries are in the budget
     */
    ShardDraft(
            Fence fence,
            Sides sides,
            ShardIndex index,
            Numbers numbers,
            DraftCommit commit,
            ShardSettings settings,
            long charged,
            long now) {
        this.fence = fence;
        this.sides = sides;
        this.index = index;
        this.numbers = numbers;
        this.commit = commit;
        this.settings = settings;
        this.charged = charged;
        this.now = now;
    }

    public Partition partition() {
        return fence.partition();
    }

    public String incarnation() {
        return fence.incarnation();
    }

    /** Whether what is not of the shard itself stands in another backend: then this commit cannot touch it. */
    public boolean two() {
        return sides.two();
    }

    /** The epoch of the ownership under which this is decided. */
    public long ownerEpoch() {
        return fence.held().token().epoch();
    }

    /** What is open, as the operations before left it. */
    public ShardIndex index() {
        return index;
    }

    /** Wall time of this batch, in epoch milliseconds: what is told equals what is stored. */
    public long now() {
        return now;
    }

    public DeliveryId id(long number) {
        return new DeliveryId(partition(), incarnation(), number);
    }

    /**
     * A record beyond the shard, as the operations before this one leave it. The commit is conditional on it, in this
     * state, whether it is there or not.
     */
    public Optional<Entry> record(Bytes key) {
        return commit.record(key);
    }

    /** A record of the shard that is not in the index: marks and messages. */
    public Optional<Entry> own(Bytes key) {
        return commit.own(key);
    }

    /** Puts down a change of a record that {@link #record} or {@link #own} has told before. */
    public void change(Change change) {
        commit.put(change);
    }

    /** What this operation changes has to survive power loss, whatever level the store set was opened with; said first. */
    public void sync() {
        commit.sync();
    }

    /** Whether there is room in the commit for so much more. */
    public boolean fits(int changes, long bytes) {
        return commit.fits(changes, bytes);
    }

    /** Whether a commit with nothing else in it has room for so much. */
    public boolean fitsAlone(int changes, long bytes) {
        return commit.fitsAlone(changes, bytes);
    }

    /** Bytes that one commit may hold. */
    public int maxBytes() {
        return commit.maxBytes();
    }

    /** Bytes that a commit with a dead letter may hold: its message goes through this shard's backend and the letter's. */
    public int letterBytes() {
        return Math.min(commit.maxBytes(), sides.shared().engine().limits().maxBytes());
    }

    /** Gives up this attempt, for there is no room even for a part: the next turn begins with this operation. */
    public RuntimeException noRoom() {
        return new NoRoom();
    }

    /** Room that the progress record of a subscriber takes, if it is not in the commit yet. */
    public int readerBytes(Subscriber subscriber) {
        return commit.readerBytes(subscriber);
    }

    /** Takes a number that nothing in this shard ever had: for a delivery, a message, an entry, or a hand-out. */
    public long number() {
        return numbers.take();
    }

    /** Fails when no more deliveries may be open. */
    public void requireRoom(int more) {
        if (!settings.budget().room(index.size() - charged + more)) {
            throw new OverloadedException("as many deliveries are open as may be, the limit is "
                    + settings.budget().limit() + "; nothing was applied, try again when some are settled");
        }
    }

    public void putMessage(long number, MessageRecord message) {
        commit.put(Records.MESSAGE.put(ShardKeys.message(partition(), number), message));
    }

    public OpenDelivery open(DeliveryKey key, DeliveryRecord record, Optional<Receiver> receiver) {
        OpenDelivery opened = OpenDelivery.of(key, record, receiver.orElse(null));
        commit.put(Records.DELIVERY.put(key.bytes(), record));
        index.deliver(null, opened);
        if (opened.ordered()) {
            commit.moved(opened.subscriber());
        }
        if (opened.fromBroker() && index.fanOut(opened.offset()) != null) {
            commit.touched(opened.offset());
        }
        return opened;
    }

    public OpenDelivery update(OpenDelivery before, DeliveryRecord record, Optional<Receiver> receiver) {
        OpenDelivery after = OpenDelivery.of(before.key(), record, receiver.orElse(null));
        commit.put(Records.DELIVERY.put(before.key().bytes(), record));
        index.deliver(before, after);
        return after;
    }

    /**
     * Ends a delivery: its record, its message with the last reference, its subscriber's position.
     *
     * @param mark says of what, how, and by whom; what it moved is filled in
     */
    public Settled settle(OpenDelivery delivery, MarkRecord.Builder mark) {
        Settled settled = retire(delivery);
        settled.position().ifPresent(mark::setPosition);
        settled.completed()
                .ifPresent(fanOut -> mark.setCompleted(MarkRecord.CompletedFanOut.newBuilder()
                        .setNumber(number(fanOut))
                        .setBrokerHandle(SharedValues.bytes(fanOut.brokerHandle()))
                        .setExpiresAtMillis(fanOut.expiresAt().toEpochMilli())));
        mark.setSettledAtMillis(now);
        commit.put(Records.MARK.put(ShardKeys.mark(partition(), delivery.number()), mark.build()));
        if (delivery.key().kind() == DeliveryKind.UNORDERED) {
            commit.put(Records.MARK_BY_MESSAGE.put(
                    ShardKeys.markByMessage(partition(), delivery.offset(), delivery.subscriber()),
                    MarkByMessageRecord.newBuilder()
                            .setNumber(delivery.number())
                            .build()));
        }
        commit.marked(delivery);
        return settled;
    }

    /** The same without a mark: it is forgotten. */
    public Settled retire(OpenDelivery delivery) {
        index.deliver(delivery, null);
        commit.put(Change.delete(delivery.key().bytes()));
        if (index.references(delivery.key().message()) == 0) {
            commit.put(
                    Change.delete(ShardKeys.message(partition(), delivery.key().message())));
        }
        OptionalLong position = OptionalLong.empty();
        if (delivery.ordered()) {
            Reader reader = index.reader(delivery.subscriber());
            position = reader == null ? OptionalLong.empty() : reader.position();
            commit.moved(delivery.subscriber());
        }
        Optional<FanOut> completed = Optional.empty();
        if (delivery.fromBroker() && index.fanOut(delivery.offset()) != null) {
            commit.touched(delivery.offset());
            if (commit.synced() && index.complete(delivery.offset())) {
                completed = Optional.of(fanOut(delivery.offset()).told(partition(), delivery.offset()));
            }
        }
        return new Settled(position, completed);
    }

    /** Enters a subscriber (it had no place), moves it, or ends its entry (null). */
    public void place(Subscriber subscriber, @Nullable Place place) {
        Reader reader = index.reader(subscriber);
        boolean served = reader != null && reader.place().isPresent();
        if (place == null || !served) {
            ProgressKey key = new ProgressKey(partition(), subscriber);
            commit.put(
                    place == null
                            ? Change.delete(key.bySubscriber())
                            : Change.put(key.bySubscriber(), Records.NOTHING));
        }
        index.place(subscriber, place);
        commit.placed(subscriber);
    }

    /** Makes a fan-out, changes it, or forgets it (null). */
    public void fanOut(long offset, @Nullable FanOutState fanOut) {
        Bytes key = ShardKeys.fanOut(partition(), offset);
        commit.put(fanOut == null ? Change.delete(key) : Records.FAN_OUT.put(key, fanOut.record()));
        index.fanOut(offset, fanOut);
        commit.touched(offset);
        if (fanOut == null) {
            commit.confirmed(offset);
        }
    }

    /** Something is outstanding of a delivery that is settled now, or not any more (null). */
    public void outstanding(long number, @Nullable OutstandingRecord what) {
        Bytes key = ShardKeys.outstanding(partition(), number);
        commit.put(what == null ? Change.delete(key) : Records.OUTSTANDING.put(key, what));
        index.outstanding(number, what);
    }

    /**
     * What other hosts gave up of a subscriber counts as settled no more: all of it, whether there is room or not.
     */
    public void forgetDeadBefore(Subscriber subscriber) {
        forgetDeadBefore(subscriber, Integer.MAX_VALUE, false);
    }

    /**
     * The same of the lowest offsets, as far as there is room.
     *
     * @param most of them
     * @return how many that were
     */
    public int forgetSomeDeadBefore(Subscriber subscriber, int most) {
        return forgetDeadBefore(subscriber, most, true);
    }

    private int forgetDeadBefore(Subscriber subscriber, int most, boolean onlyWhatFits) {
        NavigableSet<Long> dead = index.deadBefore(subscriber);
        int count = 0;
        long last = -1;
        for (long offset : dead) {
            Bytes key = ShardKeys.deadBefore(partition(), subscriber, offset);
            if (count == most || (onlyWhatFits && !commit.fits(1, key.size()))) {
                break;
            }
            commit.put(Change.delete(key));
            last = offset;
            count++;
        }
        if (count > 0) {
            index.deadBefore(subscriber, dead.tailSet(last, false));
        }
        return count;
    }

    /** At most what the mark of a delivery takes beside it when it is settled: the handle of the fan-out that it completes. */
    public long handleBytes(OpenDelivery delivery) {
        FanOutState fanOut = delivery.fromBroker() ? index.fanOut(delivery.offset()) : null;
        return fanOut == null || !fanOut.notOpened().isEmpty() || index.openAt(delivery.offset()) > 1
                ? 0
                : fanOut.record().getBrokerHandle().size() + 64L;
    }

    /** Whether the changes of this operation will have survived power loss when it is answered. */
    public boolean synced() {
        return commit.synced();
    }

    private FanOutState fanOut(long offset) {
        FanOutState fanOut = index.fanOut(offset);
        if (fanOut == null) {
            throw new IllegalStateException("no fan-out at offset " + offset);
        }
        return fanOut;
    }

    private long number(FanOut told) {
        return fanOut(told.offset()).number();
    }
}
