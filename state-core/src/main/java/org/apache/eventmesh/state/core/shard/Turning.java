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
package org.apache.eventmesh.state.core.shard;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/** Who takes the next turn of a loop, and on which thread: one turn at a time. */
final class Turning {
    private final Executor workers;
    private final boolean anywhere;
    private final Inbox inbox;
    private final IntConsumer turn;
    private final AtomicBoolean turning = new AtomicBoolean();

    /**
     * Nobody turns yet.
     *
     * @param workers whose threads take turns
     * @param anywhere whether a caller's thread may as well
     * @param turn takes a turn with so many operations at most; it must not throw, and ends with {@link #next} or
     *     {@link #rest}, now or later
     */
    Turning(Executor workers, boolean anywhere, Inbox inbox, IntConsumer turn) {
        this.workers = workers;
        this.anywhere = anywhere;
        this.inbox = inbox;
        this.turn = turn;
    }

    /**
     * An operation was added: the turn is taken on the calling thread, if nobody is made to wait there and nothing of
     * another caller is touched, and soon in any case.
     */
    void begin(Pending<?> added) {
        if (!anywhere) {
            wake();
        } else if (turning.compareAndSet(false, true)) {
            if (inbox.first() == added) {
                turn.accept(1);
            } else {
                next();
            }
        }
    }

    /** There may be something to do. */
    void wake() {
        if (turning.compareAndSet(false, true)) {
            next();
        }
    }

    /** Whoever turns takes another turn, soon. */
    void next() {
        workers.execute(() -> turn.accept(Integer.MAX_VALUE));
    }

    /** Whoever turns has nothing more to do, as far as he knows; what came meanwhile wakes the loop again. */
    void rest() {
        turning.set(false);
        if (!inbox.isEmpty()) {
            wake();
        }
    }
}
