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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.offset.Offsets;
import org.apache.eventmesh.state.core.owner.Mesh;
import org.apache.eventmesh.state.core.shard.FreshIndex;
import org.apache.eventmesh.state.core.shard.OpenBudget;
import org.apache.eventmesh.state.core.shard.Registry;
import org.apache.eventmesh.state.core.shard.ShardSettings;
import org.apache.eventmesh.state.core.shard.TokenFate;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.offset.OffsetStore;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Durability;

/** One process that owns shards on a shared map. */
final class Node implements AutoCloseable {
    static final Partition PARTITION = new Partition("orders", 3);
    static final Duration LEASE = Duration.ofSeconds(15);
    static final Duration DEADLINE = Duration.ofSeconds(10);
    static final Duration MARKS = Duration.ofMinutes(10);

    private final ExecutorService callbacks = Executors.newFixedThreadPool(2);
    private final Deadlines deadlines;
    private final Backend backend;
    private final Mesh mesh;
    private final Registry registry;
    private final ShardDeliveries deliveries;

    Node(SharedMap map) {
        this(map, StoreLimits.DEFAULT, Durability.DISK, StoreListener.NONE);
    }

    Node(SharedMap map, StoreLimits limits, Durability durability, StoreListener listener) {
        this(map, limits, durability, listener, fate -> fate);
    }

    Node(SharedMap map, UnaryOperator<TokenFate> fate) {
        this(map, StoreLimits.DEFAULT, Durability.DISK, StoreListener.NONE, fate);
    }

    private Node(
            SharedMap map,
            StoreLimits limits,
            Durability durability,
            StoreListener listener,
            UnaryOperator<TokenFate> fate) {
        deadlines = new Deadlines(map.ticker()::get, DEADLINE);
        backend = new Backend(map.engine(), deadlines, new Callbacks(callbacks, listener), 100_000);
        mesh = new Mesh(backend, map.clock());
        registry = new Registry(
                backend,
                new ShardSettings(durability, limits, MARKS, map.clock(), new OpenBudget(limits.openDeliveries())),
                fate.apply(new ClaimFate(mesh.claims())));
        deliveries = new ShardDeliveries(backend, mesh.claims(), registry, partition -> {});
    }

    ShardDeliveries deliveries() {
        return deliveries;
    }

    Registry registry() {
        return registry;
    }

    OffsetStore offsets() {
        return new Offsets(backend, registry);
    }

    Backend backend() {
        return backend;
    }

    Mesh mesh() {
        return mesh;
    }

    Member join(String name) {
        return Await.result(mesh.members().join(name, LEASE));
    }

    /** The shard, claimed by a new member. */
    Shard claim() {
        return Await.result(deliveries.claim(join("node"), PARTITION))
                .claimed()
                .orElseThrow(() -> new AssertionError("held by another"));
    }

    Shard takeOver() {
        return Await.result(deliveries.takeOver(join("thief"), PARTITION));
    }

    List<Delivery> open() {
        var page = Await.result(deliveries.list(DeliveryFilter.of(PARTITION), PageRequest.first(10_000)));
        if (!page.unreadable().isEmpty() || page.next().isPresent()) {
            throw new AssertionError("unreadable or more: " + page);
        }
        return page.items();
    }

    /** All that the index of a shard says. */
    String words(Shard shard) {
        return registry.loop(shard).look(FreshIndex::words);
    }

    /** How many messages carry what is open. */
    long messages(Shard shard) {
        return registry.loop(shard)
                .look(index -> index.all().stream()
                        .map(delivery -> delivery.key().message())
                        .distinct()
                        .count());
    }

    Optional<Delivery> find(Delivery delivery) {
        return Await.result(deliveries.find(delivery.id()));
    }

    @Override
    public void close() {
        mesh.close(Duration.ofSeconds(1));
        backend.close(Duration.ofSeconds(1));
        deadlines.close();
        callbacks.shutdown();
    }
}
