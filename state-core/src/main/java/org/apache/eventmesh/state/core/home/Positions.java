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

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the shared backend of a set of two knows of the progress in the shards that are owned here. It never knows more than
 * what is synced here, but for a subscriber that is about to enter.
 */
public final class Positions {
    private static final Logger LOG = LoggerFactory.getLogger(Positions.class);

    private final Map<ShardLoop, Publisher> publishers = new ConcurrentHashMap<>();

    /**
     * The shared backend knows where a reset is about to go.
     *
     * @param fenced why it does not
     * @param since when the subscriber had entered or was reset before; empty when the shared backend knew nothing of it
     */
    public record Lowered(Optional<Fenced> fenced, Optional<Since> since) {}

    /**
     * Of subscribers that enter: it is there before they count here. Of one that has entered meanwhile it stays as it is; of
     * two calls that enter one at the same moment either may be the one that counts, so the lower position stands.
     */
    public CompletionStage<Optional<Fenced>> enter(
            ShardLoop loop, Map<Subscriber, Long> at, Optional<String> generation, long number) {
        List<Subscriber> subscribers = List.copyOf(at.keySet());
        return exclusive(loop, () -> {
            // what was seen of an earlier entry must not raise this one
            publisher(loop).forget(subscribers);
            return Crossing.unattended(
                    loop,
                    operation("enter", loop),
                    crossing -> paged(crossing, subscribers, (subscriber, seen, draft) -> {
                        if (loop.look(index -> served(index, subscriber))) {
                            return;
                        }
                        PublishedKey key = key(crossing, subscriber);
                        long from = Objects.requireNonNull(at.get(subscriber));
                        PublishedRecord.Builder record = PublishedRecord.newBuilder()
                                .setPosition(Math.min(from, entered(loop, key, generation, seen)))
                                .setSinceEpoch(loop.token().epoch())
                                .setSinceNumber(number);
                        generation.ifPresent(record::setGeneration);
                        draft.condition(seen.unchanged(key.bytes()))
                                .change(Records.PUBLISHED.put(key.bytes(), record.build()))
                                .change(Change.put(key.bySubscriber(), Records.NOTHING));
                    }));
        });
    }

    /** Where a call under the same token has entered it; nowhere when none did, or that cannot be compared. */
    private static long entered(ShardLoop loop, PublishedKey key, Optional<String> generation, Seen seen) {
        try {
            return seen.get(Records.PUBLISHED, key.bytes())
                    .map(Stored::record)
                    .filter(row -> row.getSinceEpoch() == loop.token().epoch())
                    .filter(row ->
                            !loop.look(index -> index.departures().endedSince(key.subscriber(), row.getSinceNumber())))
                    .filter(row -> generation.isEmpty()
                            || !row.hasGeneration()
                            || row.getGeneration().equals(generation.get()))
                    .map(PublishedRecord::getPosition)
                    .orElse(Long.MAX_VALUE);
        } catch (StateStoreException e) {
            // of an entry that has ended: nobody is served by that row, and the new one takes its place
            return Long.MAX_VALUE;
        }
    }

    /**
     * Before a subscriber is reset here: where another host would begin is never behind where the reset goes to. For whoever
     * runs exclusively.
     *
     * @return what {@link #takeBack} needs when nothing was reset
     */
    public CompletionStage<Lowered> lower(
            Crossing crossing, Subscriber subscriber, long to, Optional<String> generation, long number) {
        PublishedKey key = key(crossing, subscriber);
        Publisher publisher = publisher(crossing.loop());
        Optional<Since> again = publisher.takenBack(subscriber);
        // as the last decision found it, which is the one that counts
        AtomicReference<@Nullable Since> since = new AtomicReference<>(again.orElse(null));
        return paged(crossing, List.of(subscriber), (each, seen, draft) -> {
                    Optional<PublishedRecord> before =
                            seen.get(Records.PUBLISHED, key.bytes()).map(Stored::record);
                    since.set(before.map(row -> again.orElseGet(() -> Since.of(row)))
                            .orElse(null));
                    boolean comparable = before.isPresent()
                            && generation
                                    .map(now -> before.get().hasGeneration()
                                            && before.get().getGeneration().equals(now))
                                    .orElse(true);
                    PublishedRecord.Builder record = before.map(PublishedRecord::toBuilder)
                            .orElseGet(PublishedRecord::newBuilder)
                            .setPosition(comparable ? Math.min(before.get().getPosition(), to) : to)
                            .setSinceEpoch(crossing.loop().token().epoch())
                            .setSinceNumber(number);
                    generation.ifPresent(record::setGeneration);
                    draft.condition(seen.unchanged(key.bytes()))
                            .change(Records.PUBLISHED.put(key.bytes(), record.build()))
                            .change(Change.put(key.bySubscriber(), Records.NOTHING));
                })
                .whenComplete((fenced, failure) -> {
                    // whatever comes of the reset, the row is not as it was published
                    publisher.forget(List.of(subscriber));
                    if (failure != null) {
                        Optional.ofNullable(since.get()).ifPresent(before -> publisher.takeBack(subscriber, before));
                    }
                })
                .thenApply(fenced -> new Lowered(fenced, Optional.ofNullable(since.get())));
    }

    /** The reset was refused here, or failed and certainly did nothing: the next publication says so. As {@link #lower}. */
    public void takeBack(ShardLoop loop, Subscriber subscriber, Lowered lowered) {
        lowered.since().ifPresent(since -> publisher(loop).takeBack(subscriber, since));
    }

    /** Of a subscriber that is forgotten here; nothing when it has entered again. */
    public CompletionStage<Optional<Fenced>> remove(ShardLoop loop, Subscriber subscriber) {
        PublishedKey key = new PublishedKey(loop.token().scope(), subscriber);
        return exclusive(loop, () -> {
            publisher(loop).forget(List.of(subscriber));
            return Crossing.unattended(
                    loop,
                    operation("unpublish", loop),
                    crossing -> crossing.ask(new Unserved(subscriber)).thenCompose(answer -> {
                        if (answer instanceof Unserved.Answer.Lost lost) {
                            return CompletableFuture.completedStage(Optional.of(lost.why()));
                        }
                        return answer instanceof Unserved.Answer.Served
                                ? CompletableFuture.completedStage(Optional.empty())
                                : delete(crossing, key);
                    }));
        });
    }

    private static CompletionStage<Optional<Fenced>> delete(Crossing crossing, PublishedKey key) {
        return paged(crossing, List.of(key.subscriber()), (each, seen, draft) -> {
            if (seen.entry(key.bytes()).isPresent()) {
                draft.condition(seen.unchanged(key.bytes()))
                        .change(Change.delete(key.bytes()))
                        .change(Change.delete(key.bySubscriber()));
            }
        });
    }

    /** Publishes what has moved, as far as it is synced; how many positions those were. */
    public CompletionStage<Long> publish(ShardLoop loop) {
        Publisher publisher = publisher(loop);
        return publisher.exclusive(publisher::publish);
    }

    /** The same, and waits until what has moved is synced. */
    public CompletionStage<Long> flush(ShardLoop loop) {
        Publisher publisher = publisher(loop);
        return publisher.exclusive(publisher::flush);
    }

    /** As {@link #flush}, for whoever runs exclusively. */
    public CompletionStage<Long> publishNow(ShardLoop loop) {
        return publisher(loop).flush();
    }

    /** From time to time: forgets the shards that were lost, and publishes what has moved in those that are owned here. */
    public void tick(Collection<ShardLoop> owned) {
        // a loop leaves the owned ones when it is lost, and whoever asked it last may come back here after that
        publishers.keySet().removeIf(loop -> loop.past().isPresent());
        owned.stream().filter(loop -> loop.past().isEmpty()).forEach(this::tick);
    }

    private void tick(ShardLoop loop) {
        Publisher publisher = publisher(loop);
        if (publisher.idle()) {
            publisher.exclusive(publisher::publish).whenComplete((count, failure) -> {
                if (failure != null) {
                    LOG.debug(
                            "the positions of {} cannot be published yet",
                            loop.token().scope(),
                            failure);
                }
            });
        }
    }

    /** Of how many shards something is remembered. */
    int remembered() {
        return publishers.size();
    }

    /** Runs while nothing of the shard is published. */
    public <T> CompletionStage<T> exclusive(ShardLoop loop, Supplier<CompletionStage<T>> work) {
        return publisher(loop).exclusive(work);
    }

    private Publisher publisher(ShardLoop loop) {
        return publishers.computeIfAbsent(loop, Publisher::new);
    }

    /** What one subscriber adds to a commit. */
    @FunctionalInterface
    interface Part {
        void add(Subscriber subscriber, Seen seen, Draft draft);
    }

    /** As many subscribers in a commit as fit. */
    static CompletionStage<Optional<Fenced>> paged(Crossing crossing, List<Subscriber> subscribers, Part part) {
        int most = Math.max(
                1, Math.min(32, crossing.steps().backend().engine().limits().maxOperations() / 4));
        if (subscribers.isEmpty()) {
            return CompletableFuture.completedStage(Optional.empty());
        }
        List<Subscriber> page = subscribers.subList(0, Math.min(most, subscribers.size()));
        List<Subscriber> rest = subscribers.subList(page.size(), subscribers.size());
        return crossing.shared(
                        keys(crossing, page), (seen, draft) -> decide(page, seen, draft, part), Optional::<Fenced>of)
                .thenCompose(fenced -> fenced.isPresent() || rest.isEmpty()
                        ? CompletableFuture.completedStage(fenced)
                        : paged(crossing, rest, part));
    }

    private static Decision<Optional<Fenced>> decide(List<Subscriber> page, Seen seen, Draft draft, Part part) {
        page.forEach(subscriber -> part.add(subscriber, seen, draft));
        return draft.changesNothing() ? Decision.answer(Optional.empty()) : draft.write(Optional.empty());
    }

    private static Collection<Bytes> keys(Crossing crossing, List<Subscriber> page) {
        return page.stream()
                .map(subscriber -> key(crossing, subscriber).bytes())
                .toList();
    }

    private static PublishedKey key(Crossing crossing, Subscriber subscriber) {
        return new PublishedKey(partition(crossing.loop()), subscriber);
    }

    /** Whether a subscriber has a place. */
    static boolean served(ShardIndex index, Subscriber subscriber) {
        Reader reader = index.reader(subscriber);
        return reader != null && reader.place().isPresent();
    }

    private static Partition partition(ShardLoop loop) {
        return loop.token().scope();
    }

    static Operation operation(String name, ShardLoop loop) {
        return new Operation(StoreName.OFFSETS, name, partition(loop));
    }
}
