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
package org.apache.eventmesh.state.core.world;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.delivery.ClaimFate;
import org.apache.eventmesh.state.core.delivery.ShardDeliveries;
import org.apache.eventmesh.state.core.engine.HostMap;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.home.HomeParting;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.offset.Offsets;
import org.apache.eventmesh.state.core.owner.Mesh;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.OpenBudget;
import org.apache.eventmesh.state.core.shard.Registry;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.ShardSettings;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** The stores of one host over two backends, wired by hand: its own map, and the world's. Nothing is published by itself. */
public final class Host implements AutoCloseable {
    public static final Receiver ALICE = new Receiver(new ClientId("alice"), 7, "node-a");
    public static final String GENERATION = "life-1";
    private static final Duration LEASE = Duration.ofSeconds(30);

    public final HostMap map;
    public final Positions positions = new Positions();
    public final Registry shards;
    public final ShardDeliveries deliveries;
    public final Offsets offsets;
    public final List<Unreadable> unreadable = new CopyOnWriteArrayList<>();
    private final World world;
    private final TestBackend local;
    private final TestBackend shared;
    private final Mesh mesh;
    private final Member member;

    public Host(World world, String name) {
        this.world = world;
        map = new HostMap(name);
        local = new TestBackend(map, new StoreListener() {
            @Override
            public void unreadable(StoreName store, Unreadable record) {
                unreadable.add(record);
            }
        });
        shared = new TestBackend(world.engine);
        mesh = new Mesh(shared.get(), world.clock());
        member = Await.result(mesh.members().join(name, LEASE));
        Sides sides = new Sides(local.get(), shared.get());
        ShardSettings settings = new ShardSettings(
                Durability.PROCESS, Instance.LIMITS, Duration.ofMinutes(10), world.clock(), new OpenBudget(1_000));
        shards = new Registry(sides, settings, new ClaimFate(mesh.claims(), false));
        mesh.claims().ending(Partition.class, new HomeParting(sides, shards, positions));
        offsets = new Offsets(sides, shards, positions);
        deliveries = new ShardDeliveries(
                sides, mesh.claims(), shards, positions, loop -> CompletableFuture.completedStage(true));
    }

    /** Takes the partition, from whomever; it is loaded then. */
    public Shard own(Partition partition) {
        return Await.result(deliveries.takeOver(member, partition));
    }

    /** The loop of a partition that it owns. */
    public ShardLoop loop(Partition partition) {
        return shards.owned(partition).orElseThrow();
    }

    /** As the shared backend has it. */
    public Optional<PublishedRecord> published(Partition partition, Subscriber subscriber) {
        return world.map
                .get(new PublishedKey(partition, subscriber).bytes())
                .map(entry -> Records.PUBLISHED.decode(entry).record());
    }

    /** The offsets from (inclusive) to (exclusive), each for the subscriber, handed out to alice. */
    public static OpenBatch range(Subscriber subscriber, long from, long to) {
        List<Incoming> messages = LongStream.range(from, to)
                .mapToObj(offset -> Incoming.of(offset, Bytes.utf8("payload " + offset), Attributes.NONE)
                        .to(subscriber, ALICE))
                .toList();
        return OpenBatch.range(GENERATION, from, to, Set.of(subscriber), messages, LEASE);
    }

    @Override
    public void close() {
        mesh.close(Duration.ofSeconds(5));
        local.close();
        shared.close();
    }
}
