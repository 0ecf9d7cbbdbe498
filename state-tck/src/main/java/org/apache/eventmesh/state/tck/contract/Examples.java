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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** The names and batches that most rules are told with. */
final class Examples {
    static final Partition ORDERS_0 = new Partition("orders", 0);
    static final Partition ORDERS_1 = new Partition("orders", 1);
    static final Subscriber BILLING = Subscriber.group("billing");
    static final Subscriber SHIPPING = Subscriber.group("shipping");
    static final String GENERATION = "life-1";

    /** Of hand-outs; shorter than a member's lease. */
    static final Duration HAND_OUT = Duration.ofSeconds(10);

    /** For rules that are about something else than who receives. */
    static final Receiver ALICE = new Receiver(new ClientId("alice"), 1, "somewhere");

    static final Receiver BOB = new Receiver(new ClientId("bob"), 1, "somewhere");

    private Examples() {}

    /** A payload that tells which message it is. */
    static Bytes payload(long offset) {
        return Bytes.utf8("message " + offset);
    }

    static Incoming message(long offset) {
        return Incoming.of(offset, payload(offset), Attributes.NONE);
    }

    /** All offsets of the range for one subscriber, each with the receiver if there is one. */
    static OpenBatch range(long from, long to, Subscriber subscriber, Optional<Receiver> receiver) {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            messages.add(message(offset).to(subscriber, receiver));
        }
        return OpenBatch.range(GENERATION, from, to, Set.of(subscriber), messages, HAND_OUT);
    }

    /** All offsets of the range for one subscriber, handed out to the receiver. */
    static OpenBatch range(long from, long to, Subscriber subscriber, Receiver receiver) {
        return range(from, to, subscriber, Optional.of(receiver));
    }

    /** All offsets of the range for one subscriber, waiting for a hand-out. */
    static OpenBatch range(long from, long to, Subscriber subscriber) {
        return range(from, to, subscriber, Optional.empty());
    }
}
