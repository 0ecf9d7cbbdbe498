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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** A shard in memory: decides batches on its index, and follows the fate of their commits. */
final class LoadedShard {
    private final ShardSettings settings;
    private final Limits limits;
    private final Sides sides;
    private final ShardIndex index;
    private final Numbers numbers;
    private final Told watermark;
    private final MarkLives marks;
    private Fence fence;

    /** How many of the open deliveries are in the budget. */
    private long charged;

    private boolean forgotten;
    private volatile long committed;

    LoadedShard(ShardLoad.Outcome.Loaded loaded, ShardSettings settings, Sides sides, Told watermark) {
        this.settings = settings;
        this.limits = sides.local().engine().limits();
        this.sides = sides;
        this.index = loaded.index();
        this.numbers = loaded.numbers();
        this.watermark = watermark;
        this.marks = new MarkLives(
                settings.settledMarks().toNanos(),
                sides.local().deadlines()::now,
                loaded.numbers().first());
        this.fence = loaded.fence();
        watermark.start(index.watermark());
        charge();
    }

    Fence fence() {
        return fence;
    }

    MarkLives marks() {
        return marks;
    }

    /** Between turns only: what it holds then is committed. */
    ShardIndex index() {
        return index;
    }

    /** What is committed, for any thread, also while a commit is under way. */
    synchronized <T> T look(Function<ShardIndex, T> view) {
        return index.committed(() -> view.apply(index));
    }

    /** The newest revision; for any thread. */
    long committed() {
        return committed;
    }

    /** For any thread, at any time. */
    Optional<OutstandingRecord> outstanding(long number) {
        return Optional.ofNullable(index.outstanding().get(number));
    }

    /** For any thread, at any time. */
    Optional<OpenDelivery> givenUp(long number) {
        return Optional.ofNullable(index.givenUp().get(number));
    }

    synchronized Decided decide(List<Pending<?>> batch, Fetched fetched) {
        DraftCommit commit = new DraftCommit(fence, limits, fetched, settings.durability() == Durability.DISK);
        ShardDraft draft =
                new ShardDraft(fence, sides, index, numbers, commit, settings, charged, Millis.now(settings.clock()));
        List<Pending<?>> decided = new ArrayList<>(batch.size());
        List<Decided.Failed> failed = new ArrayList<>();
        Bytes missing = null;
        int next = 0;
        for (; next < batch.size(); next++) {
            Pending<?> pending = batch.get(next);
            if (!pending.take()) {
                continue;
            }
            int steps = index.mark();
            DraftCommit.Mark mark = commit.mark();
            Throwable failure = null;
            boolean cut = false;
            try {
                pending.decide(draft);
                if (!commit.fits()) {
                    cut = !decided.isEmpty();
                    failure = cut ? null : tooMuch();
                }
            } catch (NoRoom e) {
                cut = !decided.isEmpty();
                failure = cut ? null : tooMuch();
            } catch (MissingRecord e) {
                cut = true;
                missing = e.key();
            } catch (Throwable e) {
                failure = e;
            }
            if (cut || failure != null) {
                index.undo(steps);
                commit.undo(mark);
            }
            if (cut) {
                pending.giveBack();
                break;
            }
            if (failure == null) {
                decided.add(pending);
            } else {
                failed.add(new Decided.Failed(pending, failure));
            }
        }
        Bytes shardKey = fence.loaded().key();
        return new Decided(
                commit,
                commit.build(index, numbers, shardKey),
                numbers.reserving(),
                decided,
                failed,
                batch.subList(next, batch.size()),
                missing);
    }

    synchronized void applied(Decided turn, long revision) {
        index.commit(revision, turn.draft().touched());
        committed = Math.max(committed, revision);
        if (turn.reserving()) {
            numbers.committed();
            fence = fence.written(revision);
        }
        turn.draft().readers().forEach(subscriber -> {
            Reader reader = index.reader(subscriber);
            if (reader != null) {
                reader.written(reader.position().orElse(-1));
            }
        });
        if (!turn.commit().changes().isEmpty()) {
            watermark.committed(revision, index.watermark());
        }
        marks.committed(index, turn.draft().marked(), turn.draft().confirmed());
        charge();
    }

    /** Nothing of it was applied, and nothing will be. */
    synchronized void failed(Decided turn) {
        index.undo(0);
        if (turn.reserving()) {
            numbers.failed();
        }
    }

    /** It is given up: its open deliveries count no more. */
    synchronized void forget() {
        settings.budget().add(-charged);
        charged = 0;
        forgotten = true;
    }

    private void charge() {
        if (forgotten) {
            return;
        }
        settings.budget().add(index.size() - charged);
        charged = index.size();
    }

    private LimitExceededException tooMuch() {
        return new LimitExceededException("it needs more than one commit of the backend may hold, which is "
                + limits.maxOperations() + " operations and " + limits.maxBytes()
                + " bytes; nothing was applied, ask for less at once");
    }
}
