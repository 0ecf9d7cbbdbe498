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

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.StoreSettings;

/** Where stages complete when the settings name no executor: a few threads of the store set's own. */
final class CallbackThreads implements AutoCloseable {
    private static final int LEAST = 2;

    private final Executor executor;
    private final AutoCloseable end;

    private CallbackThreads(Executor executor, AutoCloseable end) {
        this.executor = executor;
        this.end = end;
    }

    static CallbackThreads of(StoreSettings settings) {
        return settings.callbacks()
                .map(callers -> new CallbackThreads(callers, () -> {}))
                .orElseGet(CallbackThreads::own);
    }

    private static CallbackThreads own() {
        int count = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
        AtomicInteger made = new AtomicInteger();
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(count, count, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "state-callback-" + made.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        // whoever calls a closed set is still told so on no thread of his own
        threads.setRejectedExecutionHandler(
                (task, ended) -> ForkJoinPool.commonPool().execute(task));
        // what was handed in still runs: those are answers that somebody waits for
        return new CallbackThreads(threads, threads::shutdown);
    }

    Executor executor() {
        return executor;
    }

    @Override
    public void close() {
        try {
            end.close();
        } catch (Exception e) {
            throw new IllegalStateException("the callback threads did not end", e);
        }
    }
}
