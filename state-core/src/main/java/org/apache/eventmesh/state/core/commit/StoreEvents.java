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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.eventmesh.state.observe.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the store listener is told, one event after the other: while it is slow, only its own events wait. */
final class StoreEvents {
    private static final Logger LOG = LoggerFactory.getLogger(StoreEvents.class);

    /** Beyond this events are lost, and counted: a listener that blocks for ever must not take all memory. */
    static final int MAX_WAITING = 10_000;

    /** After so many the thread is given back. */
    private static final int AT_ONCE = 256;

    private final StoreListener listener;
    private final Executor threads;

    /** Guarded by this, as all below. */
    private final Deque<Consumer<StoreListener>> waiting = new ArrayDeque<>();

    private long lost;
    private boolean scheduled;

    /** @param threads where the listener is called; must run everything that it is given */
    StoreEvents(StoreListener listener, Executor threads) {
        this.listener = listener;
        this.threads = threads;
    }

    void add(Consumer<StoreListener> event) {
        if (listener == StoreListener.NONE) {
            return;
        }
        synchronized (this) {
            if (waiting.size() >= MAX_WAITING) {
                lost++;
                return;
            }
            waiting.add(event);
            if (scheduled) {
                return;
            }
            scheduled = true;
        }
        threads.execute(this::drain);
    }

    private void drain() {
        for (int i = 0; i < AT_ONCE; i++) {
            Consumer<StoreListener> event;
            long missed;
            synchronized (this) {
                event = waiting.poll();
                if (event == null) {
                    scheduled = false;
                    return;
                }
                missed = lost;
                lost = 0;
            }
            if (missed > 0) {
                LOG.warn(
                        "the store listener was too slow: {} events waited, {} more are lost to it",
                        MAX_WAITING,
                        missed);
            }
            tell(event);
        }
        threads.execute(this::drain);
    }

    private void tell(Consumer<StoreListener> event) {
        try {
            event.accept(listener);
        } catch (Throwable e) {
            Report.error(LOG, "the store listener threw; only this one event is lost to it", e);
        }
    }
}
