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
package org.apache.eventmesh.state.two;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.tck.kit.RunsOn;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A host whose directory was restored from a checkpoint, while the shared backend went on. */
@RunsOn("rocksdb with a shared memory")
class RestoredHostTest {
    private static final Partition ORDERS = new Partition("orders", 0);
    private static final Subscriber BILLING = Subscriber.group("billing");
    private static final Receiver ALICE = new Receiver(new ClientId("alice"), 1, "here");

    private final String shared = "memory:" + UUID.randomUUID();

    @TempDir
    Path directory;

    /** Keeps the shared backend in memory while no host is there. */
    private StateStores other;

    @BeforeEach
    void openAnotherHost() {
        other = open("other");
    }

    @AfterEach
    void closeIt() {
        other.close();
    }

    @Test
    void required_X02_E01_a_host_restored_from_a_checkpoint_is_another_and_begins_at_published_positions() {
        Path checkpoint = directory.resolve("restored");
        HandOut old;
        try (StateStores stores = open("host")) {
            Shard shard = claim(stores);
            List<HandOut> given =
                    Await.result(shard.open(poll(0, 5))).handOuts().toList();
            ack(shard, given.get(0));
            Await.result(stores.checkpoint(checkpoint));
            // settled and published after it: that must not be open again
            ack(shard, given.get(1));
            ack(shard, given.get(2));
            old = given.get(3);
        }

        try (StateStores stores = open("restored")) {
            Shard shard = claim(stores);

            assertThat(Await.result(stores.offsets().position(ORDERS, BILLING))).hasValue(3);
            assertThat(shard.view().readNext()).hasValue(3);
            assertThat(shard.view().all().open()).isZero();
            assertThat(Await.result(shard.ack(Ack.of(old.receipt(), ALICE.client()))))
                    .isEqualTo(new Refused.Unknown());
            List<HandOut> again =
                    Await.result(shard.open(poll(3, 5))).handOuts().toList();
            assertThat(again).extracting(handOut -> handOut.delivery().offset()).containsExactly(3L, 4L);
            again.forEach(handOut -> ack(shard, handOut));
            assertThat(Await.result(stores.offsets().position(ORDERS, BILLING))).hasValue(5);
        }
    }

    private StateStores open(String host) {
        return StateStores.local("rocksdb://" + directory.resolve(host))
                .shared(shared)
                .development()
                .open();
    }

    private static Shard claim(StateStores stores) {
        Member member = Await.result(stores.join("host", Duration.ofSeconds(30)));
        return Await.result(stores.deliveries().claim(member, ORDERS)).claimed().orElseThrow();
    }

    private static void ack(Shard shard, HandOut given) {
        Await.result(shard.ack(Ack.of(given.receipt(), ALICE.client())));
    }

    private static OpenBatch poll(long from, long to) {
        List<Incoming> messages = LongStream.range(from, to)
                .mapToObj(offset -> Incoming.of(offset, Bytes.utf8("message " + offset), Attributes.NONE)
                        .to(BILLING, ALICE))
                .toList();
        return OpenBatch.range("life-1", from, to, List.of(BILLING), messages, Duration.ofSeconds(30));
    }
}
