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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.AUDIT;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** What is told outside counts synced commits only. */
class SyncedTest {
    private static final class Unsynced extends MapEngine {
        private volatile long synced = Long.MAX_VALUE;
        private volatile Durability last = Durability.PROCESS;

        @Override
        public synchronized List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
            last = level;
            return super.commit(commits, level);
        }

        @Override
        public synchronized long syncedRevision() {
            return Math.min(synced, super.syncedRevision());
        }

        void stopSyncing() {
            synced = super.syncedRevision();
        }

        void sync() {
            synced = Long.MAX_VALUE;
        }
    }

    private final Unsynced engine = new Unsynced();
    private final SharedMap map = new SharedMap(engine);
    private final Node node = new Node(map, StoreLimits.DEFAULT, Durability.PROCESS, StoreListener.NONE);
    private final Shard shard = node.claim();

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    private AckResult ack(HandOut handOut) {
        return Await.result(shard.ack(Ack.of(handOut.receipt(), ALICE.client())));
    }

    @Test
    void the_watermark_rises_with_the_sync() {
        List<HandOut> pushed = Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 103))));
        engine.stopSyncing();
        ack(pushed.get(0));
        ack(pushed.get(1));
        assertThat(shard.view().all().open()).isEqualTo(1);
        assertThat(shard.view().watermark()).hasValue(100);
        engine.sync();
        assertThat(shard.view().watermark()).hasValue(102);
    }

    @Test
    void a_lower_one_holds_at_once() {
        Await.result(shard.open(Polls.range(100, 110, Set.of(BILLING))));
        engine.stopSyncing();
        Await.result(
                shard.open(Polls.range(90, 110, Set.of(AUDIT), Polls.message(95).to(AUDIT))));
        assertThat(shard.view().watermark()).hasValue(95);
        engine.sync();
        assertThat(shard.view().watermark()).hasValue(95);
    }

    @Test
    void a_fan_out_is_complete_when_that_is_synced() {
        HandOut pushed = Polls.handOuts(Await.result(shard.open(Polls.unordered(
                        Polls.message(5).to(BILLING, ALICE).brokerHandle(Bytes.utf8("h"), Duration.ofHours(1))))))
                .get(0);
        engine.stopSyncing();
        AckResult acked = ack(pushed);
        assertThat(((AckResult.Acked) acked).completed()).isEmpty();
        assertThat(Await.result(shard.completed(10))).isEmpty();
        engine.sync();
        List<FanOut> completed = Await.result(shard.completed(10));
        assertThat(completed).hasSize(1);
        assertThat(ack(pushed)).isEqualTo(new AckResult.Duplicate((AckResult.Acked) acked));
    }

    @Test
    void a_dead_letter_is_synced_at_any_level_and_tells_its_fan_out() {
        HandOut pushed = Polls.handOuts(Await.result(shard.open(Polls.unordered(
                        Polls.message(5).to(BILLING, ALICE).brokerHandle(Bytes.utf8("h"), Duration.ofHours(1))))))
                .get(0);
        NackResult result = Await.result(shard.deadLetter(pushed.receipt(), "poison"));
        assertThat(((NackResult.DeadLettered) result).completed().map(FanOut::offset))
                .isEqualTo(Optional.of(5L));
    }

    @Test
    void a_withdrawal_and_a_discarded_delivery_are_synced_at_any_level() {
        List<HandOut> pushed = Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 103))));
        ack(pushed.get(0));
        assertThat(engine.last).isEqualTo(Durability.PROCESS);
        Bytes message = Await.result(map.map().scan(KeyWriter.of(Table.MESSAGE).under(), 1))
                .entries()
                .get(0)
                .key();
        map.map().delete(message);
        assertThat(Await.result(shard.discard(pushed.get(1).delivery().id()))).isEqualTo(new DiscardResult.Discarded());
        assertThat(engine.last).isEqualTo(Durability.DISK);
        assertThat(Await.result(shard.release(ALICE))).isEqualTo(new SweepResult.Done(1));
        assertThat(engine.last).isEqualTo(Durability.PROCESS);
        assertThat(Await.result(shard.withdraw(BILLING))).isEqualTo(new SweepResult.Done(1));
        assertThat(engine.last).isEqualTo(Durability.DISK);
    }
}
