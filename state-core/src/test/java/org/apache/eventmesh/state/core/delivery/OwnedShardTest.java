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

import java.util.List;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is of another partition is refused on the caller's thread; elsewhere it would be somebody else's number. */
class OwnedShardTest {
    private static final Partition OTHER = new Partition("orders", 4);

    private final SharedMap map = new SharedMap();
    private final Node node = new Node(map);
    private final Shard shard = node.claim();
    private final HandOut pushed =
            Polls.handOuts(Await.result(shard.open(Polls.forAlice(0, 1)))).get(0);
    private final DeliveryId id = new DeliveryId(
            OTHER, pushed.delivery().id().incarnation(), pushed.delivery().id().number());
    private final Receipt receipt = new Receipt(id, pushed.receipt().epoch());

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    @Test
    void a_receipt_of_another_partition_is_refused() {
        Ack ack = Ack.of(receipt, ALICE.client());
        Nack nack = new Nack(receipt, ALICE.client(), "no");
        refused("receipt", () -> shard.ack(ack));
        refused("receipt", () -> shard.ackAll(List.of(Ack.of(pushed.receipt(), ALICE.client()), ack)));
        refused("receipt", () -> shard.nack(nack, Retry.immediately(3)));
        refused("receipt", () -> shard.nackAll(List.of(nack), Retry.immediately(3)));
        refused("receipt", () -> shard.deadLetter(receipt, "poison"));
    }

    @Test
    void so_is_a_delivery_and_a_fan_out() {
        refused("delivery", () -> shard.discard(id));
        FanOut fanOut = new FanOut(OTHER, 7, Bytes.utf8("h"), map.clock().instant());
        refused("fan-out", () -> shard.confirm(List.of(fanOut)));
    }

    private void refused(String what, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(what)
                .hasMessageContaining(OTHER.toString())
                .hasMessageContaining(Node.PARTITION.toString());
        assertThat(node.find(pushed.delivery())).contains(pushed.delivery());
    }
}
