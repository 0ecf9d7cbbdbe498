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

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;

/** Maps that outlive their engine: {@code named-map:orders}, for tests that open the same data again. */
public class NamedMaps implements EngineProvider {
    private static final Map<String, MapEngine> MAPS = new ConcurrentHashMap<>();

    /** What is under a name. */
    static MapEngine map(String uri) {
        return MAPS.computeIfAbsent(uri, name -> new MapEngine());
    }

    @Override
    public String scheme() {
        return "named-map";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.DURABLE);
    }

    @Override
    public Optional<String> sharedUnder(EngineConfig config) {
        return Optional.of(config.uri());
    }

    @Override
    public Engine open(EngineConfig config) {
        return map(config.uri());
    }
}
