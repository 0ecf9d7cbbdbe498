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
package org.apache.eventmesh.state.core.home;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.owner.Parting;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The end of an ownership of a shard over two backends: its positions are published before, so that whoever comes next
 * delivers nothing again, and its fence goes afterwards.
 */
public final class HomeParting implements Parting<Partition> {
    private final Sides sides;
    private final Shards shards;
    private final Positions positions;

    public HomeParting(Sides sides, Shards shards, Positions positions) {
        this.sides = sides;
        this.shards = shards;
        this.positions = positions;
    }

    @Override
    public CompletionStage<Collection<Bytes>> before(Steps steps, Token<Partition> token) {
        Optional<ShardLoop> loop =
                shards.owned(token.scope()).filter(owned -> owned.token().equals(token));
        return loop.map(positions::flush)
                .orElseGet(() -> CompletableFuture.completedStage(0L))
                .thenApply(published -> List.of());
    }

    @Override
    public CompletionStage<Boolean> after(Steps steps, Token<Partition> token) {
        Bytes fence = OwnerKeys.holder(token.scope());
        return Steps.unattended(
                sides.local(),
                new Operation(StoreName.DELIVERIES, "release", token.scope()),
                local -> local.transact(List.of(fence), seen -> unfence(seen, fence, token)));
    }

    private static Decision<Boolean> unfence(Seen seen, Bytes fence, Token<Partition> token) {
        Optional<HolderRecord> ours = seen.get(Records.HOLDER, fence)
                .map(Stored::record)
                .filter(record ->
                        record.getIncarnation().equals(token.incarnation()) && record.getEpoch() == token.epoch());
        return ours.isEmpty()
                ? Decision.answer(false)
                : Decision.write(List.of(seen.unchanged(fence)), List.of(Change.delete(fence)), true);
    }
}
