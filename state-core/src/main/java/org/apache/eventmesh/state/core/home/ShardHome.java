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

import java.util.ArrayList;
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
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.proto.HomeRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Brings a claim that was made in the shared backend to the local one: first the fence record, on which every local write
 * conditions, so that no earlier owner on this host writes any more; then, unless this host was the last owner, its stale
 * state of the shard goes, and what is published takes its place. Every step is idempotent: after a crash the next claim
 * begins again.
 */
final class ShardHome {
    private static final int PAGE = 500;

    private final Sides sides;
    private final Arrival arrival;
    private final Token<Partition> token;
    private final Bytes fenceKey;
    private final Bytes homeKey;

    /** What the fence's commit found. */
    private sealed interface Entered {
        /** The local state is of this very claim already, or a later one on this host has fenced it. */
        record Nothing() implements Entered {}

        record Kept() implements Entered {}

        record Stale(long fence) implements Entered {}
    }

    /** What takes the place of discarded state. */
    interface Arrival {
        /**
         * Puts down what the shared backend knows of the shard, in any number of commits.
         *
         * @param local each transaction conditions on the fence, and answers {@code false} when it is not ours any more
         */
        CompletionStage<Boolean> install(Steps local, Token<Partition> token, long fence);
    }

    ShardHome(Sides sides, Arrival arrival, Token<Partition> token) {
        this.sides = sides;
        this.arrival = arrival;
        this.token = token;
        this.fenceKey = OwnerKeys.holder(token.scope());
        this.homeKey = HomeKeys.home(token.scope());
    }

    /**
     * Goes through all of it.
     *
     * @param since the first epoch of this host since another owned the shard, by the shared backend
     * @return {@code false} when a later claim on this host has fenced this one meanwhile
     */
    CompletionStage<Boolean> enter(long since) {
        return Steps.unattended(
                sides.local(),
                new Operation(StoreName.DELIVERIES, "claim", token.scope()),
                steps -> steps.transact(List.of(fenceKey, homeKey), seen -> fence(seen, since))
                        .thenCompose(entered -> entered instanceof Entered.Stale stale
                                ? replace(steps, stale.fence())
                                : CompletableFuture.completedStage(true)));
    }

    private Decision<Entered> fence(Seen seen, long since) {
        Optional<HolderRecord> fence = seen.get(Records.HOLDER, fenceKey)
                .map(Stored::record)
                .filter(record -> record.getIncarnation().equals(token.incarnation()));
        Optional<HomeRecord> home = seen.get(Records.SHARD_HOME, homeKey)
                .map(Stored::record)
                .filter(record -> record.getIncarnation().equals(token.incarnation()));
        boolean ready = home.isPresent() && !home.get().getDiscarding();
        if (fence.isPresent() && fence.get().getEpoch() > token.epoch()) {
            return Decision.answer(new Entered.Nothing());
        }
        if (fence.isPresent()
                && fence.get().getEpoch() == token.epoch()
                && ready
                && home.get().getEpoch() == token.epoch()) {
            return Decision.answer(new Entered.Nothing());
        }
        boolean keep = ready && home.get().getEpoch() >= since;
        return Decision.write(
                List.of(seen.unchanged(fenceKey), seen.unchanged(homeKey)),
                List.of(Records.HOLDER.put(fenceKey, fence(!keep)), Records.SHARD_HOME.put(homeKey, home(!keep))),
                revision -> keep ? new Entered.Kept() : new Entered.Stale(revision));
    }

    private HolderRecord fence(boolean arriving) {
        return HolderRecord.newBuilder()
                .setEpoch(token.epoch())
                .setInstance(token.holder().instance())
                .setProcess(token.holder().process())
                .setIncarnation(token.incarnation())
                .setArriving(arriving)
                .build();
    }

    private HomeRecord home(boolean discarding) {
        return HomeRecord.newBuilder()
                .setEpoch(token.epoch())
                .setIncarnation(token.incarnation())
                .setDiscarding(discarding)
                .build();
    }

    private CompletionStage<Boolean> replace(Steps steps, long fence) {
        CompletionStage<Boolean> going = CompletableFuture.completedStage(true);
        for (KeyRange range : HomeKeys.privateTo(token.scope())) {
            going = going.thenCompose(ours -> ours ? discard(steps, range, fence) : going(false));
        }
        return going.thenCompose(ours -> ours ? arrival.install(steps, token, fence) : going(false))
                .thenCompose(ours -> ours ? ready(steps, fence) : going(false));
    }

    private CompletionStage<Boolean> discard(Steps steps, KeyRange rest, long fence) {
        return steps.scan(rest, Math.min(PAGE, sides.local().engine().limits().maxOperations() / 3))
                .thenCompose(slice -> {
                    if (slice.entries().isEmpty()) {
                        return going(true);
                    }
                    List<Change> gone = new ArrayList<>();
                    slice.entries().forEach(entry -> {
                        gone.add(Change.delete(entry.key()));
                        HomeKeys.listing(entry.key()).ifPresent(key -> gone.add(Change.delete(key)));
                    });
                    Bytes last = slice.entries().get(slice.entries().size() - 1).key();
                    return write(steps, fence, gone)
                            .thenCompose(ours ->
                                    ours && slice.more() ? discard(steps, rest.after(last), fence) : going(ours));
                });
    }

    private CompletionStage<Boolean> ready(Steps steps, long fence) {
        return write(
                steps,
                fence,
                List.of(Records.HOLDER.put(fenceKey, fence(false)), Records.SHARD_HOME.put(homeKey, home(false))));
    }

    private CompletionStage<Boolean> write(Steps steps, long fence, List<Change> changes) {
        return steps.transact(List.of(fenceKey), seen -> fenced(seen, fenceKey, fence, changes));
    }

    /** A write under the fence as this claim wrote it. */
    static Decision<Boolean> fenced(Seen seen, Bytes fenceKey, long fence, List<Change> changes) {
        return seen.unchanged(fenceKey).revision() == fence
                ? Decision.write(List.of(seen.unchanged(fenceKey)), changes, true)
                : Decision.answer(false);
    }

    private static CompletionStage<Boolean> going(boolean on) {
        return CompletableFuture.completedStage(on);
    }
}
