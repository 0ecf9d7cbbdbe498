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

import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;

/**
 * Looks at the format of a data set when its engine has just been opened: before the leases of an earlier process are ended
 * in it, which is a write. Nothing is written here: the set may yet be refused, for what its other backend holds.
 */
record CheckedProvider(EngineProvider provider, DataSet place) implements EngineProvider {
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
        Engine engine = provider.open(config);
        try {
            place.check(engine);
            return engine;
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }
}
