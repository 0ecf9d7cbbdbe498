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
package org.apache.eventmesh.state.etcd.jetcd;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import org.apache.eventmesh.state.etcd.client.Endpoint;

/** One server: its channel, and what is known of how it answers. */
final class Member {
    private final Endpoint endpoint;
    private final Connector connector;
    private volatile ManagedChannel channel;
    private volatile boolean closed;

    /** Guarded by this, as all below. */
    private int unanswered;
    /** When the oldest call without an answer was sent, or the last answer came, whichever is later. */
    private long quietSince;

    private long avoidedUntil = Long.MIN_VALUE;
    private int rebuilt;

    Member(Endpoint endpoint, Connector connector) {
        this.endpoint = endpoint;
        this.connector = connector;
        this.channel = connector.connect(endpoint);
    }

    Endpoint endpoint() {
        return endpoint;
    }

    CallDeadlines deadlines() {
        return connector.deadlines();
    }

    ManagedChannel channel() {
        return channel;
    }

    synchronized void asked() {
        if (unanswered++ == 0) {
            quietSince = System.nanoTime();
        }
    }

    /**
     * A call is over.
     *
     * @param heard whether the server said something
     */
    synchronized void over(boolean heard) {
        unanswered--;
        if (heard) {
            quietSince = System.nanoTime();
        }
    }

    /** For how long calls have waited without any answer; 0 while none waits. */
    synchronized long quietNanos() {
        return unanswered == 0 ? 0 : System.nanoTime() - quietSince;
    }

    synchronized void avoid(long nanos) {
        avoidedUntil = System.nanoTime() + nanos;
    }

    synchronized void trust() {
        avoidedUntil = Long.MIN_VALUE;
    }

    /** For how long others are preferred; 0 or less: not at all. */
    synchronized long avoidedNanos() {
        return avoidedUntil == Long.MIN_VALUE ? 0 : avoidedUntil - System.nanoTime();
    }

    /** After a failed connection gRPC waits for up to two minutes; a server that is back is found sooner. */
    void connectSoon() {
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
    }

    /** Gives the connection up with all calls and streams on it, and makes another. */
    void rebuild() {
        ManagedChannel old;
        synchronized (this) {
            if (closed) {
                return;
            }
            old = channel;
            channel = connector.connect(endpoint);
            rebuilt++;
            quietSince = System.nanoTime();
        }
        old.shutdownNow();
    }

    /** How often its connection was given up; a call that failed meanwhile may have failed by that. */
    synchronized int rebuilt() {
        return rebuilt;
    }

    void close() {
        ManagedChannel last;
        synchronized (this) {
            closed = true;
            last = channel;
        }
        last.shutdownNow();
    }
}
