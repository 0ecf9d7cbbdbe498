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
package org.apache.eventmesh.state.tck.fault;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;

/** Any provider, each of whose engines can be made to fail. */
public final class FaultProvider implements EngineProvider {
    private final EngineProvider provider;
    private final List<FaultEngine> engines = new CopyOnWriteArrayList<>();

    public FaultProvider(EngineProvider provider) {
        this.provider = provider;
    }

    /** All that were opened, in that order. */
    public List<FaultEngine> engines() {
        return List.copyOf(engines);
    }

    @Override
    public String scheme() {
        return provider.scheme();
    }

    @Override
    public Set<Capability> capabilities() {
        return provider.capabilities();
    }

    @Override
    public Optional<String> sharedUnder(EngineConfig config) {
        return provider.sharedUnder(config);
    }

    @Override
    public Engine open(EngineConfig config) {
        FaultEngine engine = new FaultEngine(provider.open(config), config.listener());
        engines.add(engine);
        return engine;
    }
}
