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
package org.apache.eventmesh.state.tck.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.apache.eventmesh.state.core.local.LocalRanges;
import org.apache.eventmesh.state.core.local.SharedEngines;
import org.apache.eventmesh.state.core.local.SingleProcessEngine;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.StoreKit;
import org.jspecify.annotations.Nullable;

/** The engines of one test, all on the one place of its fixture. */
public final class EngineKit implements AutoCloseable {
    private final StoreKit kit;
    private final UnaryOperator<Engine> decorated;
    private final List<Engine> opened = new CopyOnWriteArrayList<>();
    private @Nullable Engine plain;
    private @Nullable Engine complete;

    EngineKit(StoreKit kit, UnaryOperator<Engine> decorated) {
        this.kit = kit;
        this.decorated = decorated;
    }

    public StoreKit kit() {
        return kit;
    }

    /** Lets time pass for the engines; a server that keeps the time of leases itself has to be waited for. */
    public void passTime(Duration length) {
        kit.time().pass(length);
        if (kit.fixture().serverTime().isPresent()) {
            Eventually.passes(length);
        }
    }

    /** The engine as its provider opens it; the same until {@link #reopen}. */
    public synchronized Engine plain() {
        Engine open = plain;
        if (open == null) {
            open = kept(kit.fixture().provider().open(config()));
            plain = open;
        }
        return open;
    }

    /** The engine with leases and watches, its own or those of the core; closing it closes {@link #plain}. */
    public synchronized Engine complete() {
        Engine open = complete;
        if (open == null) {
            open = kit.has(Capability.MULTI_PROCESS)
                    ? plain()
                    : kept(SingleProcessEngine.open(plain(), config(), LocalRanges.ANYTHING));
            complete = open;
        }
        return open;
    }

    /** Closes what is open, then opens the place again. */
    public synchronized Engine reopen() {
        closeAll();
        return plain();
    }

    /** What a checkpoint was written to, as its provider opens it. */
    public Engine restored(Path checkpoint) {
        return kept(kit.fixture().provider().open(config(kit.fixture().restored(checkpoint))));
    }

    /** As a store set opens it: shared in this process where only one process can open the place. */
    public Engine shared() {
        return kept(SharedEngines.open(kit.fixture().provider(), config(), LocalRanges.ANYTHING));
    }

    public EngineConfig config() {
        return config(kit.fixture().uri());
    }

    private EngineConfig config(String uri) {
        return new EngineConfig(
                uri,
                kit.fixture().options(),
                Duration.ofSeconds(20),
                kit.time().clock(),
                kit.time().ticker(),
                EngineListener.NONE);
    }

    private Engine kept(Engine engine) {
        Engine seen = decorated.apply(engine);
        opened.add(seen);
        return seen;
    }

    private synchronized void closeAll() {
        // the last opened stands above the first
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        opened.clear();
        plain = null;
        complete = null;
    }

    @Override
    public void close() {
        closeAll();
    }
}
