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

/** Which revisions are applied, which of them are synced, and since when the others wait. Times are of the real clock. */
class Progress {
    /** From the oldest write that is not synced to the start of its sync: half of what is promised, for a busy machine. */
    static final Duration SYNC_AFTER = Duration.ofMillis(50);

    /** A sync that takes longer stops the writes: what may be lost with the power is bounded. */
    static final Duration SYNC_WITHIN = Duration.ofSeconds(1);

    private long applied;
    private long synced;
    private boolean waiting;
    private long waitingSince;
    private boolean syncing;
    private long syncingSince;

    /** After opening, where all that was found is synced. */
    synchronized void opened(long revision) {
        applied = revision;
        synced = revision;
        waiting = false;
        syncing = false;
    }

    synchronized void appliedSynced(long revision) {
        applied = revision;
        synced = revision;
        waiting = false;
    }

    /** Says whether this is the first one to wait for the next sync. */
    synchronized boolean appliedUnsynced(long revision, long since) {
        applied = revision;
        if (waiting) {
            return false;
        }
        waiting = true;
        waitingSince = since;
        return true;
    }

    /** Nanoseconds until a sync must begin; {@link Long#MAX_VALUE} when nothing waits. */
    synchronized long untilSync(long now) {
        return waiting ? Math.max(0, waitingSince + SYNC_AFTER.toNanos() - now) : Long.MAX_VALUE;
    }

    /** The revision that the sync which begins now will have synced. */
    synchronized long beginSync(long now) {
        waiting = false;
        syncing = true;
        syncingSince = now;
        return applied;
    }

    synchronized void endSync(long revision) {
        syncing = false;
        synced = Math.max(synced, revision);
    }

    /** The sync under way ended without having said how: what it was for still waits. */
    synchronized void syncBroke() {
        if (syncing) {
            syncing = false;
            waitingSince = waiting ? Math.min(waitingSince, syncingSince) : syncingSince;
            waiting = true;
        }
    }

    /** Whether the sync under way, or the one that should have begun, takes too long to accept more writes. */
    synchronized boolean overdue(long now) {
        long since = syncing ? syncingSince : waiting ? waitingSince : now;
        return now - since > SYNC_WITHIN.toNanos();
    }

    synchronized boolean isSynced() {
        return !waiting && !syncing;
    }

    synchronized long applied() {
        return applied;
    }

    synchronized long synced() {
        return synced;
    }
}
