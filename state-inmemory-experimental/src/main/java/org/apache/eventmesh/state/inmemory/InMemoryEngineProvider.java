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
package org.apache.eventmesh.state.inmemory;

import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;

/**
 * Opens {@code memory:} and {@code memory:name}. Openings of one name in one process share their data while at least one
 * of them is open; it has no options.
 */
@Experimental
public final class InMemoryEngineProvider implements EngineProvider {
    private static final String PREFIX = "memory:";

    @Override
    public String scheme() {
        return "memory";
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of();
    }

    @Override
    public Optional<String> sharedUnder(EngineConfig config) {
        return Optional.of(name(config));
    }

    @Override
    public Engine open(EngineConfig config) {
        name(config);
        if (!config.options().isEmpty()) {
            throw new IllegalArgumentException("unknown options %s for %s; this engine has none"
                    .formatted(config.options().keySet(), config.uri()));
        }
        return new InMemoryEngine(config.uri());
    }

    private static String name(EngineConfig config) {
        if (!config.uri().startsWith(PREFIX)) {
            throw new IllegalArgumentException(
                    "'" + config.uri() + "' is no address of this engine; write memory: or memory:name");
        }
        return config.uri().substring(PREFIX.length());
    }
}
