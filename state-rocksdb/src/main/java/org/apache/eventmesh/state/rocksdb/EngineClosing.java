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

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives everything back, in the order that keeps the JVM alive. What is stuck in a native call is waited for on a thread
 * of its own: its memory and its directory stay taken until it returns, and the caller is not held.
 */
final class EngineClosing {
    private static final Logger LOG = LoggerFactory.getLogger(EngineClosing.class);

    private final Availability availability;
    private final Revisions revisions;
    private final Progress progress;
    private final BackgroundSync sync;
    private final Reopening reopening;
    private final ReadPool reads;
    private final Holder holder;
    private final OpenPlaces.Claim claim;
    private final Duration deadline;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);

    EngineClosing(
            Availability availability,
            Revisions revisions,
            Progress progress,
            BackgroundSync sync,
            Reopening reopening,
            ReadPool reads,
            Holder holder,
            OpenPlaces.Claim claim,
            Duration deadline) {
        this.availability = availability;
        this.revisions = revisions;
        this.progress = progress;
        this.sync = sync;
        this.reopening = reopening;
        this.reads = reads;
        this.holder = holder;
        this.claim = claim;
        this.deadline = deadline;
    }

    /** Returns when all is given back, at the deadline at the latest. */
    void close() {
        if (begun.compareAndSet(false, true)) {
            Database last = availability.close();
            reopening.stop();
            reads.stop();
            sync.stop();
            Thread thread = new Thread(() -> giveBack(last), "eventmesh-state-close " + availability.backend());
            thread.setDaemon(true);
            thread.start();
        }
        if (!awaitEnd()) {
            LOG.error(
                    "{}: a call into the database has not come back within {} ms; its memory and its directory stay"
                            + " taken until it does: look for a stuck disk",
                    availability.backend(),
                    deadline.toMillis());
        }
    }

    /** Also on a thread that is interrupted: who has closed it may open it again. */
    private boolean awaitEnd() {
        boolean interrupted = false;
        long end = System.nanoTime() + deadline.toNanos();
        try {
            while (true) {
                try {
                    return ended.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void giveBack(@Nullable Database last) {
        try {
            // In turn: the write under way ends first.
            revisions.takeTurn();
            try {
                if (last != null && !progress.isSynced()) {
                    syncLast(last);
                }
            } finally {
                revisions.endTurn();
            }
            reopening.join();
            // Only while the lock is held: the next holder writes its own.
            if (last != null) {
                holder.delete();
            }
        } catch (IOException e) {
            LOG.warn("{}: {} could not be deleted", availability.backend(), holder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            while (last != null && !last.close(Duration.ofMinutes(1))) {
                LOG.debug("{}: still waiting for a call into the database", availability.backend());
            }
        } catch (RocksDBException e) {
            LOG.error("{}: closing failed: {}", availability.backend(), Failures.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            holder.release();
        } catch (IOException e) {
            LOG.warn("{}: {} could not be closed", availability.backend(), holder, e);
        }
        claim.release();
        ended.countDown();
    }

    private void syncLast(Database last) {
        try {
            last.sync();
        } catch (RocksDBException e) {
            LOG.error(
                    "{}: the last writes could not be synced, a power loss may lose them: {}",
                    availability.backend(),
                    Failures.reason(e),
                    e);
        }
    }
}
