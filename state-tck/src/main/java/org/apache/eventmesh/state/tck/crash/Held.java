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
package org.apache.eventmesh.state.tck.crash;

import java.util.Optional;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.task.OwnedTask;

/**
 * A delivery that a receiver has, whether this life or an earlier one handed it out.
 *
 * @param task that it carries
 */
record Held(Shard shard, Delivery delivery, Receipt receipt, Receiver receiver, Optional<OwnedTask> task) {
    static Held of(Shard shard, HandOut given) {
        return new Held(shard, given.delivery(), given.receipt(), given.receiver(), Optional.empty());
    }

    /** Of an earlier life: the receipt that its client still has. */
    static Optional<Held> of(Shard shard, Delivery found, Optional<OwnedTask> task) {
        return found.receiver()
                .map(receiver -> new Held(shard, found, new Receipt(found.id(), found.epoch()), receiver, task));
    }

    Held carrying(OwnedTask owned) {
        return new Held(shard, delivery, receipt, receiver, Optional.of(owned));
    }

    Ack ack() {
        return Ack.of(receipt, receiver.client());
    }

    String thing() {
        return Plan.thing(delivery);
    }
}
