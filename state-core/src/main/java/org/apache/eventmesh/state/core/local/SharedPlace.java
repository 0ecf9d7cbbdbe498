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

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.jspecify.annotations.Nullable;

/** One open engine and its handles; all but the listener is guarded by the lock of {@link SharedEngines}. */
final class SharedPlace implements EngineListener {
    private final EngineConfig config;
    private final List<EngineListener> listeners = new CopyOnWriteArrayList<>();

    /** Null while it is being opened or closed. */
    private @Nullable Engine engine;

    private int handles;

    SharedPlace(EngineConfig first) {
        this.config = first;
        // hears of the opening as well, before there is a handle
        listeners.add(first.listener());
    }

    /** What the engine is opened with: its listener speaks to all handles. */
    EngineConfig sharedConfig() {
        return new EngineConfig(
                config.uri(), config.options(), config.deadline(), config.clock(), config.ticker(), this);
    }

    void opened(Engine open) {
        engine = open;
        listeners.clear();
    }

    boolean isOpen() {
        return engine != null;
    }

    Engine handle(EngineConfig asked, Runnable release) {
        if (!asked.options().equals(config.options())) {
            throw new IllegalArgumentException(
                    "%s is open in this process with other options; open it with the same. Different: %s"
                            .formatted(asked.uri(), different(asked.options(), config.options())));
        }
        Engine open = Objects.requireNonNull(engine);
        handles++;
        listeners.add(asked.listener());
        return new SharedEngine(open, asked.uri(), () -> {
            listeners.remove(asked.listener());
            release.run();
        });
    }

    /** The engine to close, when this was the last handle. */
    Optional<Engine> leave() {
        handles--;
        if (handles > 0) {
            return Optional.empty();
        }
        Optional<Engine> last = Optional.ofNullable(engine);
        engine = null;
        return last;
    }

    /** Names only: a value may be a secret. */
    private static List<String> different(Map<String, String> asked, Map<String, String> open) {
        return Stream.concat(asked.keySet().stream(), open.keySet().stream())
                .distinct()
                .filter(name -> !Objects.equals(asked.get(name), open.get(name)))
                .sorted()
                .toList();
    }

    @Override
    public void healthChanged(EngineHealth now) {
        listeners.forEach(listener -> listener.healthChanged(now));
    }

    @Override
    public void unknown(String what) {
        listeners.forEach(listener -> listener.unknown(what));
    }
}
