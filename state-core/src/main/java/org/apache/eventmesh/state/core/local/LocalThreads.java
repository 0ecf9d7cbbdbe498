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

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.core.commit.Report;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one engine: a clock, workers, and one for each listener that is being called. */
final class LocalThreads {
    private static final Logger LOG = LoggerFactory.getLogger(LocalThreads.class);

    /** Short beside any time to live, long beside what one look costs. */
    private static final long PERIOD_MILLIS = 50;

    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "eventmesh-state-clock"));

    /** Few, however many calls wait for a lease to end: their engine is one and the same. */
    private static final int WORKERS = 4;

    private final ThreadPoolExecutor workers = pool(WORKERS, new LinkedBlockingQueue<>(), "eventmesh-state-worker");

    /** As many as there are listeners: one that blocks must not take the thread of another. */
    private final ThreadPoolExecutor listeners =
            pool(Integer.MAX_VALUE, new SynchronousQueue<>(), "eventmesh-state-listener");

    void every(Runnable task) {
        var unused = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException | Error e) {
                        // without this, the first failure would be the last look
                        Report.error(LOG, "looking after leases and watches failed; trying again", e);
                    }
                },
                PERIOD_MILLIS,
                PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** For what goes on after a wait. */
    Executor workers() {
        return workers;
    }

    Executor listeners() {
        return listeners;
    }

    void stopPeriod() {
        clock.shutdownNow();
    }

    void close() {
        workers.shutdown();
        listeners.shutdown();
    }

    /** Without work there is no thread; after the end, the caller works. */
    private static ThreadPoolExecutor pool(int most, BlockingQueue<Runnable> queue, String name) {
        // a pool with a queue never has more threads than its core size, one without a queue needs no core
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                queue instanceof SynchronousQueue ? 0 : most,
                most,
                5,
                TimeUnit.SECONDS,
                queue,
                task -> daemon(task, name),
                (task, closed) -> task.run());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
