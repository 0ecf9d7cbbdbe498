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

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.KeyReader;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.owner.Standing;
import org.apache.eventmesh.state.core.proto.ShardRecord;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/**
 * Loads a shard: writes its shard record first, with a new block of numbers, so that no loop that was loaded before can
 * change it any more; then reads all that is open, in pages. No payload is read.
 */
final class ShardLoad {
    private static final int PAGE = 1000;
    private static final int ATTEMPTS = 20;

    private final Backend backend;
    private final Token<Partition> token;
    private final String incarnation;
    private final Bytes holderKey;
    private final Bytes shardKey;
    private final ShardIndex index;

    /** What came of it. */
    sealed interface Outcome {
        record Loaded(Fence fence, ShardIndex index, Numbers numbers) implements Outcome {}

        record Lost(Fenced fenced) implements Outcome {}
    }

    ShardLoad(Backend backend, Token<Partition> token) {
        this(backend, token, backend.engine().incarnation());
    }

    /** @param incarnation of the data set that keeps the ownerships */
    ShardLoad(Backend backend, Token<Partition> token, String incarnation) {
        this.backend = backend;
        this.incarnation = incarnation;
        this.token = token;
        this.holderKey = OwnerKeys.holder(token.scope());
        this.index = new ShardIndex(token.scope());
        this.shardKey = ShardKeys.shard(token.scope());
    }

    CompletionStage<Outcome> start() {
        return begin(ATTEMPTS);
    }

    private CompletionStage<Outcome> begin(int attempts) {
        return backend.read(List.of(holderKey, shardKey)).thenCompose(found -> {
            if (arriving(find(found, holderKey))) {
                return CompletableFuture.failedStage(new StoreUnavailableException(
                        "this host's state of the partition is being prepared by its claim; nothing was applied, claim"
                                + " it or try again"));
            }
            Standing<Partition> standing = Held.of(token, incarnation, find(found, holderKey));
            if (standing instanceof Standing.Past<Partition> past) {
                return CompletableFuture.completedStage(new Outcome.Lost(past.fenced()));
            }
            return fence(((Standing.Current<Partition>) standing).held(), find(found, shardKey), attempts);
        });
    }

    /** Only a local copy of an ownership, in a set of two backends, can be so. */
    private static boolean arriving(Optional<Entry> holder) {
        return holder.map(Records.HOLDER::decode)
                .map(stored -> stored.record().getArriving())
                .orElse(false);
    }

    private CompletionStage<Outcome> fence(Held<Partition> held, Optional<Entry> shard, int attempts) {
        Numbers numbers = new Numbers(shard.map(Records.SHARD::decode)
                .map(stored -> stored.record())
                .orElse(ShardRecord.getDefaultInstance()));
        numbers.begin();
        Commit commit = new Commit(
                List.of(held.fence(), shard.map(Condition::unchanged).orElseGet(() -> Condition.absent(shardKey))),
                List.of(Records.SHARD.put(shardKey, numbers.record())));
        return backend.queue().submit(commit, Durability.DISK).fate().thenCompose(fate -> {
            if (fate instanceof CommitResult.Applied applied) {
                numbers.committed();
                Fence fence = new Fence(
                        held,
                        new Condition(shardKey, applied.revision()),
                        backend.engine().incarnation());
                return read(fence, numbers);
            }
            if (attempts == 1) {
                return CompletableFuture.failedStage(new StoreUnavailableException(
                        "others load the same shard again and again; nothing was applied, try again"));
            }
            return begin(attempts - 1);
        });
    }

    private CompletionStage<Outcome> read(Fence fence, Numbers numbers) {
        return read().thenApply(read -> new Outcome.Loaded(fence, read, numbers));
    }

    /** All that is open. It is one state of the shard only while nobody changes it. */
    CompletionStage<ShardIndex> read() {
        return pages(Table.DELIVERY, this::delivery)
                .thenCompose(done -> pages(Table.PROGRESS, this::progress))
                .thenCompose(done -> pages(Table.FAN_OUT, this::fanOut))
                .thenCompose(done -> pages(Table.OUTSTANDING, this::outstanding))
                .thenCompose(done -> pages(Table.DEAD_BEFORE, this::deadBefore))
                .thenApply(done -> {
                    index.loaded();
                    return index;
                });
    }

    private CompletionStage<Void> pages(Table table, Consumer<Entry> each) {
        return page(ShardKeys.all(table, token.scope()), each);
    }

    private CompletionStage<Void> page(KeyRange range, Consumer<Entry> each) {
        return backend.scan(range, PAGE).thenCompose(slice -> {
            slice.entries().forEach(each);
            if (!slice.more() || slice.entries().isEmpty()) {
                return CompletableFuture.completedStage(null);
            }
            return page(
                    range.after(slice.entries().get(slice.entries().size() - 1).key()), each);
        });
    }

    private void delivery(Entry entry) {
        DeliveryKey key;
        try {
            key = DeliveryKey.read(entry.key());
        } catch (CorruptStateException e) {
            report(StoreName.DELIVERIES, entry, e);
            return;
        }
        OpenDelivery delivery;
        try {
            delivery = OpenDelivery.read(key, entry);
        } catch (StateStoreException e) {
            delivery = OpenDelivery.unreadable(key, report(StoreName.DELIVERIES, entry, e));
        }
        index.deliver(null, delivery);
    }

    private void progress(Entry entry) {
        ProgressKey key;
        try {
            key = ProgressKey.read(entry.key());
        } catch (CorruptStateException e) {
            report(StoreName.OFFSETS, entry, e);
            return;
        }
        try {
            Place place = new Place(Records.PROGRESS.decode(entry).record());
            index.place(key.subscriber(), place);
            index.makeReader(key.subscriber())
                    .written(place.stored().hasPosition() ? place.stored().getPosition() : -1);
        } catch (StateStoreException e) {
            report(StoreName.OFFSETS, entry, e);
            index.damaged(key.subscriber(), e);
        }
    }

    /** One that cannot be read is not acknowledged to the broker, which gives its message again. */
    private void fanOut(Entry entry) {
        try {
            long offset = KeyReader.read(Table.FAN_OUT, entry.key(), in -> {
                in.partition();
                return in.number();
            });
            index.fanOut(offset, FanOutState.read(entry));
        } catch (StateStoreException e) {
            report(StoreName.DELIVERIES, entry, e);
        }
    }

    /** One that cannot be read is finished by nobody: the delivery is settled, and its task may stay behind. */
    private void outstanding(Entry entry) {
        try {
            long number = KeyReader.read(Table.OUTSTANDING, entry.key(), in -> {
                in.partition();
                return in.number();
            });
            index.outstanding(number, Records.OUTSTANDING.decode(entry).record());
        } catch (StateStoreException e) {
            report(StoreName.DELIVERIES, entry, e);
        }
    }

    /** One that cannot be read is delivered again. */
    private void deadBefore(Entry entry) {
        try {
            KeyReader.read(Table.DEAD_BEFORE, entry.key(), in -> {
                in.partition();
                Subscriber subscriber = in.subscriber();
                long offset = in.number();
                index.loadDeadBefore(subscriber, offset);
                return offset;
            });
        } catch (StateStoreException e) {
            report(StoreName.DELIVERIES, entry, e);
        }
    }

    private Unreadable report(StoreName store, Entry entry, StateStoreException why) {
        Unreadable unreadable = Codec.unreadable(entry.key(), why);
        backend.callbacks().tell(to -> to.unreadable(store, unreadable));
        return unreadable;
    }

    private static Optional<Entry> find(List<Entry> found, Bytes key) {
        return found.stream().filter(entry -> entry.key().equals(key)).findAny();
    }
}
