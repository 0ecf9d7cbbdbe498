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
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.value.Bytes;

/**
 * What the shared backend of a set of two knows of the progress in the shards that are owned here. It never knows more than
 * what is synced here, but for a subscriber that is about to enter.
 */
public final class Positions {
    private final Map<ShardLoop, Publisher> publishers = new ConcurrentHashMap<>();

    /** Of a subscriber that enters: it is there before the subscriber counts here. */
    public CompletionStage<Optional<Fenced>> enter(
            Crossing crossing, Map<Subscriber, Long> at, Optional<String> generation, long number) {
        List<Subscriber> subscribers = List.copyOf(at.keySet());
        return paged(crossing, subscribers, (subscriber, seen, draft) -> {
            PublishedKey key = key(crossing, subscriber);
            PublishedRecord.Builder record = PublishedRecord.newBuilder()
                    .setPosition(Objects.requireNonNull(at.get(subscriber)))
                    .setSinceEpoch(crossing.loop().token().epoch())
                    .setSinceNumber(number);
            generation.ifPresent(record::setGeneration);
            draft.condition(seen.unchanged(key.bytes()))
                    .change(Records.PUBLISHED.put(key.bytes(), record.build()))
                    .change(Change.put(key.bySubscriber(), Records.NOTHING));
        });
    }

    /** Before a subscriber is reset here: where another host would begin is never behind where the reset goes to. */
    public CompletionStage<Optional<Fenced>> lower(
            Crossing crossing, Subscriber subscriber, long to, Optional<String> generation, long number) {
        PublishedKey key = key(crossing, subscriber);
        return paged(crossing, List.of(subscriber), (each, seen, draft) -> {
            Optional<PublishedRecord> before =
                    seen.get(Records.PUBLISHED, key.bytes()).map(Stored::record);
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
        });
    }

    /** Of a subscriber that is forgotten here. */
    public CompletionStage<Optional<Fenced>> remove(ShardLoop loop, Subscriber subscriber) {
        PublishedKey key = new PublishedKey(loop.token().scope(), subscriber);
        return exclusive(
                loop,
                () -> Crossing.unattended(
                        loop,
                        operation("unpublish", loop),
                        crossing -> paged(crossing, List.of(subscriber), (each, seen, draft) -> {
                            if (seen.entry(key.bytes()).isPresent()) {
                                draft.condition(seen.unchanged(key.bytes()))
                                        .change(Change.delete(key.bytes()))
                                        .change(Change.delete(key.bySubscriber()));
                            }
                        })));
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

    /** From time to time, for a shard that is owned here. */
    public void tick(ShardLoop loop) {
        if (loop.past().isPresent()) {
            publishers.remove(loop);
            return;
        }
        Publisher publisher = publisher(loop);
        if (publisher.idle()) {
            var unused = publisher.exclusive(publisher::publish).exceptionally(failure -> 0L);
        }
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

    private static Partition partition(ShardLoop loop) {
        return loop.token().scope();
    }

    static Operation operation(String name, ShardLoop loop) {
        return new Operation(StoreName.OFFSETS, name, partition(loop));
    }
}
