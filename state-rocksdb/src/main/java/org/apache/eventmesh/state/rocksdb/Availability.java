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
package org.apache.eventmesh.state.rocksdb;

import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether there is a database to work with, and what callers are told when there is none. */
final class Availability {
    private static final Logger LOG = LoggerFactory.getLogger(Availability.class);

    private record State(@Nullable Database database, String advice, boolean closed) {}

    private final String backend;
    private final EngineListener listener;
    private volatile State state;

    Availability(String backend, EngineListener listener, Database database) {
        this.backend = backend;
        this.listener = listener;
        this.state = new State(database, "", false);
    }

    /** The database, or the failure that its absence means: certainly not applied. */
    Database database() {
        State now = state;
        if (now.database() == null) {
            throw refusal(now);
        }
        return now.database();
    }

    void mustBeThere() {
        State now = state;
        if (now.database() == null) {
            throw refusal(now);
        }
    }

    /** What a call is told that found its database closed under its hands. */
    StateStoreException refusal() {
        return refusal(state);
    }

    private StateStoreException refusal(State now) {
        if (now.closed()) {
            return new StoreClosedException(backend + " is closed; open it again");
        }
        String why = now.advice().isEmpty() ? "it is being opened again; try again" : now.advice();
        return new StoreUnavailableException(backend + " is not available: " + why);
    }

    boolean isCurrent(Database database) {
        return state.database() == database;
    }

    synchronized void away(String advice) {
        if (!state.closed()) {
            state = new State(null, advice, false);
        }
    }

    /** {@code false} when it was closed meanwhile: the database is the caller's to close. */
    synchronized boolean back(Database database) {
        if (state.closed()) {
            return false;
        }
        state = new State(database, "", false);
        return true;
    }

    /** For good. Gives the database that was there; the caller closes it. */
    synchronized @Nullable Database close() {
        Database last = state.database();
        state = new State(null, "it is closed; open it again", true);
        return last;
    }

    EngineHealth health() {
        State now = state;
        return new EngineHealth(now.database() != null, backend, now.advice());
    }

    void announce(EngineHealth now) {
        try {
            listener.healthChanged(now);
        } catch (RuntimeException | Error e) {
            LOG.warn("The listener of {} failed", backend, e);
        }
    }

    void announceUnknown(String what) {
        try {
            listener.unknown(what);
        } catch (RuntimeException | Error e) {
            LOG.warn("The listener of {} failed", backend, e);
        }
    }

    String backend() {
        return backend;
    }
}
