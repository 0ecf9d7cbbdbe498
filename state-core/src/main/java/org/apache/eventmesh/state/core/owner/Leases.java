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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The leases that a store set was granted and has not given back. */
public final class Leases {
    private static final Logger LOG = LoggerFactory.getLogger(Leases.class);

    /** Far beyond use; leaves room for arithmetic in nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(365);

    private final Backend backend;
    private final Set<KeptLease> kept = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Leases(Backend backend) {
        this.backend = backend;
    }

    /**
     * The length, if a lease can have it.
     *
     * @throws IllegalArgumentException when it cannot
     */
    public static Duration checked(Duration length) {
        if (length.isNegative() || length.isZero() || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "lease is " + length + "; it must be longer than zero and at most " + LONGEST);
        }
        return length;
    }

    /**
     * Asks the engine for one.
     *
     * @param steps what it is for; when nothing comes of that, it is given back
     * @return fails with {@code StoreClosedException} when the store set closes meanwhile
     */
    public CompletionStage<KeptLease> grant(Steps steps, Duration length) {
        // one that could not be given back has ended by itself
        kept.removeIf(KeptLease::longOver);
        long before = backend.deadlines().now();
        return backend.call(engine -> engine.lease(length)).thenApply(lease -> {
            KeptLease granted = new KeptLease(backend, lease, length, before);
            kept.add(granted);
            if (closed) {
                revoke(granted);
                throw new StoreClosedException("the store set was closed; nothing was applied, open it again");
            }
            steps.unlessApplied(() -> revoke(granted));
            return granted;
        });
    }

    /** How many were granted and not given back. */
    int kept() {
        return kept.size();
    }

    /** Ends it; idempotent. */
    public CompletionStage<Void> revoke(KeptLease lease) {
        return lease.revoke().thenRun(() -> kept.remove(lease));
    }

    /** It has ended by itself. */
    public void ended(KeptLease lease) {
        kept.remove(lease);
    }

    /** Gives all back, as far as the engine answers in time; the others end by themselves. None is granted any more. */
    public void close(Duration patience) {
        closed = true;
        if (!backend.engine().health().up()) {
            kept.clear();
            return;
        }
        CompletableFuture<?>[] revoked =
                kept.stream().map(lease -> lease.revoke().toCompletableFuture()).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(revoked).get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("not all leases could be given back at close; they end by themselves", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        kept.clear();
    }
}
