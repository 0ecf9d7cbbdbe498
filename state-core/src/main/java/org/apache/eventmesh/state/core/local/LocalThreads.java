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

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one engine: a clock, and workers that come with the work and go without it. */
final class LocalThreads implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(LocalThreads.class);

    /** Short beside any time to live, long beside what one look costs. */
    private static final long PERIOD_MILLIS = 50;

    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "eventmesh-state-clock"));

    /** Never full: a listener that blocks must not take the thread of another. After the end, the caller works. */
    private final ThreadPoolExecutor workers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            5,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> daemon(task, "eventmesh-state-worker"),
            (task, pool) -> task.run());

    void every(Runnable task) {
        var unused = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException | Error e) {
                        // without this, the first failure would be the last look
                        LOG.warn("looking after leases and watches failed; trying again", e);
                    }
                },
                PERIOD_MILLIS,
                PERIOD_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void execute(Runnable task) {
        workers.execute(task);
    }

    void stopPeriod() {
        clock.shutdownNow();
    }

    void close() {
        workers.shutdown();
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
