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
package org.apache.eventmesh.state.core.offset;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.ProgressRecord;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Follow;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.OffsetStore;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/** Offsets over a backend. Positions are written by the shards, with what moves them; anyone may read them. */
public final class Offsets implements OffsetStore {
    private final Sides sides;
    private final Backend backend;
    private final Transactions transactions;
    private final Shards shards;
    private final PublishedOffsets published;
    private final SharedOffsets across;

    /** Over one backend. */
    public Offsets(Backend backend, Shards shards) {
        this(Sides.one(backend), shards, new Positions());
    }

    public Offsets(Sides sides, Shards shards, Positions positions) {
        this.sides = sides;
        this.backend = sides.local();
        this.transactions = new Transactions(backend);
        this.shards = shards;
        this.published = new PublishedOffsets(sides, shards);
        this.across = new SharedOffsets(positions);
    }

    @Override
    public CompletionStage<OptionalLong> position(Partition partition, Subscriber subscriber) {
        Check.given("partition", partition);
        Check.given("subscriber", subscriber);
        ProgressKey key = new ProgressKey(partition, subscriber);
        if (sides.two()) {
            return published.position(operation("position", key), partition, subscriber);
        }
        Bytes record = key.bytes();
        return transactions.run(
                operation("position", key),
                List.of(record),
                seen -> Decision.answer(seen.get(Records.PROGRESS, record)
                        .map(Stored::record)
                        .filter(ProgressRecord::hasPosition)
                        .map(progress -> OptionalLong.of(progress.getPosition()))
                        .orElse(OptionalLong.empty())));
    }

    @Override
    public CompletionStage<Page<Progress>> list(ProgressFilter filter, PageRequest page) {
        Check.given("filter", filter);
        Check.given("page", page);
        return sides.two()
                ? published.listing(filter).page(sides.shared(), operation("list", filter), page)
                : listing(filter).page(backend, operation("list", filter), page);
    }

    @Override
    public CompletionStage<Map<Subscriber, Outcome<AdvanceResult>>> advance(Shard shard, Map<Subscriber, Long> to) {
        Check.given("shard", shard);
        Check.given("to", to).keySet().forEach(subscriber -> Check.given("a subscriber of to", subscriber));
        ShardLoop loop = shards.loop(shard);
        to.values().forEach(Offsets::offset);
        // too many are refused before any of them enters
        return sides.two() && to.size() <= loop.settings().limits().batch()
                ? across.advance(loop, to)
                : Advance.all(loop, to, Optional.empty());
    }

    @Override
    public CompletionStage<ResetResult> reset(Shard shard, Subscriber subscriber, Reset reset) {
        Check.given("shard", shard);
        Check.given("subscriber", subscriber);
        Check.given("reset", reset);
        ShardLoop loop = shards.loop(shard);
        return sides.two() ? across.reset(loop, subscriber, reset) : loop.submit(new Rewind(subscriber, reset));
    }

    @Override
    public CompletionStage<RemoveResult> remove(Shard shard, Subscriber subscriber) {
        Check.given("shard", shard);
        Check.given("subscriber", subscriber);
        ShardLoop loop = shards.loop(shard);
        return new RemovalCall(loop, subscriber, sides.two() ? across.ofRemoval(loop) : Follow.nothing()).start();
    }

    private static Listing<Progress> listing(ProgressFilter filter) {
        if (filter instanceof ProgressFilter.OfTopic of) {
            return Listing.ofRecords(
                    "progress",
                    KeyWriter.of(Table.PROGRESS).text(of.topic()).under(),
                    Records.PROGRESS,
                    Offsets::progress);
        }
        Subscriber subscriber = ((ProgressFilter.OfSubscriber) filter).subscriber();
        return Listing.byIndex(
                "progress",
                KeyWriter.of(Table.PROGRESS_BY_SUBSCRIBER)
                        .subscriber(subscriber)
                        .under(),
                index -> ProgressKey.readBySubscriber(index).bytes(),
                Records.PROGRESS,
                (index, stored) -> progress(stored));
    }

    /** Nothing for a subscriber that was entered and has no position. */
    private static Optional<Progress> progress(Stored<ProgressRecord> stored) {
        ProgressKey key = ProgressKey.read(stored.key());
        return stored.record().hasPosition()
                ? Optional.of(new Progress(
                        key.partition(), key.subscriber(), stored.record().getPosition()))
                : Optional.empty();
    }

    private static void offset(@Nullable Long given) {
        if (given == null || given < 0) {
            throw new IllegalArgumentException("offset is " + given + "; it must not be negative");
        }
    }

    private static Operation operation(String name, Object subject) {
        return new Operation(StoreName.OFFSETS, name, subject);
    }
}
