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
package org.apache.eventmesh.state.inmemory.mutant;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.inmemory.InMemoryEngineProvider;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.jspecify.annotations.Nullable;

/** The in-memory engine with a fault in it. */
final class MutantFixture implements StoreFixture {
    private final String uri = "memory:" + UUID.randomUUID();
    private final EngineProvider good = new InMemoryEngineProvider();
    private final UnaryOperator<Engine> fault;
    private final boolean durable;

    /** Guarded by this; what a disk would keep, from the first opening on. */
    private @Nullable Engine kept;

    MutantFixture(UnaryOperator<Engine> fault) {
        this(fault, false);
    }

    private MutantFixture(UnaryOperator<Engine> fault, boolean durable) {
        this.fault = fault;
        this.durable = durable;
    }

    /** As an engine with a disk: what was written is there while the fixture is, whether or not an instance is open. */
    static MutantFixture durable(UnaryOperator<Engine> fault) {
        return new MutantFixture(fault, true);
    }

    @Override
    public String uri() {
        return uri;
    }

    @Override
    public EngineProvider provider() {
        return new EngineProvider() {
            @Override
            public String scheme() {
                return good.scheme();
            }

            @Override
            public Set<Capability> capabilities() {
                return durable ? Set.of(Capability.DURABLE) : good.capabilities();
            }

            @Override
            public Optional<String> sharedUnder(EngineConfig config) {
                return good.sharedUnder(config);
            }

            @Override
            public Engine open(EngineConfig config) {
                return fault.apply(durable ? new LeftOpen(kept(config)) : good.open(config));
            }
        };
    }

    private synchronized Engine kept(EngineConfig config) {
        if (kept == null) {
            kept = good.open(config);
        }
        return kept;
    }

    @Override
    public synchronized void close() {
        if (kept != null) {
            kept.close();
        }
    }

    /** Its closing is the end of a process, and not of what is on its disk. */
    private static final class LeftOpen extends MutantEngine {
        LeftOpen(Engine good) {
            super(good);
        }

        @Override
        public void close() {
            // what is kept is closed with the fixture
        }
    }
}
