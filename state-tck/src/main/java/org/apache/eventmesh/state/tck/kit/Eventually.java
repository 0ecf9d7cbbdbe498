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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for what becomes true by itself, in real time. */
public final class Eventually {
    private static final long PAUSE = 2_000_000;

    private Eventually() {}

    /**
     * Tries until nothing is thrown.
     *
     * @throws AssertionError the last one, when {@link Stages#PATIENCE} is at its end
     */
    public static void holds(Runnable assertion) {
        long end = System.nanoTime() + Stages.PATIENCE.toNanos();
        while (true) {
            try {
                assertion.run();
                return;
            } catch (AssertionError notYet) {
                if (System.nanoTime() - end > 0) {
                    throw notYet;
                }
                pause(PAUSE);
            }
        }
    }

    /**
     * Waits until as much time has really passed. For what a server does by its own clock, which cannot be seen earlier;
     * whatever can be seen is waited for by {@link #holds}.
     */
    public static void passes(Duration time) {
        pause(time.toNanos());
    }

    private static void pause(long time) {
        try {
            if (new CountDownLatch(1).await(time, TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("a latch opened that nobody opens");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting", stopped);
        }
    }
}
