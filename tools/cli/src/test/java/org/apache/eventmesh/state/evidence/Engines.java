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
package org.apache.eventmesh.state.evidence;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.EngineProvider;

/** The providers of this repository, by the module that they come from. */
final class Engines {
    private final Map<String, EngineProvider> byModule = new TreeMap<>();

    Engines() {
        ServiceLoader.load(EngineProvider.class).forEach(provider -> byModule.put(module(provider), provider));
    }

    /** Of a module that is an engine. */
    Optional<EngineProvider> provider(String module) {
        return Optional.ofNullable(byModule.get(module));
    }

    /** What every engine has that a place names in its words; of a place that names none, what the module's has. */
    Optional<Set<Capability>> capabilities(String place, String module) {
        List<EngineProvider> named = byModule.values().stream()
                .filter(provider -> List.of(place.split("\\W+", -1)).contains(provider.scheme()))
                .toList();
        List<EngineProvider> of = named.isEmpty() ? provider(module).stream().toList() : named;
        return of.stream()
                .map(provider -> Set.copyOf(provider.capabilities()))
                .reduce((one, other) -> one.stream().filter(other::contains).collect(Collectors.toUnmodifiableSet()));
    }

    /** Both {@code state-x/target/classes} and {@code state-x/target/….jar} are of the module {@code state-x}. */
    private static String module(EngineProvider provider) {
        try {
            Path classes = Path.of(provider.getClass()
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            Path target = classes.getParent();
            if (!target.endsWith("target")) {
                throw new IllegalStateException(provider + " comes from " + classes + ", not from this build");
            }
            return target.getParent().getFileName().toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
