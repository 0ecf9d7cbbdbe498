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

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After a write or a sync failed nobody knows what is in the log. So the database is closed and opened again, which
 * makes it certain: what recovery found is synced, what it did not find can never appear any more.
 */
final class Reopening {
    /** Opens the database anew. */
    interface Opener {
        OpenDatabase open() throws RocksDBException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(Reopening.class);
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    private final Availability availability;
    private final Revisions revisions;
    private final Progress progress;
    private final String incarnation;
    private final Opener opener;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Open while the database is being opened again. */
    private @Nullable CountDownLatch running;

    private @Nullable Doubt doubt;

    Reopening(Availability availability, Revisions revisions, Progress progress, String incarnation, Opener opener) {
        this.availability = availability;
        this.revisions = revisions;
        this.progress = progress;
        this.incarnation = incarnation;
        this.opener = opener;
    }

    /** Called in turn, so that the next write already finds the database away. */
    void afterWrite(Database failed, RocksDBException cause, Doubt unknown) {
        synchronized (this) {
            if (stopped.getCount() == 0) {
                unknown.failed(unknownForGood());
                return;
            }
            doubt = unknown;
        }
        start(failed, "a write failed", cause);
    }

    void afterSync(Database failed, RocksDBException cause) {
        start(failed, "a sync failed", cause);
    }

    private synchronized void start(Database failed, String what, RocksDBException cause) {
        // A report that comes late, about a database that was left behind already, says nothing new.
        if (stopped.getCount() > 0 && availability.isCurrent(failed)) {
            availability.away(what + ": " + Failures.reason(cause));
            CountDownLatch ended = new CountDownLatch(1);
            running = ended;
            Runnable reopening = () -> run(failed, what, cause, ended);
            try {
                Thread thread = new Thread(reopening, "eventmesh-state-reopen " + availability.backend());
                thread.setDaemon(true);
                thread.start();
            } catch (Error e) {
                // no memory for one more thread; nobody else opens it again
                ForkJoinPool.commonPool().execute(reopening);
            }
        }
    }

    private void run(Database failed, String what, RocksDBException cause, CountDownLatch ended) {
        try {
            tell(what, cause);
        } catch (RuntimeException | Error e) {
            // heard or not, it is opened again
            unheard(e);
        }
        try {
            openInsteadOf(failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended.countDown();
        }
    }

    private void tell(String what, RocksDBException cause) {
        LOG.error("{}: {}: {}; opening again", availability.backend(), what, Failures.reason(cause), cause);
        availability.announce(availability.health());
        Doubt unknown = doubt();
        if (unknown != null) {
            availability.announceUnknown(unknown.stages().size() + " commits to " + availability.backend()
                    + " as revision " + unknown.revision());
        }
    }

    /** Nobody else opens it again, so no Error ends this either. */
    private void openInsteadOf(Database failed) throws InterruptedException {
        boolean closed = false;
        boolean over = false;
        for (long pause = FIRST_PAUSE_MILLIS; !over; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
            try {
                if (!closed) {
                    close(failed);
                    closed = true;
                }
                over = tryOpen();
            } catch (RuntimeException | Error e) {
                over = stillAway(e);
            }
            over = over || stopped.await(pause, TimeUnit.MILLISECONDS);
        }
    }

    private void unheard(Throwable failure) {
        try {
            LOG.error("{}: telling of a failure met a bug or a lack of memory", availability.backend(), failure);
        } catch (RuntimeException | Error e) {
            // to log needs memory too; what counts is that it goes on
        }
    }

    private void close(Database failed) throws InterruptedException {
        try {
            while (!failed.close(Duration.ofSeconds(10))) {
                LOG.error(
                        "{}: a call into the database has not come back; look for a stuck disk",
                        availability.backend());
            }
        } catch (RocksDBException e) {
            LOG.warn("{}: closing after the failure failed as well", availability.backend(), e);
        }
    }

    /** {@code true} when there is nothing more to try. */
    private boolean tryOpen() throws InterruptedException {
        OpenDatabase opened;
        try {
            opened = opener.open();
        } catch (RocksDBException e) {
            return stillAway(Failures.ofOpeningAgain(availability.backend(), e));
        } catch (RuntimeException | Error e) {
            // an Error too: nobody else opens it again
            return stillAway(e);
        }
        adopt(opened);
        return true;
    }

    private boolean stillAway(Throwable why) {
        try {
            availability.away(String.valueOf(why.getMessage()));
            LOG.debug("{} cannot be opened again yet", availability.backend(), why);
        } catch (RuntimeException | Error e) {
            // it is away in any case; the next try comes
            unheard(e);
        }
        return false;
    }

    private void adopt(OpenDatabase opened) throws InterruptedException {
        Doubt unknown = null;
        boolean back = false;
        try {
            // In turn: whoever wrote to the old database has told his result by now.
            revisions.takeTurn();
            try {
                unknown = doubt();
                back = takenUp(opened, unknown);
            } finally {
                revisions.endTurn();
            }
        } finally {
            if (!back) {
                close(opened.database());
            }
        }
        try {
            if (unknown != null) {
                settle(unknown, opened);
            }
            tellOf(opened, back);
        } catch (RuntimeException | Error e) {
            // it is open, or away for good: to open it once more would be wrong
            unheard(e);
        }
    }

    /** {@code false} when it is not to be used: it holds something else, or the engine was closed meanwhile. */
    private boolean takenUp(OpenDatabase opened, @Nullable Doubt unknown) {
        String diverged = diverged(opened, unknown);
        if (diverged != null) {
            availability.away(diverged);
            return false;
        }
        revisions.startFrom(opened.reserved(), opened.lastCommitted());
        progress.opened(opened.reserved());
        return availability.back(opened.database());
    }

    private void tellOf(OpenDatabase opened, boolean back) {
        EngineHealth now = availability.health();
        if (back) {
            LOG.info("{}: open again at revision {}", availability.backend(), opened.lastCommitted());
        } else {
            LOG.error("{}: {}", availability.backend(), now.advice());
        }
        availability.announce(now);
    }

    /** Why the state above this engine is not that of the disk any more; {@code null} when it is. */
    private @Nullable String diverged(OpenDatabase opened, @Nullable Doubt unknown) {
        long found = opened.lastCommitted();
        long expected = revisions.committed();
        String close = "; close the store set and open it again, to go on from what is there";
        if (!opened.incarnation().equals(incarnation)) {
            return "its directory holds other data now (incarnation " + opened.incarnation() + " instead of "
                    + incarnation + ")" + close;
        }
        if (found < expected) {
            return "the disk lost revisions " + (found + 1) + " to " + expected
                    + ", which were written and answered for; " + progress.synced()
                    + " was the last that it said to be synced" + close;
        }
        if (found > expected && (unknown == null || found != unknown.revision())) {
            return "another process wrote into its directory meanwhile, up to revision " + found + close;
        }
        return null;
    }

    private void settle(Doubt unknown, OpenDatabase opened) {
        boolean ours = opened.incarnation().equals(incarnation);
        if (ours && opened.lastCommitted() == unknown.revision()) {
            unknown.applied();
        } else if (ours && opened.lastCommitted() < unknown.revision()) {
            unknown.failed(new StoreUnavailableException("not written to " + availability.backend()
                    + ": the write failed, and after opening again it was not there; try again"));
        } else {
            unknown.failed(unknownForGood());
        }
        synchronized (this) {
            doubt = null;
        }
    }

    private synchronized @Nullable Doubt doubt() {
        return doubt;
    }

    /** Gives up; what is not known by now is told to be unknown. Does not wait for a native call under way. */
    void stop() {
        stopped.countDown();
        Doubt unknown = doubt();
        if (unknown != null) {
            unknown.failed(unknownForGood());
        }
    }

    /** However long the native call under way takes. */
    void join() throws InterruptedException {
        CountDownLatch ended;
        synchronized (this) {
            ended = running;
        }
        if (ended != null) {
            ended.await();
        }
    }

    private OutcomeUnknownException unknownForGood() {
        return new OutcomeUnknownException("a write to " + availability.backend()
                + " failed, and it cannot be seen any more whether it is there: the engine was closed, or its directory"
                + " changed by another; open again and repeat the call");
    }
}
