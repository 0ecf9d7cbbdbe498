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
package org.apache.eventmesh.state.core.engine;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.observe.StoreListener;

/** A backend over an engine, with a ticker that the test turns and callback threads that it can recognise. */
public final class TestBackend implements AutoCloseable {
    public static final Duration DEADLINE = Duration.ofSeconds(10);
    public static final String CALLBACK_THREAD = "test-callback";

    private final AtomicLong ticker = new AtomicLong();
    private final ExecutorService callbackThreads = Executors.newFixedThreadPool(2, task -> {
        Thread thread = new Thread(task, CALLBACK_THREAD);
        thread.setDaemon(true);
        return thread;
    });
    private final Deadlines deadlines = new Deadlines(ticker::get, DEADLINE);
    private final Backend backend;

    public TestBackend(Engine engine, StoreListener listener, int maxOutstanding) {
        backend = new Backend(engine, deadlines, new Callbacks(callbackThreads, listener), maxOutstanding);
    }

    public TestBackend(Engine engine, StoreListener listener) {
        this(engine, listener, 1_000);
    }

    public TestBackend(Engine engine) {
        this(engine, StoreListener.NONE);
    }

    public Backend get() {
        return backend;
    }

    public ExecutorService callbackThreads() {
        return callbackThreads;
    }

    public void pass(Duration time) {
        ticker.addAndGet(time.toNanos());
    }

    @Override
    public void close() {
        backend.close(Duration.ofSeconds(10));
        deadlines.close();
        callbackThreads.shutdown();
    }
}
