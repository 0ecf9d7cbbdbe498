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
package org.apache.eventmesh.state.core.set;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Report;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.observe.Health;
import org.apache.eventmesh.state.observe.StoreName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells how the backend is: when asked, and once at each change to the log and to the store listener. */
final class HealthReport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthReport.class);
    private static final Duration STEP = Duration.ofMillis(50);

    /** What the local backend of a set of two holds. */
    private static final Set<StoreName> LOCAL = EnumSet.of(StoreName.OFFSETS, StoreName.DELIVERIES);

    private final List<Watched> watched;
    private final Callbacks callbacks;
    private final Runnable back;
    private final Map<StoreName, Supplier<Duration>> viewAges;
    private final Thread thread;
    private volatile boolean closed;

    /** A backend and the stores whose data it holds; what was seen last is for the watching thread. */
    private static final class Watched {
        private final Engine engine;
        private final Set<StoreName> stores;
        private boolean up = true;

        Watched(Engine engine, Set<StoreName> stores) {
            this.engine = engine;
            this.stores = stores;
        }
    }

    /**
     * Starts to look, in real time: what the backend does keeps no injected clock.
     *
     * @param back runs when a backend that was away is there again
     * @param viewAges of the stores that have a view
     */
    HealthReport(
            Engine local,
            Engine shared,
            Callbacks callbacks,
            Runnable back,
            Map<StoreName, Supplier<Duration>> viewAges) {
        Set<StoreName> all = EnumSet.allOf(StoreName.class);
        this.watched = local == shared
                ? List.of(new Watched(local, all))
                : List.of(new Watched(local, LOCAL), new Watched(shared, EnumSet.complementOf(EnumSet.copyOf(LOCAL))));
        this.callbacks = callbacks;
        this.back = back;
        this.viewAges = Map.copyOf(viewAges);
        this.thread = new Thread(this::watch, "state-health");
        thread.setDaemon(true);
        thread.start();
    }

    Map<StoreName, Health> now() {
        Map<StoreName, Health> all = new EnumMap<>(StoreName.class);
        for (Watched each : watched) {
            EngineHealth health = each.engine.health();
            each.stores.forEach(store -> all.put(store, of(store, health)));
        }
        return Map.copyOf(all);
    }

    private Health of(StoreName store, EngineHealth health) {
        Duration age = viewAges.getOrDefault(store, () -> Duration.ZERO).get();
        return new Health(health.up(), health.backend(), age, health.advice());
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        while (!closed) {
            for (Watched each : watched) {
                try {
                    look(each);
                } catch (Throwable e) {
                    // an Error too: this thread is the only one that sees a backend come back
                    Report.error(LOG, "a look at a backend failed; the next one follows", e);
                }
            }
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    private void look(Watched each) {
        EngineHealth health = each.engine.health();
        if (health.up() == each.up || closed) {
            return;
        }
        each.up = health.up();
        try {
            tell(each, health);
        } finally {
            if (each.up) {
                back.run();
            }
        }
    }

    private void tell(Watched each, EngineHealth health) {
        if (each.up) {
            LOG.info("{} is back", health.backend());
        } else {
            LOG.warn("{} is away: {}", health.backend(), health.advice());
        }
        for (StoreName store : each.stores) {
            Health now = of(store, health);
            callbacks.tell(listener -> listener.healthChanged(store, now));
        }
    }
}
