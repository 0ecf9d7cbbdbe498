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

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/**
 * Keeps state in one local directory. Commits run on their caller's thread, one call at a time; reads on a few threads
 * of the engine's own. Open it by {@link RocksEngineProvider}.
 *
 * <p>A failed write or sync closes the database and opens it again; until that has told what is on disk, the commits
 * concerned stay incomplete and all other calls fail as not applied.
 */
public final class RocksEngine implements Engine {
    private final OpenPlaces.Claim claim;
    private final Path directory;
    private final String incarnation;
    private final Availability availability;
    private final Progress progress = new Progress();
    private final BackgroundSync sync;
    private final WriteLane lane;
    private final ReadPool reads;
    private final EngineClosing closing;

    RocksEngine(
            EngineConfig config,
            RocksSettings settings,
            Path directory,
            OpenPlaces.Claim claim,
            Holder holder,
            OpenDatabase opened) {
        this.claim = claim;
        this.directory = directory;
        incarnation = opened.incarnation();
        availability = new Availability(config.uri(), config.listener(), opened.database());
        Revisions revisions = new Revisions(opened);
        progress.opened(opened.reserved());
        Reopening reopening = new Reopening(
                availability,
                revisions,
                progress,
                incarnation,
                () -> EngineOpening.openAgain(config.uri(), settings, directory));
        sync = new BackgroundSync(availability, progress, reopening);
        lane = new WriteLane(availability, revisions, progress, sync, reopening, config.deadline());
        reads = new ReadPool(availability, settings.readThreads());
        closing = new EngineClosing(
                availability, revisions, progress, sync, reopening, reads, holder, claim, config.deadline());
        sync.start();
    }

    OpenPlaces.Claim claim() {
        return claim;
    }

    @Override
    public String incarnation() {
        return incarnation;
    }

    @Override
    public Limits limits() {
        return CommitShape.LIMITS;
    }

    @Override
    public List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        return lane.commit(commits, level);
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        List<Bytes> wanted = List.copyOf(keys);
        return reads.submit("read " + wanted.size() + " keys", database -> database.entries(wanted));
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("the limit of a scan is " + limit + "; it must be positive");
        }
        // Before the scan begins: what was applied by now is in it.
        return reads.submit("scan", database -> database.scan(range, limit, progress.applied()));
    }

    @Override
    public long syncedRevision() {
        return progress.synced();
    }

    @Override
    public EngineHealth health() {
        EngineHealth now = availability.health();
        String slow = now.up() ? sync.overdue() : null;
        return slow == null ? now : new EngineHealth(false, now.backend(), slow);
    }

    /**
     * Reads every file and compares its checksums: a bit that flipped in a file shows otherwise only when it is read.
     * Takes as long as the disk needs for all its data; other calls go on.
     *
     * @return fails with {@code CorruptStateException} when a file is damaged
     */
    public CompletionStage<Void> verify() {
        return reads.apart("verify all files", database -> {
                    database.verify();
                    return true;
                })
                .thenAccept(verified -> {});
    }

    /** Of hard links where the file system is the same. On a thread of its own; close waits for it, for a deadline. */
    @Override
    public CompletionStage<Void> checkpoint(Path target) {
        return reads.apart("write a checkpoint to " + target, database -> {
                    new CheckpointDirectory(availability.backend(), directory, target).write(database);
                    return true;
                })
                .thenAccept(written -> {});
    }

    @Override
    public void close() {
        closing.close();
    }
}
