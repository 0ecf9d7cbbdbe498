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
package org.apache.eventmesh.state.core.read;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Follows a range for as long as the backend is open: a consistent snapshot, then every change in order. When the changes
 * cannot be had any more, it begins again with a snapshot and says why. All that it does is serial.
 */
final class Follower implements AutoCloseable {
    private static final int PAGE = 512;
    private static final int MAX_WAITING = 100_000;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final int LONGEST_PAUSE = 7; // doublings: 6.4 s

    /** An attempt that ends sooner is a failed one, although its snapshot was good. */
    private static final long SHORT = TimeUnit.SECONDS.toNanos(1);

    private final Backend backend;
    private final KeyRange range;
    private final Target target;
    private final Mailbox mailbox;

    /** In the mailbox only, as all below but {@code overrun}. Events of an earlier attempt are stale. */
    private int attempt;

    private int failures;
    private long begun;
    private boolean closed;
    private @Nullable Snapshot snapshot;
    private @Nullable Watch watch;
    private volatile int overrun;

    /** Who wants to know; called serially. */
    interface Target {
        /** Everything anew; {@code why} is empty the first time. */
        void replaced(NavigableMap<Bytes, Entry> all, Optional<String> why);

        void changed(WatchEvent.Changed change);

        /** What was told is all that there is, as of now. */
        void upToDate();
    }

    Follower(Backend backend, KeyRange range, Target target) {
        this.backend = backend;
        this.range = range;
        this.target = target;
        this.mailbox = new Mailbox(backend.workers(), MAX_WAITING);
    }

    void start() {
        mailbox.add(() -> begin(Optional.empty()));
    }

    @Override
    public void close() {
        mailbox.add(() -> {
            closed = true;
            endAttempt();
        });
    }

    private void begin(Optional<String> why) {
        if (!closed) {
            endAttempt();
            snapshot = new Snapshot();
            begun = System.nanoTime();
            scan(attempt, range, true, why);
        }
    }

    private void endAttempt() {
        attempt++;
        snapshot = null;
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    private void scan(int tried, KeyRange rest, boolean first, Optional<String> why) {
        backend.scan(rest, PAGE)
                .whenComplete((page, failure) -> mailbox.add(() -> {
                    if (tried != attempt) {
                        return;
                    }
                    if (failure == null) {
                        scanned(tried, rest, page, first, why);
                    } else if (!(failure instanceof StoreClosedException)) {
                        lost(why.orElse("reading the snapshot failed: " + failure.getMessage()));
                    }
                }));
    }

    private void scanned(int tried, KeyRange rest, Slice page, boolean first, Optional<String> why) {
        Snapshot open = snapshot;
        if (open == null) {
            return;
        }
        open.add(page);
        if (first) {
            open.reached(page.revision());
            watch = backend.engine().watch(range, page.revision(), event -> enqueue(tried, event, why));
        }
        if (page.more()) {
            scan(tried, rest.after(page.entries().get(page.entries().size() - 1).key()), false, why);
        } else {
            publish(open, why);
        }
    }

    /** Called by the engine: only enqueues. */
    private void enqueue(int tried, WatchEvent event, Optional<String> why) {
        if (overrun != tried && !mailbox.offer(() -> happened(tried, event, why))) {
            overrun = tried;
            mailbox.add(() -> {
                if (tried == attempt) {
                    lost("more than " + MAX_WAITING + " changes waited");
                }
            });
        }
    }

    private void happened(int tried, WatchEvent event, Optional<String> why) {
        if (tried != attempt) {
            return;
        }
        if (event instanceof WatchEvent.Lost lost) {
            lost(lost.reason());
        } else if (snapshot == null) {
            if (event instanceof WatchEvent.Changed change) {
                target.changed(change);
            }
            target.upToDate();
        } else if (event instanceof WatchEvent.Changed change) {
            changedDuring(snapshot, change, why);
        } else if (event instanceof WatchEvent.Progress progress) {
            snapshot.reached(progress.revision());
            publish(snapshot, why);
        }
    }

    private void changedDuring(Snapshot open, WatchEvent.Changed change, Optional<String> why) {
        open.reached(change.revision() - 1);
        if (publish(open, why)) {
            target.changed(change);
        } else {
            open.add(change);
        }
    }

    private boolean publish(Snapshot open, Optional<String> why) {
        if (!open.consistent()) {
            return false;
        }
        snapshot = null;
        target.replaced(open.entries(), why);
        target.upToDate();
        return true;
    }

    /** Begins again: at once if it had gone well, otherwise after a growing pause. */
    private void lost(String reason) {
        if (snapshot == null && System.nanoTime() - begun >= SHORT) {
            failures = 0;
            begin(Optional.of(reason));
            return;
        }
        endAttempt();
        failures = Math.min(failures + 1, LONGEST_PAUSE);
        int tried = attempt;
        CompletableFuture.delayedExecutor(FIRST_PAUSE_MILLIS << failures, TimeUnit.MILLISECONDS, backend.workers())
                .execute(() -> mailbox.add(() -> {
                    if (tried == attempt) {
                        begin(Optional.of(reason));
                    }
                }));
    }
}
