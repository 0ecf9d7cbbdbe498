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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.home.Residence;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.ProgressRecord;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.value.Bytes;

/** Reads of progress over two backends. */
final class PublishedOffsets {
    private final Sides sides;
    private final Shards shards;

    PublishedOffsets(Sides sides, Shards shards) {
        this.sides = sides;
        this.shards = shards;
    }

    /** An owner knows its positions also while the shared backend is away. */
    CompletionStage<OptionalLong> position(Operation operation, Partition partition, Subscriber subscriber) {
        if (shards.owned(partition).map(ShardLoop::valid).orElse(false)) {
            return Steps.run(sides.local(), operation, steps -> here(partition, subscriber));
        }
        Bytes published = new PublishedKey(partition, subscriber).bytes();
        return Steps.run(
                sides.shared(),
                operation,
                steps -> Residence.of(sides, List.of(partition))
                        .thenCompose(home -> home.contains(partition)
                                ? here(partition, subscriber)
                                : steps.read(List.of(published)).thenApply(PublishedOffsets::there)));
    }

    Listing<Progress> listing(ProgressFilter filter) {
        if (filter instanceof ProgressFilter.OfTopic of) {
            return Listing.of(
                    "progress",
                    KeyWriter.of(Table.PUBLISHED).text(of.topic()).under(),
                    new PublishedRows(sides, PublishedKey::read));
        }
        Subscriber subscriber = ((ProgressFilter.OfSubscriber) filter).subscriber();
        return Listing.of(
                "progress",
                KeyWriter.of(Table.PUBLISHED_BY_SUBSCRIBER)
                        .subscriber(subscriber)
                        .under(),
                new PublishedRows(sides, PublishedKey::readBySubscriber));
    }

    private CompletionStage<OptionalLong> here(Partition partition, Subscriber subscriber) {
        return sides.local()
                .read(List.of(new ProgressKey(partition, subscriber).bytes()))
                .thenApply(found -> position(found.stream()
                        .findAny()
                        .map(Records.PROGRESS::decode)
                        .map(Stored::record)
                        .filter(ProgressRecord::hasPosition)
                        .map(ProgressRecord::getPosition)));
    }

    private static OptionalLong there(List<Entry> found) {
        return position(found.stream()
                .findAny()
                .map(Records.PUBLISHED::decode)
                .map(stored -> stored.record().getPosition()));
    }

    private static OptionalLong position(Optional<Long> found) {
        return found.map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }
}
