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
package org.apache.eventmesh.state.tck.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.StoreSettingsBuilder;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.apache.eventmesh.state.value.Durability;

/** Where a parent and its children open their store sets, one after the other, with the clocks of the machine. */
record Place(String uri, Durability level, Map<String, String> options) {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    static Place of(StoreFixture fixture, Durability level) {
        return new Place(fixture.uri(), level, fixture.options());
    }

    StateStores open() {
        StoreSettingsBuilder settings =
                StoreSettings.builder(uri).durability(level).deadline(DEADLINE);
        options.forEach(settings::option);
        return StateStores.open(settings.build());
    }

    /** For the command line of a child. */
    List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of(uri, level.name()));
        options.forEach((name, value) -> {
            arguments.add(name);
            arguments.add(value);
        });
        return arguments;
    }

    static Place parse(List<String> arguments) {
        Map<String, String> options = new TreeMap<>();
        for (int i = 2; i + 1 < arguments.size(); i += 2) {
            options.put(arguments.get(i), arguments.get(i + 1));
        }
        return new Place(arguments.get(0), Durability.valueOf(arguments.get(1)), options);
    }
}
