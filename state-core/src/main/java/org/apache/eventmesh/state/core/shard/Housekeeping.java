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

import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.id.Partition;
import org.jspecify.annotations.Nullable;

/** What a loop does by itself, a little at a time: it removes the marks that have ended. */
final class Housekeeping {
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** Marks of one sweep. */
    private static final int MOST = 500;

    private final ShardLoop loop;
    private final Runnable wake;

    /** Guarded by this, as all below; null when there is nothing to keep. */
    private @Nullable LoadedShard kept;

    private boolean sweeping;
    private Deadlines.@Nullable Scheduled tick;
    private Deadlines.@Nullable Scheduled found;

    Housekeeping(ShardLoop loop, Runnable wake) {
        this.loop = loop;
        this.wake = wake;
    }

    /** Starts anew: all marks that stand live as if they were made now. */
    synchronized void loaded(LoadedShard shard) {
        stop();
        kept = shard;
        KeyRange all = ShardKeys.all(Table.MARK, partition());
        KeyRange older = new KeyRange(
                all.from(), ShardKeys.mark(partition(), shard.marks().firstNew()));
        found = backend().deadlines().after(loop.settings().settledMarks(), () -> sweepFound(shard, older));
        tick(shard);
    }

    synchronized void stop() {
        kept = null;
        sweeping = false;
        if (tick != null) {
            tick.cancel();
        }
        if (found != null) {
            found.cancel();
        }
    }

    /** On the loop's thread, between turns. */
    void look(LoadedShard shard) {
        SweepMarks sweep;
        synchronized (this) {
            if (kept != shard || sweeping || !shard.marks().anyEnded()) {
                return;
            }
            sweeping = true;
            sweep = shard.marks().sweep(most());
        }
        loop.enqueue(sweep, new Pending.Answer<>() {
            @Override
            public void done(Boolean swept) {
                swept();
            }

            @Override
            public void failed(Throwable failure) {
                shard.marks().failed(sweep);
                swept();
            }
        });
    }

    private synchronized void swept() {
        sweeping = false;
    }

    /** Wakes a loop that has nothing else to do, so that it looks. */
    private synchronized void tick(LoadedShard shard) {
        if (kept == shard) {
            wake.run();
            tick = backend().deadlines().after(EVERY, () -> tick(shard));
        }
    }

    private void sweepFound(LoadedShard shard, KeyRange rest) {
        if (!keeps(shard)) {
            return;
        }
        backend().scan(rest, most()).whenComplete((slice, failure) -> {
            if (failure != null) {
                later(shard, rest);
            } else {
                sweepFound(shard, rest, slice);
            }
        });
    }

    private void sweepFound(LoadedShard shard, KeyRange rest, Slice slice) {
        List<Entry> page = slice.entries();
        loop.enqueue(new FoundMarks(shard.marks(), page), new Pending.Answer<>() {
            @Override
            public void done(Boolean swept) {
                if (slice.more() && !page.isEmpty()) {
                    sweepFound(shard, rest.after(page.get(page.size() - 1).key()));
                } else {
                    shard.marks().foundSwept();
                }
            }

            @Override
            public void failed(Throwable failure) {
                later(shard, rest);
            }
        });
    }

    private synchronized void later(LoadedShard shard, KeyRange rest) {
        if (kept == shard) {
            found = backend().deadlines().after(EVERY, () -> sweepFound(shard, rest));
        }
    }

    private synchronized boolean keeps(LoadedShard shard) {
        return kept == shard;
    }

    /** Two changes each, and others want room in the same commit. */
    private int most() {
        return Math.max(1, Math.min(MOST, backend().engine().limits().maxOperations() / 4));
    }

    private Backend backend() {
        return loop.backend();
    }

    private Partition partition() {
        return loop.token().scope();
    }
}
