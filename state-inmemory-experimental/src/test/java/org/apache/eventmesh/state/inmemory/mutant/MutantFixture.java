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

/** The in-memory engine with a fault in it. */
final class MutantFixture implements StoreFixture {
    private final String uri = "memory:" + UUID.randomUUID();
    private final EngineProvider good = new InMemoryEngineProvider();
    private final UnaryOperator<Engine> fault;

    MutantFixture(UnaryOperator<Engine> fault) {
        this.fault = fault;
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
                return good.capabilities();
            }

            @Override
            public Optional<String> sharedUnder(EngineConfig config) {
                return good.sharedUnder(config);
            }

            @Override
            public Engine open(EngineConfig config) {
                return fault.apply(good.open(config));
            }
        };
    }
}
