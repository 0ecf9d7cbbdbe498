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
package org.apache.eventmesh.state.tck.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** O02: what happens to one position when many move it. */
public interface PositionRules extends Rules {
    @Test
    default void required_O02_concurrent_advances_end_at_the_highest_and_no_reader_sees_a_fall() {
        Instance a = open("A");
        Instance b = open("B");
        Shard shard = a.shard(ORDERS_0);
        try (Reading reading = new Reading(b)) {
            List<CompletableFuture<Long>> highest = new ArrayList<>();
            ExecutorService callers = Executors.newFixedThreadPool(4);
            try {
                for (int caller = 0; caller < 4; caller++) {
                    long first = caller;
                    highest.add(CompletableFuture.supplyAsync(
                            () -> LongStream.iterate(first, to -> to + 4)
                                    .limit(50)
                                    .map(to -> told(Operation.answer(
                                            get(a.stores().offsets().advance(shard, Map.of(BILLING, to))), BILLING)))
                                    .max()
                                    .orElseThrow(),
                            callers));
                }
                long told = highest.stream().mapToLong(this::get).max().orElseThrow();

                assertThat(told).isEqualTo(199);
                assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING)))
                        .isEqualTo(OptionalLong.of(told));
            } finally {
                callers.shutdownNow();
            }
            assertThat(reading.seen()).isSorted();
        }
    }

    private static long told(AdvanceResult result) {
        if (result instanceof AdvanceResult.Advanced advanced) {
            return advanced.to();
        }
        return ((AdvanceResult.AlreadyAt) result).current();
    }

    @Test
    default void scenario_11_concurrent_acks_neither_let_the_position_fall_nor_pass_what_is_open() {
        Instance a = open("A");
        Instance b = open("B");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given = get(shard.open(Examples.range(11, 21, BILLING, ALICE)))
                .handOuts()
                .toList();
        ExecutorService callers = Executors.newFixedThreadPool(2);
        try (Reading reading = new Reading(b)) {
            CompletableFuture<AckResult> eleven = acked(shard, given.get(0), callers);
            CompletableFuture<AckResult> twenty = acked(shard, given.get(9), callers);

            assertThat(positionOf(get(eleven))).isEqualTo(12);
            assertThat(positionOf(get(twenty))).isIn(11L, 12L);
            assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(12));

            List<CompletableFuture<AckResult>> rest = given.subList(1, 9).stream()
                    .map(handOut -> acked(shard, handOut, callers))
                    .toList();
            long highest =
                    rest.stream().mapToLong(ack -> positionOf(get(ack))).max().orElseThrow();
            assertThat(highest).isEqualTo(21);
            assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(21));
            assertThat(reading.seen()).isSorted();
        } finally {
            callers.shutdownNow();
        }
    }

    private CompletableFuture<AckResult> acked(Shard shard, HandOut handOut, ExecutorService callers) {
        return CompletableFuture.supplyAsync(() -> get(shard.ack(Ack.of(handOut.receipt(), ALICE.client()))), callers);
    }

    private static long positionOf(AckResult result) {
        return ((AckResult.Acked) result).position().orElseThrow();
    }

    /** Reads a position again and again until it is closed. */
    final class Reading implements AutoCloseable {
        private final ConcurrentLinkedQueue<Long> seen = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean end = new AtomicBoolean();
        private final CompletableFuture<Void> done;

        Reading(Instance at) {
            done = CompletableFuture.runAsync(() -> {
                while (!end.get()) {
                    Stages.get(at.stores().offsets().position(ORDERS_0, BILLING))
                            .ifPresent(seen::add);
                }
            });
        }

        List<Long> seen() {
            end.set(true);
            Stages.get(done);
            return List.copyOf(seen);
        }

        @Override
        public void close() {
            seen();
        }
    }
}
