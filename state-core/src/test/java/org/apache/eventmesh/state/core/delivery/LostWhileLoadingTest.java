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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** A shard that another takes over while its pages are read: nothing of it stays behind. */
class LostWhileLoadingTest {
    private static final Partition OTHER = new Partition("orders", 4);
    private static final int MANY = 20;

    private final HeldScan scans = new HeldScan();
    private final SharedMap map = new SharedMap(scans);
    private final Node node =
            new Node(map, StoreLimits.DEFAULT.withOpenDeliveries(MANY), Durability.DISK, StoreListener.NONE);

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    @Test
    void required_D10_a_shard_that_is_lost_while_it_loads_counts_no_more_and_keeps_no_timer() throws Exception {
        Member member = node.join("loser");
        CompletionStage<Shard> claiming;
        try (Node other = new Node(map)) {
            Await.result(other.claim().open(Polls.forAlice(0, MANY)));
            CompletableFuture<Void> loading = scans.hold(all(Table.DELIVERY, Node.PARTITION));
            claiming = node.deliveries().takeOver(member, Node.PARTITION);
            Awaitility.await().until(scans::holds);
            assertThat(node.registry().owned(Node.PARTITION)).isPresent();
            assertThat(Await.result(other.deliveries().takeOver(other.join("winner"), Node.PARTITION))
                            .view()
                            .all()
                            .open())
                    .isEqualTo(MANY);
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(node.registry().owned(Node.PARTITION)).isEmpty());
            loading.complete(null);
            Await.result(claiming);
        }

        Shard another = Await.result(node.deliveries().takeOver(member, OTHER));
        List<Incoming> messages = new ArrayList<>();
        for (long offset = 0; offset < MANY; offset++) {
            messages.add(Polls.message(offset).to(BILLING, ALICE));
        }
        assertThat(Polls.results(Await.result(another.open(Polls.range(0, MANY, Set.of(BILLING), messages)))))
                .hasSize(MANY)
                .allMatch(OpenResult.Opened.class::isInstance);

        int before = scans.of(all(Table.MARK, Node.PARTITION));
        CountDownLatch later = new CountDownLatch(1);
        node.backend().deadlines().after(Node.MARKS.plus(Duration.ofSeconds(2)), later::countDown);
        map.pass(Node.MARKS.plus(Duration.ofSeconds(3)));
        later.await();
        // the other shard's own look at its marks comes after what the lost one would have asked for
        Awaitility.await().until(() -> scans.of(all(Table.MARK, OTHER)) > 0);
        assertThat(scans.of(all(Table.MARK, Node.PARTITION))).isEqualTo(before);
    }

    private static KeyRange all(Table table, Partition partition) {
        return KeyWriter.of(table).partition(partition).under();
    }

    /** A map that keeps one scan waiting, and counts. */
    private static final class HeldScan extends MapEngine {
        private final List<KeyRange> seen = new ArrayList<>();
        private KeyRange wanted;
        private CompletableFuture<Void> until = new CompletableFuture<>();
        private boolean holds;

        synchronized CompletableFuture<Void> hold(KeyRange range) {
            wanted = range;
            return until;
        }

        synchronized boolean holds() {
            return holds;
        }

        /** How many scans there were within it. */
        synchronized int of(KeyRange range) {
            return (int)
                    seen.stream().filter(each -> range.contains(each.from())).count();
        }

        @Override
        public CompletionStage<Slice> scan(KeyRange range, int limit) {
            synchronized (this) {
                seen.add(range);
                if (wanted != null && wanted.contains(range.from())) {
                    wanted = null;
                    holds = true;
                    return until.thenCompose(released -> super.scan(range, limit));
                }
            }
            return super.scan(range, limit);
        }
    }
}
