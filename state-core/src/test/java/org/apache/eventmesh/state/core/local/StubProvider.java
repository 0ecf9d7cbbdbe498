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
package org.apache.eventmesh.state.core.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;

/** Opens stubs, and refuses to have two open in one place. */
class StubProvider implements EngineProvider {
    final List<StubEngine> opened = new ArrayList<>();
    final List<EngineConfig> configs = new ArrayList<>();

    @Override
    public String scheme() {
        return "stub";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public Optional<String> sharedUnder(EngineConfig config) {
        return Optional.of(config.uri());
    }

    @Override
    public synchronized Engine open(EngineConfig config) {
        if (opened.stream().anyMatch(engine -> !engine.closed)) {
            throw new IllegalStateException("open already");
        }
        StubEngine engine = new StubEngine();
        opened.add(engine);
        configs.add(config);
        return engine;
    }
}
