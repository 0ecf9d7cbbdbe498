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
package org.apache.eventmesh.state.core.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.local.LocalRanges;
import org.apache.eventmesh.state.core.local.SingleProcessEngine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.value.Bytes;

/** One engine, and any number of store sets over it that share a clock. */
public final class World implements AutoCloseable {
    /** The value of a record, of a format that is known, whose checksum does not match. */
    public static final Bytes DAMAGED = Bytes.utf8("\u0001no record");

    public final MapEngine map;
    public final SingleProcessEngine engine;
    private final AtomicLong ticker = new AtomicLong();
    private final List<Instance> instances = new ArrayList<>();
    private volatile Instant now = Instant.ofEpochMilli(1_000_000);

    public World() {
        this(new MapEngine());
    }

    public World(MapEngine map) {
        this.map = map;
        EngineConfig config =
                new EngineConfig("map:", Map.of(), Duration.ofSeconds(10), clock(), ticker::get, EngineListener.NONE);
        this.engine = SingleProcessEngine.open(map, config, LocalRanges.ANYTHING);
    }

    /** One more process of the mesh, joined under that name. */
    public Instance instance(String name) {
        return instance(name, 1_000);
    }

    /** One that holds no more open deliveries than that. */
    public Instance instance(String name, int openDeliveries) {
        Instance instance = new Instance(this, name, openDeliveries);
        instances.add(instance);
        return instance;
    }

    public InstantSource clock() {
        return () -> now;
    }

    public Instant now() {
        return now;
    }

    /** Wall clock and tickers go on. */
    public void pass(Duration time) {
        now = now.plus(time);
        ticker.addAndGet(time.toNanos());
        instances.forEach(instance -> instance.backend.pass(time));
    }

    @Override
    public void close() {
        instances.forEach(Instance::close);
        engine.close();
    }
}
