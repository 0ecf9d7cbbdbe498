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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One watch of all holder records, from the first time that somebody is interested; it begins again when it is lost. */
final class HolderWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HolderWatch.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Backend backend;
    private final BiConsumer<Bytes, Optional<Entry>> changed;
    private final Runnable begun;

    /** Guarded by this, as all below. */
    private boolean started;

    private boolean closed;
    private @Nullable Watch running;

    /**
     * @param changed a record, and what it is now
     * @param begun the watch begins, for the first time or again: what happened before it must be looked up
     */
    HolderWatch(Backend backend, BiConsumer<Bytes, Optional<Entry>> changed, Runnable begun) {
        this.backend = backend;
        this.changed = changed;
        this.begun = begun;
    }

    void start() {
        synchronized (this) {
            if (started || closed) {
                return;
            }
            started = true;
        }
        begin();
    }

    private void begin() {
        KeyRange holders = OwnerKeys.holders();
        backend.scan(holders, 1)
                .thenAccept(slice -> watch(backend.engine().watch(holders, slice.revision(), this::on)))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        begun.run();
                    } else {
                        LOG.debug("the watch of holders cannot begin; trying again", failure);
                        later();
                    }
                });
    }

    private void watch(Watch watch) {
        synchronized (this) {
            if (!closed) {
                running = watch;
                return;
            }
        }
        watch.close();
    }

    private void on(WatchEvent event) {
        if (event instanceof WatchEvent.Changed change) {
            changed.accept(change.key(), change.now());
        } else if (event instanceof WatchEvent.Lost) {
            later();
        }
    }

    private void later() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        // of real time: only the liveness of the watch hangs on it
        CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS, backend.workers())
                .execute(this::begin);
    }

    @Override
    public void close() {
        Watch last;
        synchronized (this) {
            closed = true;
            last = running;
        }
        if (last != null) {
            last.close();
        }
    }
}
