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
package org.apache.eventmesh.state.etcd;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether etcd answers, and whether what it answers may be believed. One failure while a leader is elected or a member
 * restarts is no outage: it is away when nothing has succeeded for a while.
 */
final class Availability {
    private static final Logger LOG = LoggerFactory.getLogger(Availability.class);

    /** Failing for longer is being away. */
    private static final long AWAY_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** For how long after the first failure calls are tried again: as long as it takes to elect a leader. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final String backend;
    private final EngineListener listener;
    private final History history;

    /** Told once, when the engine stops for good. */
    private volatile Consumer<StateStoreException> end = why -> {};

    private volatile EngineHealth health;
    private volatile boolean closed;
    /** Why the engine has stopped for good; empty while it has not. */
    private volatile String stopped = "";
    /** Whether anything failed since the last success. */
    private volatile boolean failing;

    private volatile boolean full;
    private volatile long answered = System.nanoTime();

    /** Guarded by this. */
    private long failingSince;

    Availability(String backend, EngineListener listener, History history) {
        this.backend = backend;
        this.listener = listener;
        this.history = history;
        this.health = new EngineHealth(true, backend, "");
    }

    String backend() {
        return backend;
    }

    EngineHealth health() {
        return health;
    }

    /** What an answer to a question that is sent now must not be below. */
    long asking() {
        return history.highest();
    }

    /**
     * An answer came.
     *
     * @param asked what {@link #asking()} was before the question was sent; 0 when the answer may be stale
     * @throws StateStoreException when it shows that history was moved back
     */
    void answered(Header header, long asked) {
        String wrong = history.check(header, asked);
        if (wrong != null) {
            throw stop(wrong);
        }
        answered = System.nanoTime();
        if (failing) {
            succeeded();
        }
    }

    /** @param end what else ends when the engine stops for good; called without any lock of this */
    void whenStopped(Consumer<StateStoreException> end) {
        this.end = end;
    }

    /** The engine stops for good: it sends and tells nothing more. */
    StateStoreException stop(String why) {
        boolean first;
        synchronized (this) {
            first = stopped.isEmpty();
            if (first) {
                stopped = why;
                LOG.error("{} has stopped: {}", backend, stoppedBecause());
                tell(new EngineHealth(false, backend, stoppedBecause()));
            }
        }
        StateStoreException told = new CorruptStateException(backend + " has stopped: " + stoppedBecause());
        if (first) {
            end.accept(told);
        }
        return told;
    }

    /** Whether {@link #stop} was called. */
    boolean hasStopped() {
        return !stopped.isEmpty();
    }

    /** Whether what says this is the cluster that was opened. */
    boolean isOurs(Header header) {
        return history.isOurs(header);
    }

    /** The engine stops since the cluster is another. */
    void isAnother(Header header) {
        String wrong = history.check(header, 0);
        if (wrong != null) {
            stop(wrong);
        }
    }

    private String stoppedBecause() {
        return "the history of etcd was moved back or replaced: " + stopped + ". A snapshot that is restored in place"
                + " brings back what was changed since; close all runtimes, restore as the guide says, and open again";
    }

    /** A call failed. */
    void failed(EtcdCallException failure) {
        if (failure.failure() == Failure.NO_SPACE) {
            full(failure);
        } else if (isOutage(failure.failure())) {
            synchronized (this) {
                long now = System.nanoTime();
                if (!failing) {
                    failing = true;
                    failingSince = now;
                }
                if (now - failingSince > AWAY_NANOS && health.up() && stopped.isEmpty() && !closed) {
                    LOG.warn("{} is away: {}; {}", backend, failure.what(), Explained.advice(failure));
                    tell(new EngineHealth(false, backend, failure.what() + ": " + Explained.advice(failure)));
                }
            }
        }
    }

    /** Whether a call that certainly was not done may be tried again by itself. */
    synchronized boolean patient() {
        return !closed && stopped.isEmpty() && (!failing || System.nanoTime() - failingSince < PATIENCE_NANOS);
    }

    /** Whether it fails, or is full, and somebody should look whether that is over. */
    boolean suspect() {
        return failing || full;
    }

    /** For how long nothing was heard. */
    long quietNanos() {
        return System.nanoTime() - answered;
    }

    /** Whether its quota was used up when it was last asked to write. */
    boolean isFull() {
        return full;
    }

    private synchronized void full(EtcdCallException failure) {
        if (!full && stopped.isEmpty() && !closed) {
            full = true;
            LOG.warn("{} is full: {}", backend, Explained.advice(failure));
            if (health.up()) {
                tell(new EngineHealth(false, backend, Explained.advice(failure)));
            }
        }
    }

    /** It takes writes again. */
    synchronized void hasSpace() {
        if (full) {
            full = false;
            if (!failing) {
                back();
            }
        }
    }

    private synchronized void succeeded() {
        if (failing) {
            failing = false;
            if (!full) {
                back();
            }
        }
    }

    private void back() {
        if (!health.up() && stopped.isEmpty() && !closed) {
            LOG.info("{} is back", backend);
            tell(new EngineHealth(true, backend, ""));
        }
    }

    private void tell(EngineHealth now) {
        health = now;
        try {
            listener.healthChanged(now);
        } catch (RuntimeException | Error e) {
            LOG.warn("The listener of {} failed", backend, e);
        }
    }

    /** The fate of a write is not known yet. */
    void unknown(String what) {
        try {
            listener.unknown(what);
        } catch (RuntimeException | Error e) {
            LOG.warn("The listener of {} failed", backend, e);
        }
    }

    private static boolean isOutage(Failure failure) {
        return switch (failure) {
            case NOT_SENT, LOST, PERMISSION, LOGIN, TLS -> true;
            default -> false;
        };
    }

    /**
     * What every call begins with.
     *
     * @throws StateStoreException when the engine is closed or has stopped
     */
    void mustBeOpen() {
        if (closed || hasStopped()) {
            throw refusal();
        }
    }

    /** What is told to whoever comes after the engine was closed, or has stopped. */
    StateStoreException refusal() {
        return hasStopped() && !closed ? stop(stopped) : closedNow();
    }

    StoreClosedException closedNow() {
        return new StoreClosedException(backend + " is closed; open it again");
    }

    boolean isClosed() {
        return closed;
    }

    synchronized void close() {
        closed = true;
        health = new EngineHealth(false, backend, "it is closed; open it again");
    }
}
