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
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.eventmesh.state.engine.EngineConfig;
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
    private static final long STEP = Duration.ofMillis(STEP_MILLIS).toNanos();

    private final LongSupplier ticker;
    private final Duration perOperation;
    private final long origin;
    private final ConcurrentSkipListMap<Long, Bucket> buckets = new ConcurrentSkipListMap<>();
    private final Thread thread;
    private volatile boolean closed;

    /** What {@link #now} told the thread last. */
    private volatile long seen;

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
        this.perOperation = perOperation.compareTo(EngineConfig.LONGEST) < 0 ? perOperation : EngineConfig.LONGEST;
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

    /**
     * What {@link #now} will tell when that much time has passed; only for {@link #at}. It never throws: while the ticker
     * does, it counts from what was seen last, so that nothing that follows itself ends with one bad answer.
     */
    public long in(Duration time) {
        long from;
        try {
            from = now();
        } catch (Throwable e) {
            Report.error(LOG, "the ticker threw; what is due is counted from what it told last", e);
            from = seen;
        }
        return from + time.toNanos();
    }

    /** Runs it once on the deadline thread, when that much time has passed; it must be quick. */
    public Scheduled after(Duration time, Runnable task) {
        return at(in(time), task);
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
                long now = now();
                seen = now;
                expire(Math.floorDiv(now, STEP));
            } catch (Throwable e) {
                // an Error too: without this thread no call ends by its deadline, and no lease is renewed any more
                Report.error(LOG, "the ticker threw; deadlines are late until it works again", e);
            }
        }
    }

    private void expire(long step) {
        for (Map.Entry<Long, Bucket> first = buckets.firstEntry();
                first != null && first.getKey() <= step;
                first = buckets.firstEntry()) {
            Bucket bucket = first.getValue();
            // whoever adds from here on runs his own; the bucket goes last, so that an Error on the way loses none of
            // it
            bucket.over = true;
            Iterator<Runnable> waiting = bucket.waiting.iterator();
            while (waiting.hasNext()) {
                Runnable task = waiting.next();
                if (bucket.waiting.remove(task)) {
                    runGuarded(task);
                }
            }
            buckets.remove(first.getKey());
        }
    }

    private static void runGuarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            Report.error(LOG, "a deadline's task threw", e);
        }
    }
}
