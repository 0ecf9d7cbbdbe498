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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** Hands commits to the engine, and what became of them to the history, in order. */
final class PublishedCommits {
    /** Where a scan that only asks for the revision looks. */
    static final KeyRange LITTLE = new KeyRange(Bytes.of((byte) 0), Bytes.of((byte) 1));

    private final Engine engine;
    private final LocalRanges ranges;
    private final History history;
    private final CommitOrder order;
    private final LocalWatches watches;
    private final AtomicBoolean resuming = new AtomicBoolean();

    PublishedCommits(Engine engine, LocalRanges ranges, History history, CommitOrder order, LocalWatches watches) {
        this.engine = engine;
        this.ranges = ranges;
        this.history = history;
        this.order = order;
        this.watches = watches;
    }

    /** As {@link Engine#commit}; never throws. */
    List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        List<Long> numbers = commits.stream().map(commit -> order.handOver()).toList();
        List<CompletionStage<CommitResult>> stages = handOver(commits, level);
        List<CompletionStage<CommitResult>> published = new ArrayList<>(stages.size());
        for (int i = 0; i < commits.size(); i++) {
            published.add(published(numbers.get(i), commits.get(i), stages.get(i)));
        }
        return published;
    }

    private CompletionStage<CommitResult> published(long number, Commit commit, CompletionStage<CommitResult> stage) {
        try {
            return stage.whenComplete((result, failure) -> {
                if (failure != null) {
                    failed(number, failure);
                } else {
                    decided(number, commit, result);
                }
            });
        } catch (RuntimeException | Error e) {
            // a commit of which nobody hears any more would hold back all that come after it
            failed(number, e);
            return CompletableFuture.failedStage(e);
        }
    }

    private List<CompletionStage<CommitResult>> handOver(List<Commit> commits, Durability level) {
        try {
            List<Commit> plain =
                    commits.stream().map(PublishedCommits::withoutLeases).toList();
            List<CompletionStage<CommitResult>> stages = engine.commit(plain, level);
            if (stages.size() == commits.size()) {
                return stages;
            }
            throw new IllegalStateException(
                    "the engine answered %d commits with %d stages".formatted(commits.size(), stages.size()));
        } catch (RuntimeException | Error e) {
            // an Error too: else these commits would be under way for ever, and hold back all that come after them
            return commits.stream()
                    .map(commit -> CompletableFuture.<CommitResult>failedStage(e))
                    .toList();
        }
    }

    /** The engine below has no leases. */
    private static Commit withoutLeases(Commit commit) {
        boolean leased = commit.changes().stream()
                .anyMatch(change ->
                        change instanceof Change.Put put && put.lease().isPresent());
        return leased
                ? new Commit(
                        commit.conditions(),
                        commit.changes().stream()
                                .map(change -> change instanceof Change.Put put
                                        ? new Change.Put(put.key(), put.value(), OptionalLong.empty())
                                        : change)
                                .toList())
                : commit;
    }

    private void decided(long number, Commit commit, CommitResult result) {
        boolean published = result instanceof CommitResult.Applied applied
                ? order.applied(number, applied.revision(), ranges.remembered(commit.changes()))
                : order.notApplied(number);
        signal(published);
    }

    private void failed(long number, Throwable failure) {
        signal(Failure.isCertainlyNotApplied(failure) ? order.notApplied(number) : order.unknown(number));
    }

    /** Most commits change nothing that is watched; waking a thread for each would cost more than the commit. */
    private void signal(boolean published) {
        if (published) {
            watches.signal();
        }
    }

    CompletionStage<Slice> scan(KeyRange range, int limit) {
        return engine.scan(range, limit).whenComplete((slice, failure) -> {
            if (slice != null) {
                order.seen(slice.revision());
            }
        });
    }

    long highestSeen() {
        return order.highestSeen();
    }

    /** After the history was lost: asks from where on it can be whole again. */
    void resume() {
        if (history.isForgotten() && resuming.compareAndSet(false, true)) {
            CompletionStage<Slice> unused = Failure.caught(() -> engine.scan(LITTLE, 1))
                    .whenComplete((slice, failure) -> {
                        resuming.set(false);
                        if (slice != null) {
                            order.resumeAt(slice.revision());
                        }
                    });
        }
    }
}
