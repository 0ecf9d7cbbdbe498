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
package org.apache.eventmesh.state.tck.kit;

import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.eventmesh.state.SharedBackend;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.core.local.SharedEngines;
import org.apache.eventmesh.state.core.set.StoreSets;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.tck.fault.FaultEngine;

/**
 * Opens as users do, with the faults of one instance between its stores and the engines that all share.
 *
 * @param below what stands between the faults and an engine that has leases
 */
record Opening(
        String name, EngineProvider provider, StoreSettings settings, Events events, UnaryOperator<Engine> below) {

    /** Over the one backend of the settings. */
    Instance alone() {
        FaultEngine faults =
                new FaultEngine(below.apply(engine(provider, settings.uri(), settings.options(), settings)));
        return new Instance(name, StoreSets.open(settings, faults, provider.capabilities()), events, faults, faults);
    }

    /** Over the two backends of the settings. */
    Instance over(EngineProvider shared, Set<Capability> capabilities) {
        SharedBackend second = settings.shared().orElseThrow();
        Engine first = engine(provider, settings.uri(), settings.options(), settings);
        FaultEngine local = new FaultEngine(first);
        FaultEngine others =
                new FaultEngine(below.apply(engine(shared, second.uri(), second.options(), settings)), local);
        return new Instance(name, StoreSets.open(settings, local, others, capabilities), events, local, others);
    }

    static Engine engine(EngineProvider provider, String uri, Map<String, String> options, StoreSettings settings) {
        EngineConfig config = new EngineConfig(
                uri, options, settings.deadline(), settings.clock(), settings.ticker(), EngineListener.NONE);
        return SharedEngines.open(provider, config, StoreSets.RANGES);
    }
}
