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
package org.apache.eventmesh.state.tck.kit;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.tck.kit.StoreFixture.ServerTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases of one test on a server that keeps their time itself, made to follow the time of the test. The server grants
 * each for longer than any machine stands still. While the test's time has not reached its end the kit keeps it alive, whoever
 * holds it and whatever happened to them; then the kit has the server end it.
 */
final class ServerLeases implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLeases.class);

    /** Long against what a busy machine makes a thread wait; what a killed test leaves is gone after it. */
    private static final Duration REAL = Duration.ofMinutes(1);

    private static final Duration KEEP_ALIVE = REAL.dividedBy(6);
    private static final Duration LOOK = Duration.ofMillis(10);

    private final ServerTime server;
    private final LongSupplier ticker;
    private final Map<Long, ServerLease> held = new ConcurrentHashMap<>();
    private @Nullable ScheduledExecutorService keeper;
    private boolean closed;

    ServerLeases(ServerTime server, LongSupplier ticker) {
        this.server = server;
        this.ticker = ticker;
    }

    CompletionStage<Lease> grant(Engine engine, Duration length) {
        long before = ticker.getAsLong();
        return engine.lease(REAL).thenApply(lease -> {
            ServerLease granted = new ServerLease(this, lease, length, before);
            held.put(lease.id(), granted);
            start();
            return granted;
        });
    }

    /** What is left of it in the test's time, as far as the server still has it. */
    CompletionStage<Duration> remaining(Engine engine, long id) {
        return engine.remaining(id).thenApply(real -> {
            ServerLease lease = held.get(id);
            return lease == null || real.isZero() ? real : lease.remaining();
        });
    }

    /** Waits until the server has ended all that ran out. */
    void settle() {
        held.values().stream().filter(ServerLease::ranOut).forEach(lease -> Stages.get(lease.ended()));
    }

    long now() {
        return ticker.getAsLong();
    }

    void forget(ServerLease lease) {
        held.remove(lease.id());
        lease.ended().complete(true);
    }

    private synchronized void start() {
        if (keeper == null && !closed) {
            keeper = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "leases of the test");
                thread.setDaemon(true);
                return thread;
            });
            var unused = keeper.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        for (ServerLease lease : held.values()) {
            try {
                if (lease.ranOut()) {
                    server.end(lease.id());
                    forget(lease);
                } else if (lease.isDue(KEEP_ALIVE) && !server.keepAlive(lease.id()) && held.containsKey(lease.id())) {
                    LOG.warn(
                            "lease {} ended in the server before the test's time: this machine stood still",
                            lease.id());
                    forget(lease);
                }
            } catch (RuntimeException | AssertionError away) {
                LOG.debug("the server does not answer for lease {}; asking again", lease.id(), away);
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (keeper != null) {
            keeper.shutdownNow();
        }
    }

    /** One lease: its holder's calls go to the server, its length is that of the test's time. */
    private static final class ServerLease implements Lease {
        private final ServerLeases all;
        private final Lease lease;
        private final long length;
        private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

        /** Guarded by this, as the next two; by the test's ticker. */
        private long renewedAt;

        /** Once it ran out nothing brings it back. */
        private boolean over;

        /** By the system's ticker. */
        private long keptAliveAt = System.nanoTime();

        ServerLease(ServerLeases all, Lease lease, Duration length, long grantedAt) {
            this.all = all;
            this.lease = lease;
            this.length = length.toNanos();
            this.renewedAt = grantedAt;
        }

        CompletableFuture<Boolean> ended() {
            return ended;
        }

        synchronized boolean ranOut() {
            over |= all.now() - renewedAt >= length;
            return over;
        }

        synchronized Duration remaining() {
            return ranOut() ? Duration.ZERO : Duration.ofNanos(length - (all.now() - renewedAt));
        }

        synchronized boolean isDue(Duration every) {
            boolean due = System.nanoTime() - keptAliveAt >= every.toNanos();
            if (due) {
                keptAliveAt = System.nanoTime();
            }
            return due;
        }

        private synchronized boolean renewed(long at) {
            if (!ranOut()) {
                renewedAt = at;
            }
            return !over;
        }

        @Override
        public long id() {
            return lease.id();
        }

        @Override
        public CompletionStage<Boolean> renew() {
            long before = all.now();
            return ranOut()
                    ? ended.thenCompose(done -> lease.renew())
                    : lease.renew().thenApply(lives -> lives && renewed(before));
        }

        @Override
        public CompletionStage<Void> revoke() {
            return lease.revoke().thenRun(() -> all.forget(this));
        }
    }
}
