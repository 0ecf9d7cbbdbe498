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
package org.apache.eventmesh.state.core.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.engine.WatchListener;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** One instance's way to a shared engine, on which answers are held back and watches break. */
public class StubbornEngine implements Engine {
    private final Engine shared;
    private final List<Runnable> heldBack = new ArrayList<>();
    private final List<Broken> watches = new CopyOnWriteArrayList<>();
    private volatile boolean coarse;
    private final Queue<Error> leaseErrors = new ConcurrentLinkedQueue<>();
    private final AtomicInteger thrown = new AtomicInteger();
    private final AtomicReference<Runnable> beforeCommit = new AtomicReference<>(() -> {});
    private volatile boolean holding;
    private volatile boolean holdingLeases;
    private volatile boolean away;
    private volatile boolean closed;

    private record Broken(Watch watch, WatchListener listener) {}

    public StubbornEngine(Engine shared) {
        this.shared = shared;
    }

    /** Commits are applied, and nobody hears of it. */
    public void holdAnswers() {
        holding = true;
    }

    /** How many answers are held back. */
    public synchronized int holding() {
        return heldBack.size();
    }

    /** Leases are granted and renewed, and nobody hears of it; of those that have ended neither. */
    public void holdLeases() {
        holdingLeases = true;
    }

    /** Done once, when the next commit was decided and before it is applied. */
    public void beforeCommit(Runnable once) {
        beforeCommit.set(once);
    }

    /** What its health says. */
    public void away(boolean gone) {
        away = gone;
    }

    public boolean closed() {
        return closed;
    }

    /** All held answers arrive, late. */
    public synchronized void release() {
        holding = false;
        holdingLeases = false;
        heldBack.forEach(Runnable::run);
        heldBack.clear();
    }

    /** Ends all watches, as a broken connection does; what happens in {@code meanwhile} they never tell. */
    public void breakWatches(Runnable meanwhile) {
        List<Broken> broken = List.copyOf(watches);
        watches.clear();
        broken.forEach(each -> each.watch().close());
        meanwhile.run();
        broken.forEach(each -> each.listener().on(new WatchEvent.Lost("broken on purpose")));
    }

    @Override
    public List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        beforeCommit.getAndSet(() -> {}).run();
        List<CompletionStage<CommitResult>> fates = new ArrayList<>();
        for (CompletionStage<CommitResult> fate : shared.commit(commits, level)) {
            fates.add(holding ? late(fate) : fate);
        }
        return fates;
    }

    private <T> CompletionStage<T> late(CompletionStage<T> fate) {
        CompletableFuture<T> late = new CompletableFuture<>();
        synchronized (this) {
            heldBack.add(() -> fate.whenComplete((result, failure) -> {
                if (failure == null) {
                    late.complete(result);
                } else {
                    late.completeExceptionally(failure);
                }
            }));
        }
        return late;
    }

    @Override
    public Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
        Watch watch = shared.watch(range, afterRevision, listener);
        watches.add(new Broken(watch, listener));
        return watch;
    }

    @Override
    public String incarnation() {
        return shared.incarnation();
    }

    @Override
    public Limits limits() {
        return shared.limits();
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return shared.read(keys);
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return shared.scan(range, limit);
    }

    @Override
    public long syncedRevision() {
        return shared.syncedRevision();
    }

    @Override
    public CompletionStage<Lease> lease(Duration timeToLive) {
        throwNext();
        CompletionStage<Lease> granted = shared.lease(timeToLive).thenApply(Throwing::new);
        return holdingLeases ? late(granted) : granted;
    }

    /** The next grants and renewals of leases throw these, one each. */
    public void leasesThrow(List<? extends Error> errors) {
        leaseErrors.addAll(errors);
    }

    /** How many of them were thrown. */
    public int leaseErrors() {
        return thrown.get();
    }

    private void throwNext() {
        Error next = leaseErrors.poll();
        if (next != null) {
            thrown.incrementAndGet();
            throw next;
        }
    }

    /** From now on what is left of leases is told in whole seconds, rounded up. */
    public void roundLeasesUp() {
        coarse = true;
    }

    private final class Throwing implements Lease {
        private final Lease good;

        Throwing(Lease good) {
            this.good = good;
        }

        @Override
        public long id() {
            return good.id();
        }

        @Override
        public CompletionStage<Boolean> renew() {
            throwNext();
            return holdingLeases ? late(good.renew()) : good.renew();
        }

        @Override
        public CompletionStage<Void> revoke() {
            return good.revoke();
        }
    }

    @Override
    public CompletionStage<Duration> remaining(long leaseId) {
        CompletionStage<Duration> left = shared.remaining(leaseId);
        // as a server that knows whole seconds and says more rather than nothing
        return coarse
                ? left.thenApply(exact -> exact.isZero() ? exact : Duration.ofSeconds(exact.toSeconds() + 1))
                : left;
    }

    @Override
    public EngineHealth health() {
        return away ? new EngineHealth(false, "map:", "gone on purpose; wait") : shared.health();
    }

    @Override
    public void close() {
        closed = true;
    }
}
