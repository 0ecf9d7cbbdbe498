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

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.world.Host;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** The letter of a delivery that is given up, when more than one finishes it. */
class SharedLetterTest {
    private static final Partition PARTITION = new Partition("orders", 3);
    private static final Subscriber BILLING = Subscriber.group("billing");
    private static final Bytes LETTER = DeadLetterKey.bytes(new DeadLetterId(PARTITION, 0, BILLING));

    private final LateReads shared = new LateReads();
    private final World world = new World(shared);
    private final Host host = new Host(world, "a");
    private final Shard shard = host.own(PARTITION);
    private final ShardLoop loop = host.loop(PARTITION);

    /** Tells late what one read has found. */
    private static final class LateReads extends MapEngine {
        private final AtomicReference<Bytes> key = new AtomicReference<>(Bytes.EMPTY);
        private final CompletableFuture<Boolean> told = new CompletableFuture<>();

        @Override
        public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
            CompletionStage<List<Entry>> found = super.read(keys);
            Bytes late = key.get();
            return keys.contains(late) && key.compareAndSet(late, Bytes.EMPTY) ? told.thenCompose(now -> found) : found;
        }
    }

    @AfterEach
    void close() {
        host.close();
        world.close();
    }

    /** It is decided, and nobody has written its letter yet. */
    private OpenDelivery givenUp() {
        HandOut given = Await.result(shard.open(Host.range(BILLING, 0, 1)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Await.result(loop.submit(new DeadLetterOperation(given.receipt(), "broken")));
        return loop.givenUp(given.receipt().delivery().number()).orElseThrow();
    }

    @Test
    void required_L01_a_letter_that_is_gone_does_not_come_back_through_one_who_looked_for_it_before() {
        OpenDelivery delivery = givenUp();
        shared.key.set(LETTER);
        CompletionStage<NackResult> slow = Aftermath.letter(loop, delivery);
        await().until(() -> shared.key.get().equals(Bytes.EMPTY));
        assertThat(Await.result(Aftermath.letter(loop, delivery))).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(shared.get(LETTER)).isPresent();
        // as a purge does, or the settlement of its replay
        shared.delete(LETTER);

        shared.told.complete(true);

        assertThat(Await.result(slow)).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(shared.get(LETTER)).isEmpty();
    }

    @Test
    void required_L01_a_delivery_whose_letter_was_not_written_stays_open() {
        OpenDelivery delivery = givenUp();

        assertThatThrownBy(() -> Await.result(loop.submit(new RetireOperation(delivery, false))))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(loop.givenUp(delivery.number())).isPresent();
        assertThat(Await.result(Aftermath.letter(loop, delivery))).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(shared.get(LETTER)).isPresent();
    }
}
