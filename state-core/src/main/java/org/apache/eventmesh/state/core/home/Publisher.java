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
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Unreadable;
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

    /** What the rows of those have to say again whose reset was begun and not made. */
    private final Map<Subscriber, Since> takenBack = new HashMap<>();

    /** Whose row cannot be decoded, as far as it was told. */
    private final Set<Subscriber> damaged = new HashSet<>();

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

    /** Runs when all that came before is over, however that ended. */
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

    /**
     * The rows of some are about to be written by something else than a publication: what was seen or published of them
     * counts no more, for it may tell of an entry that has ended. What waits of others goes on waiting.
     */
    void forget(Collection<Subscriber> subscribers) {
        Moment seen = waiting;
        if (seen != null) {
            subscribers.forEach(seen.moved()::remove);
        }
        subscribers.forEach(published::remove);
        subscribers.forEach(takenBack::remove);
        subscribers.forEach(damaged::remove);
    }

    /** What the row of a subscriber has to say again; empty when it says so. */
    Optional<Since> takenBack(Subscriber subscriber) {
        return Optional.ofNullable(takenBack.get(subscriber));
    }

    /** A reset was begun and not made: the next publication says so. */
    void takeBack(Subscriber subscriber, Since before) {
        takenBack.put(subscriber, before);
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
        return Crossing.unattended(loop, Positions.operation("publish", loop), crossing -> {
            Map<Subscriber, Optional<Unreadable>> left = new HashMap<>();
            return Positions.paged(
                            crossing,
                            subscribers,
                            (subscriber, seen, draft) -> add(moment, subscriber, seen, draft, left))
                    .thenApply(fenced -> fenced.isPresent() ? 0L : published(moment, left));
        });
    }

    /** @param left those that were left out, with the damage of their rows where that is why */
    private long published(Moment moment, Map<Subscriber, Optional<Unreadable>> left) {
        moment.moved().forEach((subscriber, progress) -> {
            Optional<Unreadable> why = left.get(subscriber);
            if (why == null) {
                published.put(subscriber, progress);
                takenBack.remove(subscriber);
                damaged.remove(subscriber);
                return;
            }
            // it is tried again and again, and told once
            why.filter(row -> damaged.add(subscriber))
                    .ifPresent(row -> loop.backend().callbacks().tell(to -> to.unreadable(StoreName.OFFSETS, row)));
        });
        return (long) moment.moved().size() - left.size();
    }

    /**
     * Raises it; in another generation of the source the numbers cannot be compared. A row that cannot be decoded stays as
     * it is: nobody knows whether what is here would raise it. Whoever is not served here any more gets no row.
     */
    private void add(
            Moment moment, Subscriber subscriber, Seen seen, Draft draft, Map<Subscriber, Optional<Unreadable>> left) {
        Progress now = Objects.requireNonNull(moment.moved().get(subscriber));
        PublishedKey key = new PublishedKey(loop.token().scope(), subscriber);
        // what counts is the last decision, after the last conflict
        left.remove(subscriber);
        Optional<PublishedRecord> before;
        try {
            before = seen.get(Records.PUBLISHED, key.bytes()).map(Stored::record);
        } catch (StateStoreException e) {
            left.put(subscriber, Optional.of(Codec.unreadable(key.bytes(), e)));
            return;
        }
        if (!loop.look(index -> Positions.served(index, subscriber))) {
            left.put(subscriber, Optional.empty());
            return;
        }
        Since again = takenBack.get(subscriber);
        boolean stands = before.isPresent()
                && now.generation().equals(generation(before.get()))
                && before.get().getPosition() >= now.position();
        if (stands && again == null) {
            return;
        }
        PublishedRecord.Builder record = before.map(PublishedRecord::toBuilder)
                .orElseGet(() ->
                        PublishedRecord.newBuilder().setSinceEpoch(loop.token().epoch()));
        if (!stands) {
            record.setPosition(now.position());
            now.generation().ifPresentOrElse(record::setGeneration, record::clearGeneration);
        }
        if (again != null) {
            record.setSinceEpoch(again.epoch()).setSinceNumber(again.number());
        }
        draft.condition(seen.unchanged(key.bytes()))
                .change(Records.PUBLISHED.put(key.bytes(), record.build()))
                .change(Change.put(key.bySubscriber(), Records.NOTHING));
    }

    private static Optional<String> generation(PublishedRecord record) {
        return record.hasGeneration() ? Optional.of(record.getGeneration()) : Optional.empty();
    }
}
