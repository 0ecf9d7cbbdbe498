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

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.StoreSettings;

/**
 * Where stages complete and listeners are called. When the settings name no executor: stages on a few threads of the store
 * set's own, and each listener that is being called on one more, so that no listener can be in the way of a stage or of
 * another listener.
 */
final class CallbackThreads implements AutoCloseable {
    private static final int LEAST = 2;

    private final Executor stages;
    private final Executor listeners;
    private final Runnable end;

    private CallbackThreads(Executor stages, Executor listeners, Runnable end) {
        this.stages = stages;
        this.listeners = listeners;
        this.end = end;
    }

    static CallbackThreads of(StoreSettings settings) {
        return settings.callbacks()
                .map(callers -> new CallbackThreads(callers, callers, () -> {}))
                .orElseGet(CallbackThreads::own);
    }

    private static CallbackThreads own() {
        int count = Math.max(LEAST, Runtime.getRuntime().availableProcessors());
        ThreadPoolExecutor stages = pool(count, count, new LinkedBlockingQueue<>(), "state-callback-");
        // as many as there are listeners to be called at a time: each of them is called by one task only
        ThreadPoolExecutor listeners = pool(0, Integer.MAX_VALUE, new SynchronousQueue<>(), "state-listener-");
        // what was handed in still runs: those are answers that somebody waits for
        return new CallbackThreads(stages, listeners, () -> {
            stages.shutdown();
            listeners.shutdown();
        });
    }

    private static ThreadPoolExecutor pool(int least, int most, BlockingQueue<Runnable> queue, String name) {
        AtomicInteger made = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(least, most, 10, TimeUnit.SECONDS, queue, task -> {
            Thread thread = new Thread(task, name + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
        // whoever calls a closed set is still told so on no thread of his own
        threads.setRejectedExecutionHandler(
                (task, ended) -> ForkJoinPool.commonPool().execute(task));
        return threads;
    }

    Executor stages() {
        return stages;
    }

    Executor listeners() {
        return listeners;
    }

    @Override
    public void close() {
        end.run();
    }
}
