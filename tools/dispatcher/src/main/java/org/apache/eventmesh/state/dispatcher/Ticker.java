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
package org.apache.eventmesh.state.dispatcher;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** One thread that makes rounds. Nothing that goes wrong in one of them keeps the next one from coming. */
final class Ticker implements AutoCloseable {
    private final Runnable round;
    private final Trouble trouble;
    private final ScheduledExecutorService thread;

    Ticker(String name, Runnable round, Trouble trouble) {
        this.round = round;
        this.trouble = trouble;
        this.thread = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread started = new Thread(work, name);
            started.setDaemon(true);
            return started;
        });
    }

    void start(Duration pause) {
        // it ends with the thread: no round lets a failure through
        ScheduledFuture<?> unused = thread.scheduleWithFixedDelay(this::once, 0, pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The scheduler drops for good what throws, without a word; so nothing is let through to it. */
    private void once() {
        try {
            round.run();
        } catch (RuntimeException | Error failure) {
            tell(failure);
        }
    }

    private void tell(Throwable failure) {
        try {
            trouble.in("a round", failure);
        } catch (RuntimeException | Error alsoFailed) {
            failure.addSuppressed(alsoFailed);
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler().uncaughtException(current, failure);
        }
    }

    /** Lets a round that has begun come to its end. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
