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

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.home.Homes;
import org.apache.eventmesh.state.core.home.Positions;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Pending;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.DeliveryStateStore;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;

/** Claims partitions and gives their handles; reads what is open anywhere. */
public final class ShardDeliveries implements DeliveryStateStore {
    private final Backend backend;
    private final Claims claims;
    private final Homes homes;
    private final Shards shards;
    private final Positions positions;
    private final Function<ShardLoop, CompletionStage<?>> loaded;

    /** Over one backend. */
    public ShardDeliveries(Backend backend, Claims claims, Shards shards, Consumer<Partition> loaded) {
        this(Sides.one(backend), claims, shards, new Positions(), loop -> {
            loaded.accept(loop.token().scope());
            return CompletableFuture.completedStage(true);
        });
    }

    /** @param loaded what is to be done in each partition that was claimed and loaded, before its claim is answered */
    public ShardDeliveries(
            Sides sides,
            Claims claims,
            Shards shards,
            Positions positions,
            Function<ShardLoop, CompletionStage<?>> loaded) {
        this.backend = sides.local();
        this.homes = new Homes(sides, claims);
        this.claims = claims;
        this.shards = shards;
        this.positions = positions;
        this.loaded = loaded;
    }

    @Override
    public CompletionStage<ClaimResult<Shard>> claim(Member member, Partition partition) {
        Check.given("member", member);
        Check.given("partition", partition);
        return claims.as(
                member,
                operation("claim", partition),
                steps -> homes.claim(steps, member, partition).thenCompose(answer -> {
                    if (answer instanceof ClaimResult.HeldByOther<Held<Partition>> held) {
                        return CompletableFuture.completedStage(
                                new ClaimResult.HeldByOther<>(held.holder(), held.epoch(), held.remaining()));
                    }
                    Held<Partition> ours = ((ClaimResult.Claimed<Held<Partition>>) answer).handle();
                    return loaded(ours).thenApply(ClaimResult.Claimed::new);
                }));
    }

    @Override
    public CompletionStage<Shard> takeOver(Member member, Partition partition) {
        Check.given("member", member);
        Check.given("partition", partition);
        return claims.as(
                member,
                operation("takeOver", partition),
                steps -> homes.takeOver(steps, member, partition).thenCompose(this::loaded));
    }

    @Override
    public Shard shard(Token<Partition> token) {
        Check.given("token", token);
        return handle(shards.of(token));
    }

    @Override
    public CompletionStage<Optional<Delivery>> find(DeliveryId id) {
        Check.given("id", id);
        String incarnation = backend.engine().incarnation();
        return Steps.run(
                backend,
                operation("find", id),
                steps -> id.incarnation().equals(incarnation)
                        ? steps.scan(ShardKeys.delivery(id.partition(), id.number()), 1)
                                .thenCompose(slice -> slice.entries().isEmpty()
                                        ? CompletableFuture.completedStage(Optional.empty())
                                        : read(steps, id, slice.entries().get(0)))
                        : CompletableFuture.completedStage(Optional.empty()));
    }

    @Override
    public CompletionStage<Page<Delivery>> list(DeliveryFilter filter, PageRequest page) {
        Check.given("filter", filter);
        Check.given("page", page);
        KeyWriter range = KeyWriter.of(Table.DELIVERY);
        KeyRange within = filter.partition().map(range::partition).orElse(range).under();
        return Listing.of(
                        "deliveries " + filter,
                        within,
                        new DeliveryRows(filter, backend.engine().incarnation()))
                .page(backend, operation("list", filter), page);
    }

    /** The delivery may be settled between the two reads: then its message is gone too. */
    private CompletionStage<Optional<Delivery>> read(Steps steps, DeliveryId id, Entry entry) {
        OpenDelivery delivery = OpenDelivery.read(DeliveryKey.read(entry.key()), entry);
        Bytes message = ShardKeys.message(id.partition(), delivery.key().message());
        return steps.read(List.of(message, entry.key())).thenApply(found -> {
            if (found.stream().noneMatch(still -> still.key().equals(entry.key()))) {
                return Optional.empty();
            }
            Entry payload = found.stream()
                    .filter(each -> each.key().equals(message))
                    .findAny()
                    .orElseThrow(() -> DeliveryRows.missing(message));
            return Optional.of(
                    Messages.told(id, delivery, Records.MESSAGE.decode(payload).record()));
        });
    }

    private CompletionStage<Shard> loaded(Held<Partition> held) {
        ShardLoop loop = shards.owned(held.token());
        CompletableFuture<Shard> handle = new CompletableFuture<>();
        loop.enqueue(new LoadOperation(), new Pending.Answer<>() {
            @Override
            public void done(Boolean current) {
                // taken over meanwhile: its first write will say so
                loaded.apply(loop).whenComplete((done, failure) -> {
                    if (failure == null) {
                        handle.complete(handle(loop));
                    } else {
                        handle.completeExceptionally(failure);
                    }
                });
            }

            @Override
            public void failed(Throwable failure) {
                handle.completeExceptionally(failure);
            }
        });
        return handle;
    }

    private Shard handle(ShardLoop loop) {
        return new OwnedShard(loop, claims, positions);
    }

    private static Operation operation(String name, Object subject) {
        return new Operation(StoreName.DELIVERIES, name, subject);
    }
}
