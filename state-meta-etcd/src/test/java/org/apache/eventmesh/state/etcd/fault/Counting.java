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
package org.apache.eventmesh.state.etcd.fault;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.tck.kit.Eventually;

import static org.assertj.core.api.Assertions.assertThat;

/** Writers that count together until they are stopped; what they counted is known exactly. */
final class Counting {
    private static final int AT_LEAST = 5;
    private static final long PATIENCE_SECONDS = 60;

    private final RealEngine reader;
    private final String counter;
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicInteger counted = new AtomicInteger();
    private final CompletableFuture<?> writers;

    private Counting(List<RealEngine> engines, String counter) {
        this.reader = engines.get(0);
        this.counter = counter;
        this.writers = CompletableFuture.allOf(engines.stream()
                .map(engine -> CompletableFuture.runAsync(() -> count(engine), Counting::inThread))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Begins; one writer on each engine. */
    static Counting on(List<RealEngine> engines, String counter) {
        Counting counting = new Counting(engines, counter);
        counting.awaitMore();
        return counting;
    }

    private static void inThread(Runnable task) {
        Thread thread = new Thread(task, "writer");
        thread.setDaemon(true);
        thread.start();
    }

    private void count(RealEngine engine) {
        while (!enough.get()) {
            engine.increment(counter);
            counted.incrementAndGet();
        }
    }

    /** Waits until some more were counted. */
    void awaitMore() {
        int until = counted.get() + AT_LEAST;
        Eventually.holds(() -> assertThat(counted.get()).isGreaterThanOrEqualTo(until));
    }

    /** Stops them and compares; how many there were. */
    int stop() throws Exception {
        awaitMore();
        enough.set(true);
        writers.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(reader.text(counter)).hasValue(String.valueOf(counted.get()));
        return counted.get();
    }
}
