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

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps state in an etcd cluster that many processes share. Nothing waits for the network: commits go out in
 * transactions that they share when several have come together, each under a commit slot by which the fate of a lost
 * answer is found out. Everything is synced by a majority of the members; levels of durability make no difference. Open
 * it by {@link EtcdEngineProvider}.
 */
public final class EtcdEngine implements Engine {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdEngine.class);

    /** Above etcd's own limit of 7 s for a request, as long as the deadline of an operation allows that. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(8);

    private static final Duration LAST_CALL = Duration.ofSeconds(1);

    private final String incarnation;
    private final Duration deadline;
    private final Availability availability;
    private final CommitShape shape;
    private final CommitLine line;
    private final Slots slots;
    private final Writing writing;
    private final Questions questions;
    private final EngineReads reads;
    private final EtcdLeases leases;
    private final EtcdWatches watches;
    private final AtomicBoolean closing = new AtomicBoolean();

    EtcdEngine(
            EngineConfig config,
            EtcdSettings settings,
            EtcdClient client,
            KeySpace keys,
            Slots slots,
            List<Slot> first,
            String incarnation,
            History history) {
        this.incarnation = incarnation;
        this.deadline = config.deadline();
        this.slots = slots;
        availability = new Availability(config.uri(), config.listener(), history);
        shape = new CommitShape(settings.maxTxnOps(), settings.maxRequestBytes(), keys.overhead());
        line = new CommitLine(keys, shape, config.uri());
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "eventmesh-state-etcd-timer");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        writing = new Writing(client, keys, availability, line, slots, timer, callDeadline());
        questions = new Questions(writing, patience());
        reads = new EngineReads(questions, keys, settings.maxTxnOps());
        leases = new EtcdLeases(questions);
        watches = new EtcdWatches(client, keys, config.uri(), this::isOurs);
        availability.whenStopped(this::stopped);
        first.forEach(slot -> line.isFree(new Lane(writing, reads, slot)));
        new Pulse(writing, incarnation).start();
    }

    @Override
    public String incarnation() {
        return incarnation;
    }

    /** What is sent goes out on a thread of the network. */
    @Override
    public boolean nonBlocking() {
        return true;
    }

    @Override
    public Limits limits() {
        return shape.limits();
    }

    @Override
    public List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        availability.mustBeOpen();
        long giveUp = System.nanoTime() + patience().toNanos();
        List<CompletionStage<CommitResult>> fates = new ArrayList<>(commits.size());
        List<Pending> pending = new ArrayList<>(commits.size());
        for (Commit commit : commits) {
            try {
                shape.mustFit(commit, availability.backend());
                if (commit.changes().isEmpty()) {
                    fates.add(reads.check(commit));
                } else {
                    Pending one = new Pending(commit, shape.bytes(commit), giveUp);
                    pending.add(one);
                    fates.add(one.stage());
                }
            } catch (LimitExceededException e) {
                fates.add(CompletableFuture.failedStage(e));
            }
        }
        if (line.add(pending)) {
            line.pump();
        } else {
            pending.forEach(one -> one.fail(availability.refusal()));
        }
        return fates;
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        availability.mustBeOpen();
        return reads.read(keys);
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit of a scan is " + limit + "; it must be positive");
        }
        availability.mustBeOpen();
        return reads.scan(range, limit);
    }

    @Override
    public Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
        availability.mustBeOpen();
        Watch watch = watches.watch(range, afterRevision, listener);
        if (availability.hasStopped()) {
            // meanwhile, so that it may not be among those that were ended
            watch.close();
            throw availability.refusal();
        }
        return watch;
    }

    /** Whether a watch heard it from the cluster that was opened; when not, the engine stops. */
    private boolean isOurs(Header header) {
        boolean ours = availability.isOurs(header);
        if (!ours) {
            // not on this thread: it holds the lock of one watch, and all end
            writing.later(0, () -> availability.isAnother(header));
        }
        return ours;
    }

    /** Nothing more is written to what has another history, and nothing told from it. */
    private void stopped(StateStoreException why) {
        line.close(why);
        watches.lost(String.valueOf(why.getMessage()));
    }

    @Override
    public CompletionStage<Lease> lease(Duration timeToLive) {
        return leases.grant(timeToLive);
    }

    @Override
    public CompletionStage<Duration> remaining(long leaseId) {
        return leases.remaining(leaseId);
    }

    @Override
    public long syncedRevision() {
        return availability.asking();
    }

    /** A file on this host would be no copy of what many hosts share. */
    @Override
    public CompletionStage<Void> checkpoint(Path directory) {
        return CompletableFuture.failedStage(new UnsupportedOperationException("checkpoint to " + directory
                + ", asked of " + availability.backend() + ": etcd is saved and restored by its own tools; use"
                + " \"etcdctl snapshot save\" on one member, and restore as docs/etcd.md says"));
    }

    @Override
    public EngineHealth health() {
        return availability.health();
    }

    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        boolean there = !availability.suspect() && !availability.hasStopped();
        availability.close();
        StateStoreException closed = availability.closedNow();
        line.close(closed);
        questions.close();
        watches.close();
        try {
            long patience = there ? deadline.toNanos() / 2 : Math.min(deadline.toNanos() / 2, LAST_CALL.toNanos());
            if (!line.drained(patience)) {
                giveUp();
            }
            if (there) {
                endSlots();
            }
        } catch (InterruptedException e) {
            giveUp();
            Thread.currentThread().interrupt();
        }
        writing.timer().shutdownNow();
        writing.client().close();
    }

    private void giveUp() {
        OutcomeUnknownException unknown = new OutcomeUnknownException("write to " + availability.backend()
                + ": the engine was closed before etcd told what became of it; it may have been applied. Open again and"
                + " read what it was to change, or call again with the same arguments");
        line.underWay().forEach(group -> group.members().forEach(member -> member.fail(unknown)));
    }

    private void endSlots() throws InterruptedException {
        try {
            slots.end(LAST_CALL).toCompletableFuture().get(LAST_CALL.toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("{}: the commit slots stay until their lease ends: {}", availability.backend(), e.toString());
        }
    }

    private Duration callDeadline() {
        Duration most = deadline.multipliedBy(4).dividedBy(5);
        return most.compareTo(LONGEST_CALL) < 0 ? most : LONGEST_CALL;
    }

    /** How long something is tried again that was not done: less than its caller waits. */
    private Duration patience() {
        return deadline.multipliedBy(3).dividedBy(4);
    }
}
