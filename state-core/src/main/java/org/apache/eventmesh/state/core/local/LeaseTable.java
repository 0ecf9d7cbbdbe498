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
package org.apache.eventmesh.state.core.local;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The leases of an engine that has none of its own, by the ticker.
 *
 * <p>A lease that ends stands before every later call that touches its keys: such a call waits until they are deleted.
 * Each key is deleted on condition that it is still as the lease's put left it, so a mistake about who holds a key
 * deletes nothing. A put that was handed over before the end is waited for; other keys do not wait for it.
 */
final class LeaseTable {
    /** Whether a commit may be handed over now. */
    sealed interface Admission {
        /** It may; {@link #decided} must follow. */
        record Entered() implements Admission {}

        /** A lease under which it puts has ended. */
        record Ended(long lease) implements Admission {}

        /** Some of its keys are about to vanish: ask again afterwards. */
        record Wait(CompletionStage<Void> gone) implements Admission {}
    }

    /** Beyond it, the ticker's numbers could not be compared. */
    static final Duration LONGEST = Duration.ofDays(36_500);

    private final LongSupplier ticker;
    private final LeasedKeyDeletes deletes;
    private final Map<Long, HeldLease> live = new HashMap<>();
    private final List<HeldLease> ending = new ArrayList<>();
    private final Map<Bytes, HeldLease> holders = new HashMap<>();
    private long earliestDue;
    private long nextId;

    LeaseTable(LongSupplier ticker, LeasedKeyDeletes deletes) {
        this.ticker = ticker;
        this.deletes = deletes;
        // not a counter from one: a record may still name a lease that an earlier process granted
        this.nextId = new SecureRandom().nextLong(1L << 62) + 1;
    }

    synchronized HeldLease grant(Duration timeToLive) {
        long nanos = timeToLive.toNanos();
        HeldLease lease = new HeldLease(nextId++, nanos, ticker.getAsLong() + nanos);
        if (live.isEmpty() || lease.due - earliestDue < 0) {
            earliestDue = lease.due;
        }
        live.put(lease.id, lease);
        return lease;
    }

    synchronized boolean renew(HeldLease lease) {
        endDue();
        if (!lease.ended) {
            lease.due = ticker.getAsLong() + lease.timeToLive;
        }
        return !lease.ended;
    }

    synchronized CompletionStage<Void> revoke(HeldLease lease) {
        end(lease);
        return lease.gone.copy();
    }

    synchronized Duration remaining(long id) {
        endDue();
        HeldLease lease = live.get(id);
        return lease == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, lease.due - ticker.getAsLong()));
    }

    /** Ends what is due, and tries again to delete what could not be deleted. */
    synchronized void poll() {
        endDue();
        List.copyOf(ending).forEach(this::deleteKeys);
    }

    /** What a call that touches some keys has to wait for first. */
    synchronized Optional<CompletionStage<Void>> before(Predicate<Bytes> touched) {
        endDue();
        if (ending.isEmpty()) {
            return Optional.empty();
        }
        List<HeldLease> inTheWay =
                ending.stream().filter(lease -> lease.holds(touched)).toList();
        inTheWay.forEach(this::deleteKeys);
        return inTheWay.isEmpty()
                ? Optional.empty()
                : Optional.of(CompletableFuture.allOf(
                        inTheWay.stream().map(lease -> lease.gone).toArray(CompletableFuture<?>[]::new)));
    }

    synchronized Admission admit(Commit commit) {
        Optional<CompletionStage<Void>> gone = before(key -> commit.conditions().stream()
                        .anyMatch(condition -> condition.key().equals(key))
                || commit.changes().stream().anyMatch(change -> change.key().equals(key)));
        if (gone.isPresent()) {
            return new Admission.Wait(gone.get());
        }
        for (Change change : commit.changes()) {
            OptionalLong id = lease(change);
            if (id.isPresent() && !live.containsKey(id.getAsLong())) {
                return new Admission.Ended(id.getAsLong());
            }
        }
        for (Change change : commit.changes()) {
            leaseOf(change).ifPresent(lease -> lease.enter(change.key()));
        }
        return new Admission.Entered();
    }

    /** What became of an admitted commit; without a revision it was not applied. */
    synchronized void decided(Commit commit, OptionalLong revision) {
        for (Change change : commit.changes()) {
            Optional<HeldLease> lease = leaseOf(change);
            lease.ifPresent(held -> held.leave(change.key()));
            if (revision.isPresent()) {
                moved(change.key(), lease, revision.getAsLong());
            }
        }
        List.copyOf(ending).forEach(this::deleteKeys);
    }

    private void moved(Bytes key, Optional<HeldLease> to, long revision) {
        HeldLease from = holders.get(key);
        if (from != null) {
            Long since = from.keys.get(key);
            if (since != null && since > revision) {
                // a later change of the key was decided before this one
                return;
            }
            from.keys.remove(key);
            holders.remove(key);
        }
        to.ifPresent(lease -> {
            lease.keys.put(key, revision);
            holders.put(key, lease);
        });
    }

    private Optional<HeldLease> leaseOf(Change change) {
        OptionalLong id = lease(change);
        if (id.isEmpty()) {
            return Optional.empty();
        }
        HeldLease held = live.get(id.getAsLong());
        return held != null
                ? Optional.of(held)
                : ending.stream().filter(lease -> lease.id == id.getAsLong()).findAny();
    }

    private static OptionalLong lease(Change change) {
        return change instanceof Change.Put put ? put.lease() : OptionalLong.empty();
    }

    private void endDue() {
        long now = ticker.getAsLong();
        if (live.isEmpty() || earliestDue - now > 0) {
            return;
        }
        List.copyOf(live.values()).stream()
                .filter(lease -> lease.due - now <= 0)
                .forEach(this::end);
        // renewals have moved the others since the last look
        long next = Long.MAX_VALUE;
        for (HeldLease lease : live.values()) {
            next = Math.min(next, lease.due - now);
        }
        earliestDue = now + next;
    }

    private void end(HeldLease lease) {
        if (lease.ended) {
            deleteKeys(lease);
            return;
        }
        lease.ended = true;
        live.remove(lease.id);
        if (lease.keys.isEmpty() && lease.underWay.isEmpty()) {
            lease.gone.complete(null);
        } else {
            ending.add(lease);
            deleteKeys(lease);
        }
    }

    private void deleteKeys(HeldLease lease) {
        if (lease.deleting || lease.gone.isDone() || !lease.underWay.isEmpty()) {
            return;
        }
        lease.deleting = true;
        CompletionStage<Void> unused = deletes.delete(Map.copyOf(lease.keys))
                .whenComplete((done, failure) -> deleted(lease, Optional.ofNullable(failure)));
    }

    private void deleted(HeldLease lease, Optional<Throwable> failure) {
        CompletableFuture<Void> told;
        synchronized (this) {
            lease.deleting = false;
            told = lease.gone;
            if (failure.isPresent()) {
                lease.gone = new CompletableFuture<>();
            } else {
                ending.remove(lease);
                lease.keys.keySet().forEach(key -> holders.remove(key, lease));
            }
        }
        failure.ifPresentOrElse(told::completeExceptionally, () -> told.complete(null));
    }
}
