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
package org.apache.eventmesh.state.rocksdb;

import java.util.concurrent.locks.LockSupport;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Syncs, on a thread of its own, what was written without: soon after the oldest such write, whoever waits for it. */
final class BackgroundSync {
    private static final Logger LOG = LoggerFactory.getLogger(BackgroundSync.class);

    private static final long PAUSE_NANOS = 100_000_000;

    private final Availability availability;
    private final Progress progress;
    private final Reopening reopening;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile boolean refusing;

    BackgroundSync(Availability availability, Progress progress, Reopening reopening) {
        this.availability = availability;
        this.progress = progress;
        this.reopening = reopening;
        this.thread = new Thread(this::run, "eventmesh-state-sync " + availability.backend());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Called in turn. */
    void applied(long revision, long since) {
        if (progress.appliedUnsynced(revision, since)) {
            LockSupport.unpark(thread);
        }
    }

    void refuseWhenOverdue() {
        String advice = overdue();
        if (advice == null) {
            return;
        }
        if (!refusing) {
            refusing = true;
            availability.announce(new EngineHealth(false, availability.backend(), advice));
            LOG.error("{}: {}", availability.backend(), advice);
        }
        throw new StoreUnavailableException("not written to " + availability.backend() + ": " + advice);
    }

    /** What to say while the disk is too slow; {@code null} when it is not. */
    @Nullable
    String overdue() {
        return progress.overdue(System.nanoTime())
                ? "a sync to disk takes longer than " + Progress.SYNC_WITHIN.toMillis()
                        + " ms; writes are accepted again when it ends: look at the disk"
                : null;
    }

    private void run() {
        while (!stopped) {
            try {
                step();
            } catch (Throwable e) {
                goOnAfter(e);
            }
        }
    }

    /** Without this thread nothing would be synced any more, so an Error does not end it either. */
    private void goOnAfter(Throwable failure) {
        progress.syncBroke();
        try {
            LOG.error("{}: a sync met a bug or a lack of memory; it is tried again", availability.backend(), failure);
        } catch (Throwable unheard) {
            // to log needs memory too; what counts is that the next sync comes
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
    }

    private void step() {
        long wait = progress.untilSync(System.nanoTime());
        if (wait == 0) {
            sync();
        } else if (wait == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, wait);
        }
    }

    private void sync() {
        long revision = progress.beginSync(System.nanoTime());
        try {
            sync(availability.database(), revision);
        } catch (StateStoreException | Guard.ClosedException e) {
            // Closing and reopening look after what was not synced. This sync may have begun between the two steps in
            // which
            // a reopened database becomes the current one, and nobody else would end it.
            LOG.debug("{} went away before it was synced", availability.backend(), e);
            progress.syncBroke();
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void sync(Database database, long revision) {
        try {
            database.sync();
        } catch (RocksDBException e) {
            reopening.afterSync(database, e);
            return;
        }
        progress.endSync(revision);
        if (refusing) {
            refusing = false;
            availability.announce(availability.health());
            LOG.info("{}: the sync has ended, writes are accepted again", availability.backend());
        }
    }

    /** Does not wait for a sync under way. */
    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }
}
