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
package org.apache.eventmesh.state.core.home;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.Subscriber;
import org.jspecify.annotations.Nullable;

/**
 * The published positions of one owned shard. What was seen at a moment is published when the commits of that moment are
 * synced, one publication after the other.
 */
final class Publisher {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final ShardLoop loop;

    /** Guarded by this; completes when whatever runs now is over. */
    private CompletableFuture<?> tail = CompletableFuture.completedFuture(null);

    // What follows is for whoever runs exclusively.

    private final Map<Subscriber, Progress> published = new HashMap<>();
    private @Nullable Moment waiting;

    /** Where a subscriber stands. */
    private record Progress(Optional<String> generation, long position) {}

    /**
     * What was seen.
     *
     * @param revision of the newest commit behind it
     */
    private record Moment(Map<Subscriber, Progress> moved, long revision) {}

    Publisher(ShardLoop loop) {
        this.loop = loop;
    }

    /** Whether nothing runs or waits. */
    synchronized boolean idle() {
        return tail.isDone();
    }

    /** Runs when all that came before is over, however that ended. What is seen but not published is seen anew then. */
    <T> CompletionStage<T> exclusive(Supplier<CompletionStage<T>> work) {
        CompletableFuture<T> done = new CompletableFuture<>();
        CompletableFuture<?> before;
        synchronized (this) {
            before = tail;
            tail = done;
        }
        var unused =
                before.whenComplete((any, failure) -> loop.backend().workers().execute(() -> begin(work, done)));
        return done;
    }

    private static <T> void begin(Supplier<CompletionStage<T>> work, CompletableFuture<T> done) {
        try {
            work.get().whenComplete((value, failure) -> {
                if (failure == null) {
                    done.complete(value);
                } else {
                    done.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) {
            done.completeExceptionally(e);
        }
    }

    /** What is synced by now; how many positions. */
    CompletionStage<Long> publish() {
        Moment moment = waiting == null ? see() : waiting;
        if (moment.moved().isEmpty()) {
            waiting = null;
            return CompletableFuture.completedStage(0L);
        }
        if (!synced(moment)) {
            waiting = moment;
            return CompletableFuture.completedStage(0L);
        }
        waiting = null;
        return publish(moment);
    }

    /** What has moved by now, when it is synced. */
    CompletionStage<Long> flush() {
        waiting = null;
        Moment moment = see();
        return moment.moved().isEmpty() ? CompletableFuture.completedStage(0L) : flush(moment);
    }

    private CompletionStage<Long> flush(Moment moment) {
        if (synced(moment)) {
            return publish(moment);
        }
        // of real time: the engine syncs by itself within a tenth of a second
        CompletableFuture<Boolean> later =
                new CompletableFuture<Boolean>().completeOnTimeout(true, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        return later.thenComposeAsync(again -> flush(moment), loop.backend().workers());
    }

    private Moment see() {
        Map<Subscriber, Progress> moved = new HashMap<>();
        loop.look(index -> {
            for (Reader reader : index.readers()) {
                reader.place().ifPresent(place -> {
                    Progress now =
                            new Progress(place.generation(), reader.position().orElseThrow());
                    if (!now.equals(published.get(reader.subscriber()))) {
                        moved.put(reader.subscriber(), now);
                    }
                });
            }
            return moved;
        });
        return new Moment(moved, loop.committed());
    }

    private boolean synced(Moment moment) {
        return loop.backend().engine().syncedRevision() >= moment.revision();
    }

    private CompletionStage<Long> publish(Moment moment) {
        List<Subscriber> subscribers = new ArrayList<>(moment.moved().keySet());
        return Crossing.unattended(
                loop,
                Positions.operation("publish", loop),
                crossing -> Positions.paged(
                                crossing,
                                subscribers,
                                (subscriber, seen, draft) -> add(moment, subscriber, seen, draft))
                        .thenApply(fenced -> {
                            if (fenced.isPresent()) {
                                return 0L;
                            }
                            published.putAll(moment.moved());
                            return (long) subscribers.size();
                        }));
    }

    /** Raises it; in another generation of the source the numbers cannot be compared. */
    private void add(Moment moment, Subscriber subscriber, Seen seen, Draft draft) {
        Progress now = Objects.requireNonNull(moment.moved().get(subscriber));
        PublishedKey key = new PublishedKey(loop.token().scope(), subscriber);
        Optional<PublishedRecord> before =
                seen.get(Records.PUBLISHED, key.bytes()).map(Stored::record);
        if (before.isPresent()
                && now.generation().equals(generation(before.get()))
                && before.get().getPosition() >= now.position()) {
            return;
        }
        PublishedRecord.Builder record = before.map(PublishedRecord::toBuilder)
                .orElseGet(() ->
                        PublishedRecord.newBuilder().setSinceEpoch(loop.token().epoch()))
                .setPosition(now.position());
        now.generation().ifPresent(record::setGeneration);
        draft.condition(seen.unchanged(key.bytes()))
                .change(Records.PUBLISHED.put(key.bytes(), record.build()))
                .change(Change.put(key.bySubscriber(), Records.NOTHING));
    }

    private static Optional<String> generation(PublishedRecord record) {
        return record.hasGeneration() ? Optional.of(record.getGeneration()) : Optional.empty();
    }
}
