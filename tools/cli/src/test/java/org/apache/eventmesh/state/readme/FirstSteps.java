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
package org.apache.eventmesh.state.readme;

import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** The code of the README, kept true by the test beside it. */
final class FirstSteps {
    private FirstSteps() {}

    static long run(String uri) {
        // README begins
        try (StateStores stores = StateStores.open(uri)) { // "rocksdb:///var/lib/eventmesh/state"
            // This process joins the mesh; all it claims hangs on one lease, renewed by the library.
            Member me = Await.result(stores.join("instance-1", Duration.ofSeconds(10)));
            Partition partition = new Partition("orders", 0);
            Shard shard = Await.result(stores.deliveries().claim(me, partition))
                    .claimed()
                    .orElseThrow();

            // A client is connected here.
            ClientId client = new ClientId("billing-1");
            Receiver receiver =
                    Await.result(stores.subscriptions().connect(me, client)).receiver();

            // One message was read from the broker, at offset 0, for one group. It is durable before it is pushed.
            Subscriber billing = Subscriber.group("billing");
            Incoming message =
                    Incoming.of(0, Bytes.utf8("hello"), Attributes.NONE).to(billing, receiver);
            OpenBatch poll =
                    OpenBatch.range("topic-id-1", 0, 1, List.of(billing), List.of(message), Duration.ofSeconds(30));
            HandOut push = Await.result(shard.open(poll)).handOuts().findFirst().orElseThrow();

            // The client acknowledges with the receipt: delivery, position and fan-out move in one atomic step.
            Await.result(shard.ack(Ack.of(push.receipt(), client)));

            return Await.result(stores.offsets().position(partition, billing)).orElseThrow(); // 1
        }
        // README ends
    }
}
