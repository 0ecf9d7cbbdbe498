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
package org.apache.eventmesh.state.core.local;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.apache.eventmesh.state.core.commit.Report;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One watch: a place in the history, moved on by at most one thread at a time. */
final class LocalWatch implements Watch {
    private static final Logger LOG = LoggerFactory.getLogger(LocalWatch.class);
    private static final int PART = 256;

    private final History history;
    private final KeyRange range;
    private final WatchListener listener;
    private final Executor executor;
    private final Consumer<LocalWatch> atEnd;
    private final ReentrantLock delivering = new ReentrantLock();
    private final AtomicInteger signals = new AtomicInteger();
    private volatile long reached;
    private volatile boolean ended;
    private volatile @Nullable String lost;

    LocalWatch(
            History history,
            KeyRange range,
            long afterRevision,
            WatchListener listener,
            Executor executor,
            Consumer<LocalWatch> atEnd) {
        this.history = history;
        this.range = range;
        this.reached = afterRevision;
        this.listener = listener;
        this.executor = executor;
        this.atEnd = atEnd;
    }

    /** There may be something to deliver. */
    void signal() {
        if (signals.getAndIncrement() == 0) {
            try {
                executor.execute(this::deliver);
            } catch (RuntimeException | Error e) {
                // whoever looks after watches finds it behind, and signals again
                signals.set(0);
                Report.error(LOG, "no thread could be had to deliver changes; they come a little later", e);
            }
        }
    }

    /** Ends the watch with a last event. */
    void lose(String reason) {
        lost = reason;
        signal();
    }

    boolean isBehind() {
        return reached < history.reached() || history.isForgotten();
    }

    private void deliver() {
        int seen;
        do {
            seen = signals.get();
            try {
                while (!ended && step()) {
                    // one part of the history after the other
                }
            } catch (RuntimeException | Error e) {
                broken(e);
            }
        } while (!signals.compareAndSet(seen, 0));
    }

    /** How far it got nobody knows, so it ends as one that was lost; if not even that can be told, it ends. */
    private void broken(Throwable failure) {
        if (lost == null) {
            lose("delivering it met a bug or a lack of memory");
        } else {
            end();
        }
        Report.error(LOG, "delivering the changes of a watch met a bug or a lack of memory", failure);
    }

    /** Whether there is more to do. */
    private boolean step() {
        String reason = lost;
        Optional<History.Part> next = reason == null ? history.after(reached, PART) : Optional.empty();
        if (next.isEmpty()) {
            give(new WatchEvent.Lost(
                    reason == null ? "the changes after revision " + reached + " are not held any more" : reason));
            end();
            return false;
        }
        History.Part part = next.get();
        for (WatchEvent.Changed changed : part.changes()) {
            if (range.contains(changed.key())) {
                give(changed);
            }
        }
        boolean moved = part.upTo() > reached;
        reached = part.upTo();
        if (moved && !part.more()) {
            give(new WatchEvent.Progress(reached));
        }
        return part.more();
    }

    private void give(WatchEvent event) {
        delivering.lock();
        try {
            if (!ended) {
                listener.on(event);
            }
        } catch (RuntimeException | Error e) {
            LOG.warn("a watch listener failed on {}; it goes on with the next event", event, e);
        } finally {
            delivering.unlock();
        }
    }

    private void end() {
        ended = true;
        atEnd.accept(this);
    }

    @Override
    public void close() {
        ended = true;
        // waits for a call that is running, unless it is that call that closes
        delivering.lock();
        try {
            atEnd.accept(this);
        } finally {
            delivering.unlock();
        }
    }
}
