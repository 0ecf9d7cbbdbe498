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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Durability;
import org.rocksdb.RocksDBException;

/**
 * The one way to write: conditions are checked and changes made by one caller at a time, on the caller's thread (a lone
 * caller that writes itself is several times as fast as one that wakes a writer).
 */
final class WriteLane {
    private final Availability availability;
    private final Revisions revisions;
    private final Progress progress;
    private final BackgroundSync sync;
    private final Reopening reopening;
    private final Duration deadline;

    WriteLane(
            Availability availability,
            Revisions revisions,
            Progress progress,
            BackgroundSync sync,
            Reopening reopening,
            Duration deadline) {
        this.availability = availability;
        this.revisions = revisions;
        this.progress = progress;
        this.sync = sync;
        this.reopening = reopening;
        this.deadline = deadline;
    }

    /** Nobody sees the stages before they are returned, so completing them while the turn is held runs no dependent. */
    List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        CommitShape.check(commits);
        List<CompletableFuture<CommitResult>> stages = new ArrayList<>(commits.size());
        commits.forEach(commit -> stages.add(new CompletableFuture<>()));
        try {
            takeTurn();
            try {
                decide(commits, stages, level);
            } finally {
                revisions.endTurn();
            }
        } catch (StateStoreException e) {
            fail(stages, e);
        }
        return List.copyOf(stages);
    }

    /** Says at once what need not be waited for: that it is closed or away. */
    private void takeTurn() {
        availability.mustBeThere();
        if (!revisions.takeTurn(deadline)) {
            throw new StoreUnavailableException("not written to " + availability.backend()
                    + ": a write before this one has not come back; look for a slow or full disk, then try again");
        }
    }

    private void decide(List<Commit> commits, List<CompletableFuture<CommitResult>> stages, Durability level) {
        Database database = availability.database();
        sync.refuseWhenOverdue();
        Batch batch = new Batch();
        List<CompletableFuture<CommitResult>> checked = new ArrayList<>();
        for (int i = 0; i < commits.size(); i++) {
            Commit commit = commits.get(i);
            CompletableFuture<CommitResult> stage = stages.get(i);
            try {
                CommitShape.mustFit(commit, availability.backend());
                Optional<CommitResult> refused = refused(database, commit);
                if (refused.isPresent()) {
                    stage.complete(refused.get());
                } else if (commit.changes().isEmpty()) {
                    checked.add(stage);
                } else {
                    batch.add(commit, stage);
                }
            } catch (RocksDBException e) {
                stage.completeExceptionally(Failures.of("check the conditions of a commit", availability.backend(), e));
            } catch (Guard.ClosedException e) {
                stage.completeExceptionally(availability.refusal());
            } catch (StateStoreException e) {
                stage.completeExceptionally(e);
            }
        }
        if (!checked.isEmpty()) {
            tellChecked(database, checked, level);
        }
        if (!batch.isEmpty()) {
            write(database, batch, level);
        }
    }

    /** What only checks is no write, and has no revision of its own: it tells that of the state that it saw. */
    private void tellChecked(Database database, List<CompletableFuture<CommitResult>> checked, Durability level) {
        long revision = progress.applied();
        if (level == Durability.DISK && !progress.isSynced()) {
            try {
                database.sync();
            } catch (RocksDBException e) {
                reopening.afterSync(database, e);
                fail(checked, Failures.of("sync what a commit has seen", availability.backend(), e));
                return;
            } catch (Guard.ClosedException e) {
                fail(checked, availability.refusal());
                return;
            }
            progress.appliedSynced(revision);
        }
        checked.forEach(stage -> stage.complete(new CommitResult.Applied(revision)));
    }

    private Optional<CommitResult> refused(Database database, Commit commit) throws RocksDBException {
        boolean holds = true;
        for (Condition condition : commit.conditions()) {
            holds = holds && database.revision(condition.key()) == condition.revision();
        }
        if (holds) {
            return Optional.empty();
        }
        List<Entry> current = new ArrayList<>();
        for (Condition condition : commit.conditions()) {
            database.entry(condition.key()).ifPresent(current::add);
        }
        return Optional.of(new CommitResult.Refused(current));
    }

    private void write(Database database, Batch batch, Durability level) {
        long revision = revisions.next();
        boolean reserve = revisions.mustReserve();
        // No revision is answered that a power loss could make the next opening hand out again.
        boolean synced = reserve || level == Durability.DISK;
        long began = System.nanoTime();
        try {
            database.write(
                    batch.changes(),
                    revision,
                    reserve ? OptionalLong.of(revisions.raised()) : OptionalLong.empty(),
                    synced);
        } catch (WriteFailedException e) {
            reopening.afterWrite(database, e.failure(), new Doubt(revision, batch.stages()));
            return;
        } catch (RocksDBException e) {
            fail(batch.stages(), Failures.of("build a batch", availability.backend(), e));
            return;
        } catch (Guard.ClosedException e) {
            fail(batch.stages(), availability.refusal());
            return;
        }
        revisions.written();
        if (synced) {
            progress.appliedSynced(revision);
        } else {
            sync.applied(revision, began);
        }
        batch.stages().forEach(stage -> stage.complete(new CommitResult.Applied(revision)));
    }

    private static void fail(List<CompletableFuture<CommitResult>> stages, StateStoreException why) {
        stages.forEach(stage -> stage.completeExceptionally(why));
    }
}
