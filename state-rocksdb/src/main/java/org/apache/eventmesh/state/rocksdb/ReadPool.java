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
package org.apache.eventmesh.state.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.rocksdb.RocksDBException;

/** Runs reads on a few threads of the engine's own, so that a slow disk holds up none of the core's. */
final class ReadPool {
    /** A read of the database. */
    interface Read<T> {
        T from(Database database) throws RocksDBException;
    }

    private static final int WAITING = 10_000;

    private final Availability availability;
    private final ThreadPoolExecutor threads;

    ReadPool(Availability availability, int size) {
        this.availability = availability;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                size,
                size,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                task -> thread(task, "read-" + number.incrementAndGet()));
        threads.allowCoreThreadTimeOut(true);
    }

    <T> CompletionStage<T> submit(String what, Read<T> read) {
        Task<T> task = new Task<>(what, read);
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            task.answer.completeExceptionally(
                    threads.isShutdown()
                            ? availability.refusal()
                            : new OverloadedException("cannot " + what + " in " + availability.backend() + ": "
                                    + WAITING + " reads wait already; try again later, with less outstanding"));
        }
        return task.answer;
    }

    /** On a thread of its own, since it takes long. */
    <T> CompletionStage<T> apart(String what, Read<T> read) {
        Task<T> task = new Task<>(what, read);
        thread(task, what).start();
        return task.answer;
    }

    private Thread thread(Runnable task, String name) {
        Thread thread = new Thread(task, "eventmesh-state-" + name + " " + availability.backend());
        thread.setDaemon(true);
        return thread;
    }

    /** Those under way end; those that wait, and later ones, are refused. */
    void stop() {
        threads.shutdown();
        List<Runnable> waiting = new ArrayList<>();
        threads.getQueue().drainTo(waiting);
        waiting.forEach(task -> ((Task<?>) task).answer.completeExceptionally(availability.refusal()));
    }

    private final class Task<T> implements Runnable {
        private final String what;
        private final Read<T> read;
        private final CompletableFuture<T> answer = new CompletableFuture<>();

        Task(String what, Read<T> read) {
            this.what = what;
            this.read = read;
        }

        @Override
        public void run() {
            try {
                answer.complete(read.from(availability.database()));
            } catch (RocksDBException e) {
                answer.completeExceptionally(Failures.of(what, availability.backend(), e));
            } catch (Guard.ClosedException e) {
                answer.completeExceptionally(availability.refusal());
            } catch (StateStoreException e) {
                answer.completeExceptionally(e);
            } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
                throw e;
            }
        }
    }
}
