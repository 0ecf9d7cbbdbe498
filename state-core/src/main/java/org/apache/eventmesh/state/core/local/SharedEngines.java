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

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.failure.StoreUnavailableException;

/**
 * The engines that are open in this process. Opening a place that is open already gives another handle on the same
 * engine; closing the last handle closes it. Safe for any number of threads.
 */
public final class SharedEngines {
    private static final Object LOCK = new Object();
    private static final Map<Place, SharedPlace> OPEN = new HashMap<>();

    /** What must be the same to be the same place. */
    private record Place(String scheme, String name) {}

    private SharedEngines() {}

    /** As {@link #open(EngineProvider, EngineConfig, LocalRanges)}, with the one provider of the address. */
    public static Engine open(EngineConfig config, LocalRanges ranges) {
        return open(EngineProviders.of(config.uri()), config, ranges);
    }

    /**
     * Opens an engine with leases and watches, whatever the backend has itself. Blocks: for the opening, and while
     * another thread opens or closes the same place.
     *
     * <p>Who finds the place open shares it as it was opened: its ticker, deadline and ranges are those of the first
     * handle. Each handle's listener hears of what the engine notices.
     *
     * @return a handle; after its own close, it answers every call with {@code StoreClosedException}, also while others
     *     keep the place open
     * @throws IllegalArgumentException when the address is malformed, or the place is open with other options
     * @throws org.apache.eventmesh.state.failure.StateStoreException when the backend cannot be opened
     */
    public static Engine open(EngineProvider provider, EngineConfig config, LocalRanges ranges) {
        Optional<String> name = provider.sharedUnder(config);
        boolean local = !provider.capabilities().contains(Capability.MULTI_PROCESS);
        if (name.isEmpty()) {
            if (local) {
                throw new IllegalStateException(
                        provider.getClass().getName() + " declares no MULTI_PROCESS, so it must name what it shares");
            }
            return provider.open(config);
        }
        Place place = new Place(provider.scheme(), name.get());
        SharedPlace mine = new SharedPlace(config);
        synchronized (LOCK) {
            SharedPlace open = openOrMine(place, mine, config);
            if (open != mine) {
                return open.handle(config, () -> release(place, open));
            }
        }
        Engine engine;
        try {
            EngineConfig shared = mine.sharedConfig();
            Engine opened = provider.open(shared);
            engine = local ? SingleProcessEngine.open(opened, shared, ranges) : opened;
        } catch (RuntimeException | Error e) {
            forget(place);
            throw e;
        }
        synchronized (LOCK) {
            mine.opened(engine);
            LOCK.notifyAll();
            return mine.handle(config, () -> release(place, mine));
        }
    }

    /** Waits while another thread opens or closes the place; then it is open, or mine to open. */
    private static SharedPlace openOrMine(Place place, SharedPlace mine, EngineConfig config) {
        long end = System.nanoTime() + config.deadline().toNanos();
        while (true) {
            SharedPlace present = OPEN.putIfAbsent(place, mine);
            if (present == null) {
                return mine;
            }
            if (present.isOpen()) {
                return present;
            }
            try {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw unavailable(config, "was not finished within " + config.deadline());
                }
                // rounded up: a wait of zero would last for ever
                LOCK.wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw unavailable(config, "was waited for, and the wait was interrupted");
            }
        }
    }

    private static void release(Place place, SharedPlace leaving) {
        Optional<Engine> last;
        synchronized (LOCK) {
            last = leaving.leave();
        }
        last.ifPresent(engine -> {
            try {
                engine.close();
            } finally {
                forget(place);
            }
        });
    }

    private static void forget(Place place) {
        synchronized (LOCK) {
            OPEN.remove(place);
            LOCK.notifyAll();
        }
    }

    private static StoreUnavailableException unavailable(EngineConfig config, String how) {
        return new StoreUnavailableException(
                "opening %s: its opening or closing by another thread %s; open it again".formatted(config.uri(), how));
    }
}
