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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.owner.Holder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The renewals of one member's lease: one at a time, every third of the lease, after a failure sooner. When the lease has
 * ended, the member is put under a new one.
 */
final class Renewals {
    private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);
    private static final int PER_LEASE = 3;
    private static final int RETRIES_PER_LEASE = 12;

    private final Backend backend;
    private final Holder holder;
    private final Function<KeptLease, CompletionStage<KeptLease>> standAgain;
    private final Supplier<RuntimeException> over;

    private volatile KeptLease lease;

    /** Guarded by this, as all below; the renewal under way. */
    private @Nullable CompletableFuture<Boolean> underWay;

    private Deadlines.Scheduled next = () -> {};
    private boolean stopped;

    private long lapses;

    /** So many of them: what stood under the lease that lapsed is gone, and the caller must know. */
    private long told;

    /**
     * Begins with {@link #start}.
     *
     * @param standAgain puts the member under a new lease, instead of one that has ended
     * @param over what whoever asks after {@link #stop} is told
     */
    Renewals(
            Backend backend,
            Holder holder,
            KeptLease first,
            Function<KeptLease, CompletionStage<KeptLease>> standAgain,
            Supplier<RuntimeException> over) {
        this.backend = backend;
        this.holder = holder;
        this.lease = first;
        this.standAgain = standAgain;
        this.over = over;
    }

    synchronized void start() {
        schedule(third());
    }

    /** No more; the stage completes when the one under way has ended, however it does. */
    synchronized CompletionStage<Boolean> stop() {
        stopped = true;
        next.cancel();
        return underWay == null ? CompletableFuture.completedStage(true) : underWay.handle((done, failure) -> true);
    }

    /** The one that the member stands under. */
    KeptLease lease() {
        return lease;
    }

    /** Renews now, or joins the renewal under way. Tells whether the lease had ended. */
    CompletionStage<Boolean> now() {
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        synchronized (this) {
            if (underWay != null) {
                return underWay;
            }
            if (stopped) {
                return CompletableFuture.failedStage(over.get());
            }
            underWay = mine;
            next.cancel();
        }
        KeptLease held = lease;
        renewed(held)
                .thenCompose(lives -> lives ? CompletableFuture.completedStage(false) : again(held))
                .whenComplete((lapsed, failure) -> {
                    try {
                        ended(failure == null && lapsed, failure == null);
                    } finally {
                        // whatever becomes of the next one, whoever waits for this one is told
                        tell(mine, lapsed, failure);
                    }
                });
        return mine;
    }

    private void tell(CompletableFuture<Boolean> mine, Boolean lapsed, @Nullable Throwable failure) {
        if (failure == null) {
            mine.complete(lapsed);
        } else {
            mine.completeExceptionally(failure);
            LOG.debug("the lease of member {} could not be renewed; trying again", holder, failure);
        }
    }

    /** A call that throws must not be the last one: it counts as a renewal that failed. */
    private static CompletionStage<Boolean> renewed(KeptLease held) {
        try {
            return held.renew();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedStage(e);
        }
    }

    /** How many times the lease has lapsed. */
    synchronized long lapses() {
        return lapses;
    }

    /** Whether the caller was told of so many lapses. */
    synchronized boolean told(long count) {
        return told >= count;
    }

    /** The caller was told of so many. */
    synchronized void tell(long count) {
        told = Math.max(told, count);
    }

    private synchronized boolean stopped() {
        return stopped;
    }

    private CompletionStage<Boolean> again(KeptLease ended) {
        if (stopped()) {
            // nobody would give another one back
            return CompletableFuture.failedStage(over.get());
        }
        LOG.warn(
                "the lease of member {} ended before it was renewed; its registrations are gone, its claims stand unless"
                        + " others took over",
                holder);
        return standAgain.apply(ended).thenApply(granted -> {
            lease = granted;
            return true;
        });
    }

    private synchronized void ended(boolean lapsed, boolean renewed) {
        underWay = null;
        lapses += lapsed ? 1 : 0;
        schedule(renewed ? third() : backend.deadlines().in(lease.length().dividedBy(RETRIES_PER_LEASE)));
    }

    /**
     * When a third of the lease is over, which began when the request was sent and not when its answer was taken. A time and
     * not a delay: whoever was held up between the two would renew late.
     */
    private long third() {
        return lease.after(lease.length().dividedBy(PER_LEASE));
    }

    private void schedule(long time) {
        if (!stopped) {
            next = backend.deadlines().at(time, () -> now().exceptionally(f -> false));
        }
    }
}
