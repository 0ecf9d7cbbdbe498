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
package org.apache.eventmesh.state.core.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.core.local.LocalRanges;
import org.apache.eventmesh.state.core.local.SingleProcessEngine;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;

/** A map that several instances share, with leases and watches on a ticker that the test turns. */
public final class SharedMap implements AutoCloseable {
    private final AtomicLong ticker = new AtomicLong();
    private final AtomicLong millis = new AtomicLong(1_700_000_000_000L);
    private final MapEngine map;
    private final SingleProcessEngine engine;

    public SharedMap() {
        this(new MapEngine());
    }

    public SharedMap(MapEngine map) {
        this.map = map;
        this.engine = SingleProcessEngine.open(
                map,
                new EngineConfig("map:", Map.of(), Duration.ofSeconds(10), clock(), ticker::get, EngineListener.NONE),
                LocalRanges.ANYTHING);
    }

    /** What the instances share. */
    public Engine engine() {
        return engine;
    }

    /** What lies below it. */
    public MapEngine map() {
        return map;
    }

    public AtomicLong ticker() {
        return ticker;
    }

    public InstantSource clock() {
        return () -> Instant.ofEpochMilli(millis.get());
    }

    /** The clock alone jumps. */
    public void jump(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    /** By the ticker and by the clock. */
    public void pass(Duration time) {
        jump(time);
        ticker.addAndGet(time.toNanos());
    }

    @Override
    public void close() {
        engine.close();
    }
}
