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
package org.apache.eventmesh.state.tck.history;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many calls callers may make: so that a history stays as small as it can be searched, however long a fault lasts.
 * Safe for any number of threads.
 */
final class Pace {
    private final Semaphore free = new Semaphore(0);
    private final AtomicLong given = new AtomicLong();
    private final AtomicLong made = new AtomicLong();
    private volatile boolean over;

    /** Lets callers make so many more. */
    void give(int calls) {
        given.addAndGet(calls);
        free.release(calls);
    }

    /** Waits until a call may be made; {@code false} when no more will be. */
    boolean next() {
        try {
            free.acquire();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted between two calls", stopped);
        }
        if (over) {
            free.release();
        }
        return !over;
    }

    /** A call was answered. */
    void made() {
        made.incrementAndGet();
    }

    /** Whether every call that was allowed is answered. */
    boolean allMade() {
        return made.get() == given.get();
    }

    /** Lets callers end. */
    void end() {
        over = true;
        free.release();
    }
}
