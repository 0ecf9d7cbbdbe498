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
package org.apache.eventmesh.state.bench.etcd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.value.Bytes;

/** Positions that are raised through the stores, of one subscriber in many owned partitions. */
final class StoreWrites implements FencedWrites {
    private static final Subscriber READER = Subscriber.group("billing");
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final StateStores stores;
    private final List<Shard> shards = new ArrayList<>();
    private final long[] positions;

    private StoreWrites(StateStores stores, int places) {
        this.stores = stores;
        this.positions = new long[places];
    }

    /** Opens a store set, claims a partition for each place, and enters the subscriber. */
    static StoreWrites open(StoreSettings settings, int places) {
        StoreWrites writes = new StoreWrites(StateStores.open(settings), places);
        writes.claim();
        return writes;
    }

    private void claim() {
        Member me = Await.result(stores.join("bench", LEASE));
        for (int place = 0; place < positions.length; place++) {
            shards.add(Await.result(stores.deliveries().claim(me, partition(place)))
                    .claimed()
                    .orElseThrow());
            Await.result(write(place));
        }
    }

    private static Partition partition(int place) {
        return new Partition("orders", place);
    }

    /** The core's keys of the records on which a write of this place is conditional. */
    static List<Bytes> conditioned(int place) {
        return List.of(OwnerKeys.holder(partition(place)), ShardKeys.shard(partition(place)));
    }

    /** The core's key of the record that a write of this place puts. */
    static Bytes written(int place) {
        return new ProgressKey(partition(place), READER).bytes();
    }

    @Override
    public CompletionStage<?> write(int place) {
        long next = ++positions[place];
        return stores.offsets().advance(shards.get(place), Map.of(READER, next)).thenAccept(outcomes -> {
            for (Outcome<AdvanceResult> outcome : outcomes.values()) {
                if (!(outcome.orThrow() instanceof AdvanceResult.Advanced)) {
                    throw new IllegalStateException("an advance was answered with " + outcome);
                }
            }
        });
    }

    @Override
    public void close() {
        stores.close();
    }
}
