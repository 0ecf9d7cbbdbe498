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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.core.commit.Ask;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member with its renewals: one at a time, every third of the lease; after a failure sooner. */
final class JoinedMember implements Member {
    private static final Logger LOG = LoggerFactory.getLogger(JoinedMember.class);
    private static final int RENEWALS_PER_LEASE = 3;
    private static final int RETRIES_PER_LEASE = 12;

    private final Members members;
    private final Holder holder;
    private final Duration length;
    private final long joinedAt;

    private volatile KeptLease lease;
    private volatile boolean left;

    /** Guarded by this, as all below; the renewal under way. */
    private @Nullable CompletableFuture<Boolean> renewal;

    private Deadlines.Scheduled next = () -> {};

    /** A lapse that no caller of {@link #renew} was told of: what stood under the lease is gone, and he must know. */
    private boolean untoldLapse;

    JoinedMember(Members members, Holder holder, Duration length, long joinedAt, KeptLease lease) {
        this.members = members;
        this.holder = holder;
        this.length = length;
        this.joinedAt = joinedAt;
        this.lease = lease;
    }

    @Override
    public Holder holder() {
        return holder;
    }

    @Override
    public boolean live() {
        return !left && !members.closed() && lease.live();
    }

    @Override
    public CompletionStage<Renewal> renew() {
        if (left) {
            return CompletableFuture.failedStage(gone());
        }
        // a renewal goes on when nobody waits for it any more
        AtomicBoolean begun = new AtomicBoolean();
        Ask<Renewal> ask = members.backend().ask(Members.operation("renew", holder.instance()), () -> !begun.get());
        if (ask.answered()) {
            return ask.stage();
        }
        begun.set(true);
        renewed().whenComplete((lapsed, failure) -> {
            if (failure == null) {
                ask.answer(tellLapse() || lapsed ? Renewal.RENEWED_AFTER_LAPSE : Renewal.RENEWED);
            } else {
                ask.fail(failure);
            }
        });
        return ask.stage();
    }

    @Override
    public CompletionStage<Void> leave() {
        CompletionStage<?> renewing = stop();
        Bytes key = OwnerKeys.member(holder.process());
        return Steps.run(
                        members.backend(),
                        Members.operation("leave", holder.instance()),
                        steps -> renewing.handle((done, failure) -> true)
                                .thenCompose(settled -> steps.transact(
                                        List.of(key),
                                        seen -> Decision.write(List.of(), List.of(Change.delete(key)), true)))
                                .thenCompose(deleted -> members.leases().revoke(lease))
                                .thenCompose(revoked -> members.releases().all(steps, holder))
                                .thenApply(released -> true))
                .thenAccept(done -> members.forget(this));
    }

    boolean madeBy(Members set) {
        return members == set;
    }

    boolean left() {
        return left;
    }

    KeptLease lease() {
        return lease;
    }

    IllegalStateException gone() {
        return new IllegalStateException(
                "member " + holder + " has left the mesh; join again, as a new member, to claim anything");
    }

    /** Renews now, or joins the renewal under way. Tells whether the lease had ended. */
    CompletionStage<Boolean> renewed() {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        synchronized (this) {
            if (left) {
                return CompletableFuture.failedStage(gone());
            }
            if (renewal != null) {
                return renewal;
            }
            renewal = mine;
            next.cancel();
        }
        KeptLease held = lease;
        held.renew()
                .thenCompose(lives -> lives ? CompletableFuture.completedStage(false) : again(held))
                .whenComplete((lapsed, failure) -> {
                    synchronized (this) {
                        renewal = null;
                        untoldLapse |= failure == null && lapsed;
                        schedule(failure == null ? RENEWALS_PER_LEASE : RETRIES_PER_LEASE);
                    }
                    if (failure == null) {
                        mine.complete(lapsed);
                    } else {
                        LOG.debug("the lease of member {} could not be renewed; trying again", holder, failure);
                        mine.completeExceptionally(failure);
                    }
                });
        return mine;
    }

    synchronized void keepAlive() {
        schedule(RENEWALS_PER_LEASE);
    }

    /** It leaves: no more renewals, but the one under way may still end. */
    synchronized CompletionStage<?> stop() {
        left = true;
        next.cancel();
        return renewal == null ? CompletableFuture.completedStage(true) : renewal;
    }

    /** The store set closes: no more renewals unasked. */
    synchronized void pause() {
        next.cancel();
    }

    private synchronized boolean tellLapse() {
        boolean untold = untoldLapse;
        untoldLapse = false;
        return untold;
    }

    private CompletionStage<Boolean> again(KeptLease ended) {
        LOG.warn(
                "the lease of member {} ended before it was renewed; its registrations are gone, its claims stand"
                        + " unless others took over",
                holder);
        members.leases().ended(ended);
        return Steps.unattended(
                        members.backend(),
                        Members.operation("renew", holder.instance()),
                        steps -> members.stand(steps, holder, length, joinedAt))
                .thenApply(granted -> {
                    lease = granted;
                    return true;
                });
    }

    private void schedule(int perLease) {
        if (!left && !members.closed()) {
            next = members.backend().deadlines().after(length.dividedBy(perLease), this::renewUnasked);
        }
    }

    private void renewUnasked() {
        renewed().exceptionally(failure -> false);
    }
}
