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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Callbacks;
import org.apache.eventmesh.state.core.commit.Deadlines;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.interleaving.Interleavings;
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.ShardRecord;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** However the loop and those who look take turns, everybody sees whole commits of the in-flight index, and none before it is applied. */
class LoadedShardInterleavingsTest {
    @ParameterizedTest
    @ValueSource(classes = {Looked.class, Counted.class})
    void required_D10_whoever_looks_sees_whole_commits_however_threads_take_turns(Class<? extends Scenario> scenario) {
        assertThat(Interleavings.of(scenario, "LoadedShard", "ShardIndex", "OpenBudget", "Told", "Reader")
                        .preemptions())
                .isGreaterThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {Looked.class, Counted.class})
    void without_locks_they_fail(Class<? extends Scenario> scenario) {
        assertThatThrownBy(() -> Interleavings.withoutLocks(scenario, "LoadedShard", "ShardIndex", "Told", "Reader"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("when the threads take turns like this");
    }

    /** A shard whose operations open one delivery for each of two subscribers. */
    abstract static class Loaded implements Scenario {
        private static final Partition ORDERS = new Partition("orders", 0);
        private static final Subscriber BILLING = Subscriber.group("billing");
        private static final Subscriber AUDIT = Subscriber.group("audit");

        /** One for all interleavings: it starts a thread, which has nothing to do with them. */
        private static final Sides SIDES = Sides.one(new Backend(
                new MapEngine(),
                new Deadlines(() -> 0, Duration.ofSeconds(10)),
                new Callbacks(Runnable::run, StoreListener.NONE),
                1_000));

        final OpenBudget budget = new OpenBudget(1_000);
        final Told watermark = new Told(() -> 1_000);
        final LoadedShard shard = new LoadedShard(
                new ShardLoad.Outcome.Loaded(fence(), index(), numbers()),
                new ShardSettings(
                        Durability.PROCESS,
                        StoreLimits.DEFAULT,
                        Duration.ofMinutes(10),
                        () -> Instant.ofEpochMilli(1_700_000_000_000L),
                        budget),
                SIDES,
                watermark);
        final List<String> seen = new ArrayList<>();

        private static Fence fence() {
            Token<Partition> token = new Token<>("map", ORDERS, 1, new Holder("a", "process"));
            return new Fence(
                    new Held<>(token, new Condition(Bytes.utf8("holder"), 1)),
                    new Condition(Bytes.utf8("shard"), 1),
                    "map");
        }

        private static ShardIndex index() {
            ShardIndex index = new ShardIndex(ORDERS);
            index.loaded();
            return index;
        }

        private static Numbers numbers() {
            Numbers numbers = new Numbers(ShardRecord.getDefaultInstance());
            numbers.begin();
            numbers.committed();
            return numbers;
        }

        /** Opens one offset for both subscribers, and moves both behind it. */
        private record Open(long offset) implements ShardOperation<Long> {
            @Override
            public StoreName store() {
                return StoreName.DELIVERIES;
            }

            @Override
            public String name() {
                return "open";
            }

            @Override
            public Long decide(ShardDraft draft) {
                for (Subscriber subscriber : List.of(BILLING, AUDIT)) {
                    Reader reader = draft.index().reader(subscriber);
                    draft.place(
                            subscriber,
                            reader == null || reader.place().isEmpty()
                                    ? Place.entered(draft.number(), Optional.empty(), offset + 1)
                                    : reader.place().get().at(offset + 1));
                    draft.open(
                            new DeliveryKey(
                                    ORDERS, draft.number(), DeliveryKind.ORDERED, offset, offset + 1, subscriber),
                            DeliveryRecord.newBuilder().setEpoch(1).build(),
                            Optional.empty());
                }
                return offset;
            }

            @Override
            public Long fenced(Fenced why) {
                return -1L;
            }
        }

        Decided decide(long offset) {
            Inbox inbox = new Inbox();
            return shard.decide(List.of(new Pending<>(new Open(offset), inbox)), Fetched.NOTHING);
        }

        void apply(long offset, long revision) {
            shard.applied(decide(offset), revision);
        }

        void fail(long offset) {
            shard.failed(decide(offset));
        }

        /** What is open for each of the two, and how far each is. */
        String look() {
            return shard.look(index -> stand(index, BILLING) + " " + stand(index, AUDIT) + " of " + index.size());
        }

        private static String stand(ShardIndex index, Subscriber subscriber) {
            Reader reader = index.reader(subscriber);
            return reader == null
                    ? "0/0"
                    : reader.open().size() + "/"
                            + reader.place().map(Place::cursor).orElse(0L);
        }
    }

    /** One looks while commits are decided, applied and given up. */
    static final class Looked extends Loaded {
        @Override
        public List<Runnable> threads() {
            return List.of(
                    () -> {
                        apply(0, 2);
                        fail(1);
                        apply(1, 3);
                    },
                    () -> {
                        seen.add(look());
                        seen.add(look());
                    });
        }

        @Override
        public void check() {
            assertThat(seen)
                    .isSubsetOf("0/0 0/0 of 0", "1/1 1/1 of 2", "2/2 2/2 of 4")
                    .isSorted();
            assertThat(look()).isEqualTo("2/2 2/2 of 4");
        }
    }

    /** It is given up while it counts what is open, and the watermark is asked for. */
    static final class Counted extends Loaded {
        private final List<OptionalLong> watermarks = new ArrayList<>();

        @Override
        public List<Runnable> threads() {
            return List.of(
                    () -> {
                        apply(0, 2);
                        apply(1, 3);
                    },
                    shard::forget,
                    () -> watermarks.add(watermark.get()));
        }

        @Override
        public void check() {
            assertThat(budget.room(1_000))
                    .as("nothing of it is counted any more")
                    .isTrue();
            assertThat(watermarks).isSubsetOf(OptionalLong.empty(), OptionalLong.of(0));
        }
    }
}
