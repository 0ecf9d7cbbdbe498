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
package org.apache.eventmesh.state.tck.fault;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;

/** A watch behind the gate: keeps what comes while it hangs, is lost when it fails, and silent after a crash. */
final class FaultWatch implements Watch, WatchListener {
    private final Gate gate;
    private final WatchListener listener;
    private final Queue<WatchEvent> kept = new ArrayDeque<>();
    private boolean ended;
    private volatile @Nullable Watch inner;
    private volatile @Nullable RuntimeException refusal;

    FaultWatch(Gate gate, WatchListener listener) {
        this.gate = gate;
        this.listener = listener;
    }

    /** Throws what the engine throws, if it is asked now. */
    void start(Supplier<Watch> begin) {
        gate.pass(
                () -> {
                    Watch begun = begin.get();
                    inner = begun;
                    if (hasEnded()) {
                        begun.close();
                    }
                },
                refused -> {
                    if (refused instanceof StoreUnavailableException) {
                        on(new WatchEvent.Lost(String.valueOf(refused.getMessage())));
                    } else {
                        refusal = refused;
                    }
                });
        RuntimeException refused = refusal;
        if (refused != null) {
            throw refused;
        }
    }

    @Override
    public synchronized void on(WatchEvent event) {
        kept.add(event);
        deliver();
    }

    /** What was kept comes before what is new. */
    synchronized void deliver() {
        while (!ended && !kept.isEmpty() && gate.letsEventsThrough()) {
            WatchEvent event = kept.remove();
            ended = event instanceof WatchEvent.Lost;
            listener.on(event);
        }
    }

    void lose() {
        on(new WatchEvent.Lost("cut off by the test"));
        closeInner();
    }

    synchronized boolean hasEnded() {
        return ended;
    }

    @Override
    public void close() {
        synchronized (this) {
            ended = true;
        }
        // not while holding the lock: a listener that is being called may want it
        closeInner();
    }

    private void closeInner() {
        Watch begun = inner;
        if (begun != null) {
            begun.close();
        }
    }
}
