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
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.deadletter.DeadLetters;
import org.apache.eventmesh.state.core.deadletter.QueuedReplays;
import org.apache.eventmesh.state.core.deadletter.Replays;
import org.apache.eventmesh.state.core.delivery.ClaimFate;
import org.apache.eventmesh.state.core.delivery.ShardDeliveries;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.offset.Offsets;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Mesh;
import org.apache.eventmesh.state.core.shard.OpenBudget;
import org.apache.eventmesh.state.core.shard.Registry;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.ShardSettings;
import org.apache.eventmesh.state.core.task.Tasks;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Durability;

/** The stores of one process, wired by hand. */
public final class Instance {
    public static final StoreLimits LIMITS = StoreLimits.DEFAULT.withPayloadBytes(1_000);
    private static final Duration LEASE = Duration.ofSeconds(30);

    public final TestBackend backend;
    public final Mesh mesh;
    public final Member member;
    public final Registry shards;
    public final ShardDeliveries deliveries;
    public final Offsets offsets;
    public final Tasks tasks;
    public final Replays replays;
    public final DeadLetters deadLetters;
    public final QueuedReplays queued;

    Instance(World world, String name, int openDeliveries) {
        backend = new TestBackend(world.engine);
        mesh = new Mesh(backend.get(), world.clock());
        member = Await.result(mesh.members().join(name, LEASE));
        ShardSettings settings = new ShardSettings(
                Durability.DISK, LIMITS, Duration.ofMinutes(10), world.clock(), new OpenBudget(openDeliveries));
        Claims claims = mesh.claims();
        shards = new Registry(backend.get(), settings, new ClaimFate(claims));
        offsets = new Offsets(backend.get(), shards);
        tasks = new Tasks(backend.get(), claims, shards, LIMITS, world.clock());
        replays = new Replays(backend.get(), shards, world.clock());
        deadLetters = new DeadLetters(backend.get(), replays);
        queued = new QueuedReplays(backend.get(), replays);
        deliveries = new ShardDeliveries(backend.get(), claims, shards, queued::claimed);
    }

    /** Takes the partition, from whomever; it is loaded then. */
    public Shard own(Partition partition) {
        return Await.result(deliveries.takeOver(member, partition));
    }

    /** The loop of a partition that it owns. */
    public ShardLoop loop(Partition partition) {
        return shards.owned(partition).orElseThrow();
    }

    void close() {
        queued.close();
        mesh.close(Duration.ofSeconds(5));
        backend.close();
    }
}
