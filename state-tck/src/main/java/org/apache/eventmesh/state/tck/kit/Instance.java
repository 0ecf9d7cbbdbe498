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
package org.apache.eventmesh.state.tck.kit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.tck.fault.Cut;
import org.apache.eventmesh.state.tck.fault.FaultEngine;
import org.apache.eventmesh.state.tck.fault.Which;
import org.jspecify.annotations.Nullable;

/**
 * One runtime of a test: a store set of its own, with its member, what its listener heard, and what can happen between it
 * and the backend without another instance noticing.
 */
public final class Instance {
    /** Of every member that the kit joins. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private final String name;
    private final StateStores stores;
    private final Events events;
    private final FaultEngine faults;
    private final FaultEngine sharedFaults;
    private @Nullable Member member;
    private final CompletableFuture<Void> died = new CompletableFuture<>();
    private final List<CompletableFuture<?>> unanswered = new CopyOnWriteArrayList<>();
    private boolean reachable = true;
    private boolean closed;

    /** @param sharedFaults of the shared backend; the same as {@code faults} over one */
    Instance(String name, StateStores stores, Events events, FaultEngine faults, FaultEngine sharedFaults) {
        this.name = name;
        this.stores = stores;
        this.events = events;
        this.faults = faults;
        this.sharedFaults = sharedFaults;
    }

    public String name() {
        return name;
    }

    public StateStores stores() {
        return stores;
    }

    public Events events() {
        return events;
    }

    /**
     * What stands between the store set and the backend. Over two it is the local one, and what is armed for commits and
     * reads hits those of both.
     */
    public FaultEngine faults() {
        return faults;
    }

    /** What stands between the store set and its shared backend; over one the same as {@link #faults}. */
    public FaultEngine sharedFaults() {
        return sharedFaults;
    }

    /** The shared backend is away for this instance, as {@link #cutOff}; the local one is there. */
    public synchronized void cutOffShared() {
        reachable = false;
        sharedFaults.cut(Cut.FAIL);
    }

    /** How many commits the store set handed to its engine so far. */
    public long commits() {
        return faults.commits();
    }

    /** Joined under the instance's name at the first call. */
    public Member member() {
        return member(LEASE);
    }

    /**
     * Joined under the instance's name at the first call.
     *
     * @param lease of the member, when this is that call
     */
    public synchronized Member member(Duration lease) {
        if (member == null) {
            member = Stages.get(stores.join(name, lease));
        }
        return member;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Claims what nobody else holds. */
    public Shard shard(Partition partition) {
        return Stages.get(stores.deliveries().claim(member(), partition))
                .claimed()
                .orElseThrow(() -> new AssertionError(name + " cannot claim " + partition));
    }

    public OwnedClient client(String id) {
        return Stages.get(stores.subscriptions().connect(member(), new ClientId(id)));
    }

    /** As if a signal stopped the process: no call and no answer gets through, and its lease is not renewed. */
    public synchronized void pause() {
        reachable = false;
        cut(Cut.HANG);
    }

    /** As if the process went on: what hung goes on, in its order. */
    public synchronized void resume() {
        faults.heal();
        sharedFaults.heal();
        reachable = true;
    }

    /** The backend is away for this instance: every call fails at once, and the engine says so. */
    public synchronized void cutOff() {
        reachable = false;
        cut(Cut.FAIL);
    }

    public synchronized void heal() {
        resume();
    }

    /** As if the process was killed: nothing that it asked for is under way or will ever be, and nobody is told. */
    public synchronized void crash() {
        reachable = false;
        faults.crash();
        sharedFaults.crash();
    }

    /**
     * The process is killed at a commit of its own, as by {@link #crash}, which must follow when {@link #isDead}.
     *
     * @param commit 1 is the next one
     * @param applied whether that commit gets through; its answer never does
     */
    public void dieAtCommit(int commit, boolean applied) {
        faults.on(Which.nth(commit), apply -> {
            CompletableFuture<CommitResult> never = new CompletableFuture<>();
            unanswered.add(never);
            CompletionStage<?> last = applied ? apply.get() : CompletableFuture.completedStage("not sent");
            // nothing after it gets through; what the core had sent before may still be on its way
            CompletionStage<?> unused = last.whenComplete((done, failure) -> {
                cut(Cut.HANG);
                died.complete(null);
            });
            return never;
        });
    }

    /** Whether the commit of {@link #dieAtCommit} has come. */
    public boolean isDead() {
        return died.isDone();
    }

    /** Completes when it {@link #isDead}. */
    public CompletionStage<Void> died() {
        return died.minimalCompletionStage();
    }

    /** What the library does every third of the lease, made certain: the tests' time runs faster than its threads. */
    synchronized void renew() {
        if (reachable && member != null) {
            Stages.get(member.renew());
        }
    }

    private void cut(Cut how) {
        faults.cut(how);
        sharedFaults.cut(how);
    }

    /** When nobody needs it any more: whatever was done to it, its threads come to an end. The kit does so after a test. */
    public void bury() {
        if (!closed) {
            resume();
        }
        faults.bury();
        sharedFaults.bury();
        unanswered.forEach(answer -> answer.completeExceptionally(new StoreClosedException("the test is over")));
        close();
    }

    /** Closes the store set as a runtime does that ends in good order. */
    public synchronized void close() {
        reachable = false;
        closed = true;
        stores.close();
    }
}
