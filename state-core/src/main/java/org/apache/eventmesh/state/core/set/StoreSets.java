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

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.SharedBackend;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.local.EngineProviders;
import org.apache.eventmesh.state.core.local.LocalRanges;
import org.apache.eventmesh.state.core.local.SharedEngines;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.engine.KeyRange;

/** Opens store sets: over the engine of an address, or over one that is open already. */
public final class StoreSets {
    /** What an engine of one process must know of the key space; see {@link LocalRanges}. */
    public static final LocalRanges RANGES = new LocalRanges(
            tables(Arrays.stream(Table.values()).filter(Table::leased).toList()),
            tables(List.of(Table.HOLDER, Table.SUBSCRIPTION, Table.AGENT, Table.AGENT_LEASE, Table.REPLAY_QUEUED)));

    private StoreSets() {}

    /** As {@link StateStores#open(StoreSettings)}. */
    public static StateStores open(StoreSettings settings) {
        EngineProvider provider = EngineProviders.of(settings.uri());
        return settings.shared().isEmpty()
                ? open(settings, provider)
                : open(
                        settings,
                        provider,
                        EngineProviders.of(settings.shared().get().uri()));
    }

    static StateStores open(StoreSettings settings, EngineProvider provider) {
        // before anything is opened: what is refused leaves no trace
        refuseInProduction(settings, settings.uri(), provider.capabilities());
        mustWork(settings);
        return BoundedOpening.within(
                settings, () -> over(settings, engine(DataSet.whole(settings), provider, settings.options())));
    }

    static StateStores open(StoreSettings settings, EngineProvider local, EngineProvider shared) {
        refuseInProduction(settings, settings.uri(), local.capabilities());
        SharedBackend second = settings.shared().orElseThrow();
        refuseInProduction(settings, second.uri(), shared.capabilities());
        mustWork(settings);
        return BoundedOpening.within(settings, () -> overTwo(settings, local, shared, second.options()));
    }

    private static StateStores overTwo(
            StoreSettings settings, EngineProvider local, EngineProvider shared, Map<String, String> sharedOptions) {
        mustBeTwo(
                local,
                config(DataSet.local(settings), settings.options()),
                shared,
                config(DataSet.shared(settings), sharedOptions));
        Engine first = engine(DataSet.local(settings), local, settings.options());
        try {
            return over(settings, first, engine(DataSet.shared(settings), shared, sharedOptions));
        } catch (RuntimeException | Error e) {
            // twice is fine
            first.close();
            throw e;
        }
    }

    private static Engine engine(DataSet place, EngineProvider provider, Map<String, String> options) {
        return SharedEngines.open(new CheckedProvider(provider, place), config(place, options), RANGES);
    }

    private static EngineConfig config(DataSet place, Map<String, String> options) {
        StoreSettings settings = place.settings();
        return new EngineConfig(
                place.uri(), options, settings.deadline(), settings.clock(), settings.ticker(), EngineListener.NONE);
    }

    /** One place has many names, and would get the mark of the one side before the other side is refused. */
    private static void mustBeTwo(
            EngineProvider local, EngineConfig first, EngineProvider shared, EngineConfig second) {
        Optional<String> place = local.sharedUnder(first);
        if (place.isPresent() && local.scheme().equals(shared.scheme()) && place.equals(shared.sharedUnder(second))) {
            throw new IllegalArgumentException("Opening " + first.uri() + " with " + second.uri()
                    + ": both are the same place, " + place.get() + "; give two places, or one backend alone");
        }
    }

    /** What opening needs of the caller's code, while nothing is open and nothing is written. */
    private static void mustWork(StoreSettings settings) {
        try {
            Objects.requireNonNull(settings.clock().instant(), "it gave null");
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "Opening " + settings.places() + ": the clock of the settings failed: " + e
                            + "; give one that works, or leave it out",
                    e);
        }
        try {
            long unused = settings.ticker().getAsLong();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "Opening " + settings.places() + ": the ticker of the settings failed: " + e
                            + "; give one that works, or leave it out",
                    e);
        }
    }

    /**
     * Opens over an engine that is open, has leases and watches, and is the set's from now on: it is closed with the set,
     * also when opening fails.
     *
     * @param capabilities as the engine's provider declares them
     */
    public static StateStores open(StoreSettings settings, Engine engine, Set<Capability> capabilities) {
        try {
            refuseInProduction(settings, settings.uri(), capabilities);
            mustWork(settings);
        } catch (IllegalArgumentException e) {
            engine.close();
            throw e;
        }
        return BoundedOpening.within(settings, () -> over(settings, engine));
    }

    /**
     * As {@link #open(StoreSettings, Engine, Set)}, over two engines.
     *
     * @param settings name the shared backend too
     * @param capabilities what the providers of both declare
     */
    public static StateStores open(StoreSettings settings, Engine local, Engine shared, Set<Capability> capabilities) {
        try {
            refuseInProduction(settings, settings.places(), capabilities);
            mustWork(settings);
        } catch (IllegalArgumentException e) {
            close(local, shared);
            throw e;
        }
        return BoundedOpening.within(settings, () -> over(settings, local, shared));
    }

    private static StateStores over(StoreSettings settings, Engine engine) {
        try {
            DataSet.whole(settings).begin(engine);
            return new OpenStoreSet(engine, engine, settings);
        } catch (RuntimeException | Error e) {
            engine.close();
            throw e;
        }
    }

    private static StateStores over(StoreSettings settings, Engine local, Engine shared) {
        try {
            DataSet first = DataSet.local(settings);
            DataSet second = DataSet.shared(settings);
            // both before the first is written: a mark says for ever what a place is
            first.check(local);
            second.check(shared);
            // the shared one first: it is the one that may be cut off
            second.begin(shared);
            first.begin(local);
            return new OpenStoreSet(local, shared, settings);
        } catch (RuntimeException | Error e) {
            close(local, shared);
            throw e;
        }
    }

    private static void close(Engine local, Engine shared) {
        try {
            local.close();
        } finally {
            shared.close();
        }
    }

    private static void refuseInProduction(StoreSettings settings, String place, Set<Capability> capabilities) {
        if (settings.production() && !capabilities.contains(Capability.DURABLE)) {
            throw new IllegalArgumentException("Opening " + place
                    + " in production: this backend is not durable, all state would be gone with the process. Choose a"
                    + " durable one such as rocksdb:, or allow it with StoreSettings.builder(uri).development()");
        }
    }

    private static List<KeyRange> tables(List<Table> tables) {
        return tables.stream().map(table -> KeyWriter.of(table).under()).toList();
    }
}
