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

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs things when the ticker has reached their time. What is cancelled is forgotten at once: with a deadline of ten
 * seconds and many operations a second, nearly all are.
 *
 * <p>Times are rounded up to {@value #STEP_MILLIS} ms and kept in buckets, so that neither scheduling nor cancelling
 * takes a lock. The ticker is asked in steps of real time, since an injected one cannot be waited for.
 */
public final class Deadlines implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);
    private static final int STEP_MILLIS = 10;
    /** What is longer does not fit a ticker. */
    private static final Duration FOREVER = Duration.ofDays(36_500);

    private static final long STEP = Duration.ofMillis(STEP_MILLIS).toNanos();

    private final LongSupplier ticker;
    private final Duration perOperation;
    private final long origin;
    private final ConcurrentSkipListMap<Long, Bucket> buckets = new ConcurrentSkipListMap<>();
    private final Thread thread;
    private volatile boolean closed;

    /** What waits for its time. */
    @FunctionalInterface
    public interface Scheduled {
        /** Forgets it; does nothing when it has run. */
        void cancel();
    }

    private static final class Bucket {
        private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
        private volatile boolean over;
    }

    /**
     * Starts the thread.
     *
     * @param ticker monotonic nanoseconds
     * @param perOperation by when an operation's stage has completed
     */
    public Deadlines(LongSupplier ticker, Duration perOperation) {
        this.ticker = ticker;
        this.perOperation = perOperation.compareTo(FOREVER) < 0 ? perOperation : FOREVER;
        this.origin = ticker.getAsLong();
        this.thread = new Thread(this::watch, "state-deadlines");
        thread.setDaemon(true);
        thread.start();
    }

    public Duration perOperation() {
        return perOperation;
    }

    /** Nanoseconds by the ticker since this was made. */
    public long now() {
        return ticker.getAsLong() - origin;
    }

    /** Runs it once on the deadline thread, when that much time has passed; it must be quick. */
    public Scheduled after(Duration time, Runnable task) {
        return at(now() + time.toNanos(), task);
    }

    /** Runs it once on the deadline thread, when {@link #now} has come to that time; it must be quick. */
    public Scheduled at(long time, Runnable task) {
        // A task is its own identity, whatever equals it: two operations may hand in the same method reference.
        Runnable once = new Runnable() {
            @Override
            public void run() {
                task.run();
            }
        };
        long step = Math.floorDiv(time, STEP) + 1;
        Bucket bucket = buckets.computeIfAbsent(step, s -> new Bucket());
        bucket.waiting.add(once);
        if (bucket.over && bucket.waiting.remove(once)) {
            runGuarded(once);
        }
        return () -> bucket.waiting.remove(once);
    }

    /** Stops; what waits is forgotten. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    private void watch() {
        while (!closed) {
            LockSupport.parkNanos(STEP);
            try {
                expire(Math.floorDiv(now(), STEP));
            } catch (RuntimeException e) {
                LOG.error("the ticker threw; deadlines are late until it works again", e);
            }
        }
    }

    private void expire(long step) {
        for (Map.Entry<Long, Bucket> first = buckets.firstEntry();
                first != null && first.getKey() <= step;
                first = buckets.firstEntry()) {
            Bucket bucket = first.getValue();
            buckets.remove(first.getKey());
            bucket.over = true;
            for (Runnable task : bucket.waiting.toArray(new Runnable[0])) {
                if (bucket.waiting.remove(task)) {
                    runGuarded(task);
                }
            }
        }
    }

    private static void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a deadline's task threw", e);
        }
    }
}
