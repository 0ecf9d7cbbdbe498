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
package org.apache.eventmesh.state.engine;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/**
 * All that a backend does: a revisioned, ordered key-value space with an atomic conditional commit. It knows keys and
 * bytes; what they mean is written once, above it.
 *
 * <p><b>Keys</b> are never empty and may hold any bytes. They stand in one order, that of unsigned bytes, and a range may
 * span all of them: whatever a backend does to keep kinds of keys apart, a scan does not show it.
 *
 * <p>The one thing a backend must be able to do: compare the revisions of some keys and, only if all are as expected,
 * change some keys, in one atomic and durable step.
 *
 * <p><b>Revisions.</b> Every applied commit has a revision greater than that of every commit applied before it; commits
 * that one call applies together may share one. The revision of a key is that of the last commit that put it. Revisions
 * do not restart when a key is deleted or the engine is reopened.
 *
 * <p><b>Visibility.</b> After a commit's stage has completed with {@link CommitResult.Applied}, every read that starts
 * later, through any instance, sees it.
 *
 * <p><b>Threads.</b> Safe for any number of threads. {@code commit} and {@code read} are called on threads of the core
 * only, never on a user's thread, unless the engine is {@linkplain #nonBlocking non-blocking}; they may do local input and
 * output there, but must not wait for a network: a remote backend returns incomplete stages. Stages may complete on any
 * thread; the core never blocks in a dependent.
 *
 * <p><b>Failures.</b> A stage that fails carries a {@code StateStoreException}:
 * {@code StoreUnavailableException}, {@code OverloadedException} and {@code LimitExceededException} promise that
 * nothing was applied <em>and that nothing will be</em>. An engine that cannot promise that yet leaves the stage
 * incomplete until it can, for example until it has reopened and looked; only when it is closed before it knows does it
 * answer {@code OutcomeUnknownException}. Deadlines are the core's business.
 */
public interface Engine extends AutoCloseable {
    /** As coarse as the time of a backend's leases may be: whoever must not act past the end of one takes this off. */
    Duration LEASE_ROUNDING = Duration.ofSeconds(1);

    /** Random id of this data set's life, written when it was created; a documented restore starts a new one. */
    String incarnation();

    /** What one commit may hold; the core never hands over more. */
    Limits limits();

    /**
     * Whether {@code commit}, {@code read} and {@code scan} return at once, whatever happens: they wait for no disk, no
     * network, no other thread, and no lock that anybody holds while he waits. Then the core calls them on whatever thread
     * it is, also on a user's, and goes on on the engine's thread that completes a stage: it wakes no thread of its own,
     * which costs a part of a round trip.
     */
    default boolean nonBlocking() {
        return false;
    }

    /**
     * Applies each commit by itself, atomically: all its conditions hold and all its changes are made, or nothing is.
     *
     * <p>No commit of one call changes a key that another of the same call changes or conditions on, so the engine may
     * apply them in any order, in one batch with one sync, or in shared transactions. Several may condition on the same
     * key. Commits of different calls may touch the same keys; each call is serialised against them by its conditions.
     *
     * @param level what a stage that completes with {@code Applied} has survived; see {@link Durability}. An engine
     *     that has only one kind of durability ignores it
     * @return one stage for each commit, in order; each completes as soon as the fate of its commit is known for certain
     */
    List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level);

    /**
     * The present entries of the keys, all as of one moment: of a commit that changes several of them, a read shows all or
     * nothing. Absent ones are left out; in no particular order. May be asked for no key, and for one key twice, which it
     * then tells once.
     */
    CompletionStage<List<Entry>> read(Collection<Bytes> keys);

    /**
     * The first entries of the range, ascending in unsigned byte order, at most {@code limit} (and possibly fewer, but at
     * least one where the range holds any).
     *
     * @param limit at least 1
     */
    CompletionStage<Slice> scan(KeyRange range, int limit);

    /**
     * The highest revision that is known to survive power loss; from a local copy. With one kind of durability: the
     * highest revision applied.
     */
    long syncedRevision();

    /**
     * Delivers every change of the range after a revision, in order and without a gap, until it is closed, or until
     * {@link WatchEvent.Lost} says that the changes cannot be had any more, which ends the watch.
     *
     * <p>Needs {@link Capability#WATCH_HISTORY}; for an engine without {@link Capability#MULTI_PROCESS} the core keeps
     * the history itself.
     *
     * @param listener called in order and never concurrently; it only enqueues
     */
    default Watch watch(KeyRange range, long afterRevision, WatchListener listener) {
        throw new UnsupportedOperationException("this engine does not declare WATCH_HISTORY");
    }

    /**
     * Grants a lease. Needs {@link Capability#LEASES}; for an engine without {@link Capability#MULTI_PROCESS} the core
     * keeps leases itself.
     */
    default CompletionStage<Lease> lease(Duration timeToLive) {
        throw new UnsupportedOperationException("this engine does not declare LEASES");
    }

    /**
     * What is left of a lease that any instance granted; zero when it has ended, and never negative. It may be rounded up,
     * by at most {@link #LEASE_ROUNDING}. Needs {@link Capability#LEASES}.
     */
    default CompletionStage<Duration> remaining(long leaseId) {
        throw new UnsupportedOperationException("this engine does not declare LEASES");
    }

    /**
     * Writes a copy of all data, as of one moment, into a new directory while the engine is in use. Every commit whose
     * stage had completed before the call is in it, and of each commit all or nothing. Opened by the same provider at its
     * own address, the copy is another {@link #incarnation} with the entries and revisions of that moment. The directory
     * appears when all of it is synced, and not before.
     *
     * <p>Needs {@link Capability#CHECKPOINTS}. Returns at once; the core calls it on any thread, and bounds how long a
     * caller waits, not the writing.
     *
     * @param directory absolute
     * @return fails with {@code StoreUnavailableException} when the directory exists or cannot be written, and then leaves
     *     nothing of it. Without the capability: with {@link UnsupportedOperationException}, which says what to use instead
     */
    default CompletionStage<Void> checkpoint(Path directory) {
        return CompletableFuture.failedStage(new UnsupportedOperationException("the backend "
                + health().backend() + " writes no checkpoint to " + directory
                + "; save and restore its data as its own documentation says"));
    }

    /**
     * Whether the backend answers, from a local copy; may be asked at any time and waits for nothing. After close: not up,
     * with an advice that says so, or {@code StoreClosedException}.
     */
    EngineHealth health();

    /**
     * Lets calls under way finish or fail with {@code StoreClosedException}, then gives back everything it holds. May
     * be called twice. Use after close is that exception, never a crash of the JVM. Data that was applied at
     * {@link Durability#PROCESS} is synced.
     */
    @Override
    void close();
}
