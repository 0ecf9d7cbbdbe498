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
package org.apache.eventmesh.state.tck.kit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A wall clock and a monotonic ticker that stand still until a test moves them. */
public final class TestTime {
    /** Far from the epoch, so that a subtraction does not fall below it, and not now, so that a real clock shows. */
    private static final Instant BEGIN = Instant.parse("2031-05-06T07:08:09.123Z");

    private volatile Instant wall = BEGIN;
    private final AtomicLong ticks = new AtomicLong(1_000_000_000_000L);

    private final Runnable passed;

    /** @param passed waits until those who keep time themselves have caught up */
    TestTime(Runnable passed) {
        this.passed = passed;
    }

    public InstantSource clock() {
        return this::now;
    }

    /** In nanoseconds. */
    public LongSupplier ticker() {
        return ticks::get;
    }

    public Instant now() {
        return wall;
    }

    /** The ticker will overflow after so long, as a real one may; before anything is opened. */
    public void overflowIn(Duration time) {
        ticks.set(Long.MAX_VALUE - time.toNanos());
    }

    /** Moves both at once, also beyond leases; see {@link StoreKit#passTime}. */
    public void pass(Duration time) {
        move(time);
        passed.run();
    }

    /** Moves both at once, and waits for nobody. */
    void move(Duration time) {
        jump(time);
        ticks.addAndGet(time.toNanos());
    }

    /** Moves the wall clock alone, forwards or backwards, as an operator or a time service does. */
    public synchronized void jump(Duration by) {
        wall = wall.plus(by);
    }
}
