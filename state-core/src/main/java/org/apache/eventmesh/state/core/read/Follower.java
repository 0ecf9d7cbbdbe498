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

import java.time.Duration;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Report;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a range for as long as the backend is open: a consistent snapshot, then every change in order. When the changes
 * cannot be had any more, or the watch is silent although the backend moves on, it begins again with a snapshot and says
 * why. All that it does is serial; its pauses are of real time, since nothing but its liveness hangs on them.
 */
final class Follower implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final int PAGE = 512;
    private static final int MAX_WAITING = 100_000;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final int MAX_DOUBLINGS = 7;
    private static final Duration ASK_EVERY = Duration.ofMillis(500);

    /** An attempt that ends sooner is a failed one, although its snapshot was good. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Backend backend;
    private final KeyRange range;
    private final Target target;
    private final Pace pace;
    private final Mailbox mailbox;
    private final Comparison comparison = new Comparison();

    /** In the mailbox only, as all below but {@code overrun}. What belongs to an earlier attempt is stale. */
    private int attempt;

    private int failures;
    private int sinceComparison;
    private long begun;
    private Optional<String> why = Optional.empty();
    private boolean closed;
    private Freshness freshness = new Freshness();
    private @Nullable Snapshot snapshot;
    private @Nullable Watch watch;
    private volatile int overrun;

    /**
     * How often it does what it does from time to time, counted in the questions that it asks the backend, two a second.
     *
     * @param silence after so many without a word of a watch that is behind, the watch is taken as lost
     * @param comparison after so many, all is listed and held against what the watch has told
     */
    record Pace(int silence, int comparison) {
        /** Half a minute, and ten minutes. */
        static final Pace USUAL = new Pace(60, 1_200);
    }

    /** Who wants to know; called serially. */
    interface Target {
        /** Everything anew; {@code why} is empty the first time. */
        void replaced(NavigableMap<Bytes, Entry> all, Optional<String> why);

        void changed(WatchEvent.Changed change);

        /** What was told so far was all that there was at this time of {@link Backend#deadlines}. */
        void equalAt(long time);
    }

    Follower(Backend backend, KeyRange range, Target target, Pace pace) {
        this.backend = backend;
        this.range = range;
        this.target = target;
        this.pace = pace;
        this.mailbox = new Mailbox(backend.workers(), MAX_WAITING);
    }

    void start() {
        mailbox.add(this::begin);
        later(ASK_EVERY, this::ask);
    }

    @Override
    public void close() {
        mailbox.add(() -> {
            closed = true;
            endAttempt();
        });
    }

    private void begin() {
        if (!closed) {
            endAttempt();
            snapshot = new Snapshot();
            freshness = new Freshness();
            begun = System.nanoTime();
            scan(range);
        }
    }

    private void endAttempt() {
        attempt++;
        snapshot = null;
        comparison.stop();
        if (watch != null) {
            watch.close();
            watch = null;
        }
    }

    private void scan(KeyRange rest) {
        int tried = attempt;
        long asked = backend.deadlines().now();
        backend.scan(rest, PAGE)
                .whenComplete((page, failure) -> inAttempt(tried, () -> {
                    if (failure == null) {
                        scanned(rest, page, asked);
                    } else if (!(failure instanceof StoreClosedException)) {
                        lost("reading the snapshot failed: " + failure.getMessage());
                    }
                }));
    }

    private void scanned(KeyRange rest, Slice page, long asked) {
        Snapshot open = snapshot;
        if (open == null) {
            return;
        }
        open.add(page);
        if (watch == null) {
            int tried = attempt;
            open.reached(page.revision());
            watch = backend.engine().watch(range, page.revision(), event -> enqueue(tried, event));
        }
        if (page.more()) {
            scan(rest.after(page.entries().get(page.entries().size() - 1).key()));
        } else {
            freshness.backendIsAt(page.revision(), asked);
            publish(open);
        }
    }

    /** Called by the engine: only enqueues. */
    private void enqueue(int tried, WatchEvent event) {
        if (overrun != tried && !mailbox.offer(() -> guarded(() -> happened(tried, event)))) {
            overrun = tried;
            inAttempt(tried, () -> lost("more than " + MAX_WAITING + " changes waited"));
        }
    }

    private void happened(int tried, WatchEvent event) {
        if (tried != attempt) {
            return;
        }
        if (event instanceof WatchEvent.Lost lost) {
            lost(lost.reason());
        } else if (event instanceof WatchEvent.Progress progress) {
            reached(progress.revision());
        } else if (event instanceof WatchEvent.Changed change) {
            // more events of its revision may follow, so only what was before it is known to be whole
            reached(change.revision() - 1);
            if (snapshot == null) {
                tell(change);
            } else {
                snapshot.add(change);
            }
        }
    }

    private void tell(WatchEvent.Changed change) {
        comparison.changed(change);
        target.changed(change);
    }

    private void reached(long revision) {
        if (snapshot != null) {
            snapshot.reached(revision);
            publish(snapshot);
        } else {
            if (freshness.reached(revision)) {
                target.equalAt(freshness.askedAt());
            }
            compared(revision);
        }
    }

    private void compared(long revision) {
        comparison
                .reached(revision)
                .ifPresent(record -> lost("a listing differs from what the watch has told, in " + record));
    }

    private void publish(Snapshot open) {
        if (open.consistent()) {
            snapshot = null;
            comparison.replaced(open.entries());
            target.replaced(open.entries(), why);
            open.ahead().forEach(this::tell);
            if (freshness.reached(open.revision())) {
                target.equalAt(freshness.askedAt());
            }
        }
    }

    /** Begins again: at once if it had gone well for a while, otherwise after a growing pause. */
    private void lost(String reason) {
        boolean wasGood = snapshot == null && System.nanoTime() - begun >= SHORT.toNanos();
        why = Optional.of(reason);
        if (wasGood) {
            failures = 0;
            begin();
        } else {
            endAttempt();
            int tried = attempt;
            failures = Math.min(failures + 1, MAX_DOUBLINGS);
            later(FIRST_PAUSE.multipliedBy(1L << failures), () -> inAttempt(tried, this::begin));
        }
    }

    /** From time to time: how far is the backend, and does the watch keep up? */
    private void ask() {
        mailbox.add(() -> {
            if (closed) {
                return;
            }
            later(ASK_EVERY, this::ask);
            if (snapshot != null || watch == null) {
                return;
            }
            if (++sinceComparison >= pace.comparison()) {
                sinceComparison = 0;
                compare();
            }
            int tried = attempt;
            long asked = backend.deadlines().now();
            if (freshness.silentFor(pace.silence())) {
                lost("the watch was silent while the backend moved on");
                return;
            }
            backend.scan(range, 1)
                    .whenComplete((page, failure) -> inAttempt(tried, () -> {
                        if (failure == null && snapshot == null && freshness.backendIsAt(page.revision(), asked)) {
                            target.equalAt(freshness.askedAt());
                        }
                    }));
        });
    }

    private void compare() {
        if (!comparison.isUnderWay()) {
            comparison.begin();
            list(range);
        }
    }

    private void list(KeyRange rest) {
        int tried = attempt;
        backend.scan(rest, PAGE)
                .whenComplete((page, failure) -> inAttempt(tried, () -> {
                    if (failure != null) {
                        comparison.stop();
                        return;
                    }
                    comparison.add(page);
                    if (page.more()) {
                        list(rest.after(
                                page.entries().get(page.entries().size() - 1).key()));
                    } else {
                        compared(freshness.reached());
                    }
                }));
    }

    private void inAttempt(int tried, Runnable task) {
        mailbox.add(() -> {
            if (tried == attempt) {
                guarded(task);
            }
        });
    }

    /** A change that a bug has swallowed must not leave the copy wrong in silence. */
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            lost("following failed: " + e.getMessage());
            Report.error(LOG, "following " + KeyText.of(range.from()) + " failed; it begins again", e);
        }
    }

    private void later(Duration pause, Runnable task) {
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, backend.workers())
                .execute(task);
    }
}
