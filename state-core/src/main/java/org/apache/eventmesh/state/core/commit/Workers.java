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
package org.apache.eventmesh.state.core.commit;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The core's own threads: here it calls engines and decides, never on a caller's thread, unless the engine is non-blocking.
 * Whoever hands in work bounds how much of it waits.
 */
public final class Workers implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private final ThreadPoolExecutor threads;
    private final boolean anywhere;

    /**
     * Starts no thread yet.
     *
     * @param anywhere whether what these threads do may as well be done on another: nobody there is made to wait
     */
    public Workers(int count, boolean anywhere) {
        this.anywhere = anywhere;
        AtomicInteger made = new AtomicInteger();
        threads = new ThreadPoolExecutor(count, count, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "state-worker-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
    }

    /** After closing nothing runs any more, and nobody is left who would wait for it. */
    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException closed) {
            // see above
        } catch (Error e) {
            // no memory for one more thread; what is not run would be missed by all that comes after it
            Report.error(LOG, "no thread could be started; the common pool goes on", e);
            ForkJoinPool.commonPool().execute(task);
        }
    }

    /** Begins something: here, or on the calling thread where that is as good. */
    public void begin(Runnable task) {
        if (!anywhere) {
            execute(task);
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // whoever called has a stage that tells him, and nothing to do with a bug of ours
            Report.error(LOG, "something that was begun for a caller met a bug or a lack of memory", e);
        }
    }

    /** Goes on here with what a stage completes with: on the calling thread, one of these, if it has completed already. */
    public <T> void then(CompletionStage<T> stage, BiConsumer<T, @Nullable Throwable> next) {
        Executor where = anywhere || stage.toCompletableFuture().isDone() ? Runnable::run : this;
        stage.whenComplete((value, failure) -> where.execute(() -> next.accept(value, failure)));
    }

    void close() {
        // no interrupt: it would close the files of an engine under its hands
        threads.shutdown();
    }
}
