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
package org.apache.eventmesh.state.etcd;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.etcd.client.WatchEnd;
import org.apache.eventmesh.state.etcd.client.WatchSink;
import org.apache.eventmesh.state.etcd.client.WatchStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One watch, by as many streams as it takes. It knows the revision up to which everything has arrived, and whatever
 * happens to a stream, the next one begins behind that. Nothing is told of a revision before all of it is there.
 */
final class EtcdWatch implements Watch {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdWatch.class);

    /** A listener that lets more wait is too slow; whoever follows a table scans anew then. */
    private static final int MAX_WAITING = 100_000;

    private final EtcdWatches watches;
    private final KeyRange range;
    private final WatchListener listener;

    /** Held while the listener is called. */
    private final ReentrantLock calling = new ReentrantLock();

    /** Guarded by this, as all below: the first revision of which something may not have arrived. */
    private long next;

    /** The beginning of revision {@code next}, of which the rest is on its way. */
    private final List<WatchEvent.Changed> parts = new ArrayList<>();

    private final Deque<WatchEvent> waiting = new ArrayDeque<>();
    private boolean delivering;
    private boolean ended;
    private volatile boolean closed;

    /** What an earlier stream still says is nobody's business. */
    private int attempt;

    private @Nullable WatchStream stream;
    private long heardAt;

    /** Where the present stream began, and whether nothing that it should have brought was compacted away before. */
    private long from;

    private boolean whole;
    private boolean checking;
    private WatchBackOff backOff = new WatchBackOff();

    EtcdWatch(EtcdWatches watches, KeyRange range, long afterRevision, WatchListener listener) {
        this.watches = watches;
        this.range = range;
        this.next = afterRevision + 1;
        this.listener = listener;
    }

    /** Opens a stream, unless the watch has ended. */
    void open() {
        int mine;
        long first;
        synchronized (this) {
            if (ended) {
                return;
            }
            mine = ++attempt;
            first = next;
            from = next;
            whole = false;
            checking = false;
            parts.clear();
            stream = null;
            heardAt = System.nanoTime();
        }
        // not while holding the lock: the client tells, and closes, under one of its own
        WatchStream opened;
        try {
            opened = watches.client().watch(watches.keys().stored(range), first, new Sink(mine));
        } catch (RuntimeException | Error e) {
            over(mine, new WatchEnd.Failed(new EtcdCallException(Failure.NOT_SENT, "opening a watch failed: " + e, e)));
            return;
        }
        synchronized (this) {
            if (mine == attempt && !ended) {
                stream = opened;
                return;
            }
        }
        opened.close();
    }

    /** From time to time: asks how far the server is, and gives up a stream that says nothing. */
    void look() {
        WatchStream open;
        long silent;
        synchronized (this) {
            open = stream;
            silent = System.nanoTime() - heardAt;
            if (ended || open == null) {
                return;
            }
            if (silent > EtcdWatches.SILENCE.toNanos()) {
                attempt++;
                stream = null;
            }
        }
        if (silent > EtcdWatches.SILENCE.toNanos()) {
            LOG.info("a watch of {} was silent for too long; opening another", watches.address());
            open.close();
            open();
        } else {
            open.requestProgress();
        }
    }

    /** It was silent for so long that the connection is doubtful. */
    synchronized boolean isSuspect() {
        return !ended && stream != null && System.nanoTime() - heardAt > EtcdWatches.DOUBT.toNanos();
    }

    private synchronized boolean heard(int of) {
        boolean current = of == attempt && !ended;
        if (current) {
            heardAt = System.nanoTime();
            backOff = new WatchBackOff();
        }
        return current;
    }

    private final class Sink implements WatchSink {
        private final int mine;

        Sink(int mine) {
            this.mine = mine;
        }

        @Override
        public void created(Header header) {
            synchronized (EtcdWatch.this) {
                if (mine == attempt && !ended && watches.isOurs(header)) {
                    heardAt = System.nanoTime();
                    // not on the thread of the client, under whose lock this is called
                    watches.run(EtcdWatch.this::look);
                }
            }
        }

        @Override
        public void changes(Header header, List<WatchEvent.Changed> changes, boolean fragment) {
            synchronized (EtcdWatch.this) {
                if (heard(mine) && watches.isOurs(header)) {
                    arrived(changes, fragment);
                }
            }
        }

        @Override
        public void progress(Header header) {
            synchronized (EtcdWatch.this) {
                // a member that lags behind tells less than is known; a revision that is not whole is not reached
                if (heard(mine) && parts.isEmpty() && watches.isOurs(header)) {
                    if (header.revision() >= next) {
                        reached(header.revision());
                    }
                    checkOnce();
                }
            }
        }

        @Override
        public void ended(WatchEnd why) {
            over(mine, why);
        }
    }

    /** Holding the lock. */
    private void arrived(List<WatchEvent.Changed> changes, boolean fragment) {
        for (WatchEvent.Changed change : changes) {
            if (!parts.isEmpty() && parts.get(0).revision() < change.revision()) {
                tellParts();
            }
            if (change.revision() >= next) {
                parts.add(change);
            }
        }
        if (!fragment && !parts.isEmpty()) {
            long whole = parts.get(0).revision();
            tellParts();
            reached(whole);
        }
    }

    private void tellParts() {
        for (WatchEvent.Changed part : parts) {
            tell(new WatchEvent.Changed(
                    part.revision(),
                    watches.keys().plain(part.key()),
                    part.now().map(watches.keys()::plain)));
        }
        next = parts.get(0).revision() + 1;
        parts.clear();
    }

    private void reached(long revision) {
        next = revision + 1;
        if (whole) {
            tell(new WatchEvent.Progress(revision));
        }
    }

    /**
     * Once a stream has caught up. A server that compacted just when the stream began leaves out what is gone, and says
     * nothing: releases before 3.5.18 lose the deletion at which they compact. So it is asked whether the history was
     * whole, and until it was, nothing is told to be up to date.
     */
    private void checkOnce() {
        if (whole || checking) {
            return;
        }
        checking = true;
        int mine = attempt;
        long before = Math.max(1, from - 1);
        watches.run(() -> watches.checkHistory(range, before)
                .whenComplete((fine, failure) -> watches.run(() -> checked(mine, failure))));
    }

    private synchronized void checked(int of, @Nullable Throwable failure) {
        if (of != attempt || ended) {
            return;
        }
        checking = false;
        if (failure == null) {
            whole = true;
            tell(new WatchEvent.Progress(next - 1));
        } else if (EtcdWatches.kind(failure) == Failure.COMPACTED) {
            lost("changes after revision " + (from - 1) + " of " + watches.address() + " were compacted away");
            closeStream();
        } else if (EtcdWatches.kind(failure) == Failure.FUTURE_REVISION) {
            lost("revision " + (from - 1) + " has not come yet in " + watches.address()
                    + ", although it was seen: its history was moved back");
            closeStream();
        }
    }

    private void over(int of, WatchEnd why) {
        long pause;
        synchronized (this) {
            if (of != attempt || ended) {
                return;
            }
            attempt++;
            stream = null;
            if (why instanceof WatchEnd.Compacted compacted) {
                lost("the changes from revision " + next + " on were compacted away, " + watches.address()
                        + " has those from " + compacted.revision() + " on");
                return;
            }
            if (why instanceof WatchEnd.Failed failed && backOff.isOver(failed.why())) {
                lost(String.valueOf(failed.why().getMessage()));
                return;
            }
            pause = backOff.nextNanos();
        }
        watches.later(pause, this::open);
    }

    /** Ends the watch; the listener is told why. */
    synchronized void lost(String reason) {
        if (!ended) {
            ended = true;
            watches.forget(this);
            add(new WatchEvent.Lost(reason));
        }
    }

    /** As {@link #lost}, and gives back the stream. */
    synchronized void end(String reason) {
        lost(reason);
        closeStream();
    }

    private void tell(WatchEvent event) {
        if (waiting.size() >= MAX_WAITING) {
            waiting.clear();
            lost("the listener is too slow: more than " + MAX_WAITING + " changes waited for it");
            closeStream();
        } else if (!ended) {
            add(event);
        }
    }

    private void closeStream() {
        WatchStream last = stream;
        stream = null;
        if (last != null) {
            // on a thread that holds no lock of the client
            watches.run(last::close);
        }
    }

    private void add(WatchEvent event) {
        waiting.add(event);
        if (!delivering) {
            delivering = true;
            watches.run(this::deliver);
        }
    }

    private void deliver() {
        while (true) {
            WatchEvent event;
            synchronized (this) {
                event = waiting.poll();
                if (event == null) {
                    delivering = false;
                    return;
                }
            }
            give(event);
        }
    }

    private void give(WatchEvent event) {
        calling.lock();
        try {
            if (!closed) {
                listener.on(event);
            }
        } catch (Throwable e) {
            Guarded.report(LOG, "the listener of a watch failed; it goes on", e);
        } finally {
            calling.unlock();
        }
    }

    @Override
    public void close() {
        WatchStream last;
        synchronized (this) {
            closed = true;
            ended = true;
            attempt++;
            waiting.clear();
            last = stream;
            stream = null;
        }
        if (last != null) {
            last.close();
        }
        // waits for a call that is running, unless it is that call that closes
        calling.lock();
        try {
            watches.forget(this);
        } finally {
            calling.unlock();
        }
    }
}
