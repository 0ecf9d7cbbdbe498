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
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.commit.Callbacks;
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

    private final Engine engine;
    private final Callbacks callbacks;
    private final Map<StoreName, Supplier<Duration>> viewAges;
    private final Thread thread;
    private boolean up = true;
    private volatile boolean closed;

    /**
     * Starts to look, in real time: what the backend does keeps no injected clock.
     *
     * @param viewAges of the stores that have a view
     */
    HealthReport(Engine engine, Callbacks callbacks, Map<StoreName, Supplier<Duration>> viewAges) {
        this.engine = engine;
        this.callbacks = callbacks;
        this.viewAges = Map.copyOf(viewAges);
        this.thread = new Thread(this::watch, "state-health");
        thread.setDaemon(true);
        thread.start();
    }

    Map<StoreName, Health> now() {
        EngineHealth health = engine.health();
        Map<StoreName, Health> all = new EnumMap<>(StoreName.class);
        for (StoreName store : StoreName.values()) {
            all.put(store, of(store, health));
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
            look();
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    private void look() {
        EngineHealth health = engine.health();
        if (health.up() == up || closed) {
            return;
        }
        up = health.up();
        if (up) {
            LOG.info("{} is back", health.backend());
        } else {
            LOG.warn("{} is away: {}", health.backend(), health.advice());
        }
        for (StoreName store : StoreName.values()) {
            Health now = of(store, health);
            callbacks.tell(listener -> listener.healthChanged(store, now));
        }
    }
}
