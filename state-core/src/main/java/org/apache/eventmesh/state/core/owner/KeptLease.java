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
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.engine.Lease;

/**
 * A lease that this process was granted, with what is left of it by the local monotonic clock: counted from before each
 * request was sent, so it never outlives what the engine keeps.
 */
public final class KeptLease {
    private final Backend backend;
    private final Lease lease;
    private final Duration length;
    private volatile long sentAt;

    KeptLease(Backend backend, Lease lease, Duration length, long sentAt) {
        this.backend = backend;
        this.lease = lease;
        this.length = length;
        this.sentAt = sentAt;
    }

    public long id() {
        return lease.id();
    }

    public Duration length() {
        return length;
    }

    /** By the local clock. */
    public boolean live() {
        return remaining().compareTo(Duration.ZERO) > 0;
    }

    /** So long that no renewal that was sent while it lived has still to be answered. */
    boolean longOver() {
        return remaining().plus(length).isNegative();
    }

    Duration remaining() {
        return Duration.ofNanos(sentAt + length.toNanos() - backend.deadlines().now());
    }

    /** When so much of it is over, by the deadlines' clock. */
    long after(Duration part) {
        return sentAt + part.toNanos();
    }

    /** Starts it anew; {@code false} when it has ended. */
    public CompletionStage<Boolean> renew() {
        long before = backend.deadlines().now();
        return backend.call(engine -> lease.renew()).thenApply(lives -> {
            if (lives) {
                sentAt = before;
            }
            return lives;
        });
    }

    CompletionStage<Void> revoke() {
        return backend.call(engine -> lease.revoke());
    }
}
