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
package org.apache.eventmesh.state.bench.etcd;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Writes on many places at once: each place has one outstanding, and the next follows its answer. */
final class Throughput {
    private final FencedWrites writes;
    private final LongAdder done = new LongAdder();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final CountDownLatch running;
    private final int places;
    private final long begun = System.nanoTime();
    private final long end;

    private Throughput(FencedWrites writes, int places, long millis) {
        this.writes = writes;
        this.places = places;
        this.running = new CountDownLatch(places);
        this.end = begun + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Writes a second. */
    static long measure(FencedWrites writes, int places, long millis) throws InterruptedException {
        return new Throughput(writes, places, millis).run();
    }

    private long run() throws InterruptedException {
        for (int place = 0; place < places; place++) {
            next(place);
        }
        running.await();
        Throwable why = failure.get();
        if (why != null) {
            throw new IllegalStateException("a write failed", why);
        }
        return done.sum() * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begun);
    }

    private void next(int place) {
        if (System.nanoTime() >= end || failure.get() != null) {
            running.countDown();
            return;
        }
        writes.write(place).whenComplete((written, why) -> {
            if (why == null) {
                done.increment();
            } else {
                failure.compareAndSet(null, why);
            }
            next(place);
        });
    }
}
