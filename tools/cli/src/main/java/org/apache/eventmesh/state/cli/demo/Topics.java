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
package org.apache.eventmesh.state.cli.demo;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.value.Attributes;

/** What is subscribed to what in the demo. */
final class Topics {
    /** A log, acknowledged to the broker by watermark, as in Kafka. */
    static final String ORDERED = "orders";

    /** A queue, each message acknowledged to the broker by its handle, as in RocketMQ's POP. */
    static final String UNORDERED = "signals";

    /** Two clients of one group share its messages; one of them disconnects in the middle. */
    static final Subscriber BILLING = Subscriber.group("billing");

    /** One client that fails on some messages, each time. */
    static final Subscriber SHIPPING = Subscriber.group("shipping");

    private Topics() {}

    /** A client and whose deliveries it takes. */
    record Seat(String client, Subscriber subscriber) {}

    /** Two groups in load balance, three clients in broadcast. */
    static final List<Seat> SEATS = List.of(
            new Seat("billing-1", BILLING),
            new Seat("billing-2", BILLING),
            new Seat("shipping-1", SHIPPING),
            new Seat("audit-1", Subscriber.single("audit-1")),
            new Seat("audit-2", Subscriber.single("audit-2")),
            new Seat("audit-3", Subscriber.single("audit-3")));

    /** Every message goes to each of these. */
    static List<Subscriber> subscribers() {
        return SEATS.stream().map(Seat::subscriber).distinct().toList();
    }

    static Subscriber subscriberOf(String client) {
        return SEATS.stream()
                .filter(seat -> seat.client().equals(client))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no client " + client))
                .subscriber();
    }

    static Interest interest(String topic, Subscriber subscriber) {
        Interest.Mode mode =
                subscriber instanceof Subscriber.Group ? Interest.Mode.LOAD_BALANCE : Interest.Mode.BROADCAST;
        return new Interest(topic, mode, subscriber, Optional.empty(), Attributes.NONE);
    }

    static Partition partition(String topic) {
        return new Partition(topic, 0);
    }

    static ClientId client(String name) {
        return new ClientId(name);
    }

    /** A subscriber's name on the wire and in the books. */
    static String name(Subscriber subscriber) {
        return subscriber instanceof Subscriber.Group g
                ? g.name()
                : ((Subscriber.Single) subscriber).client().value();
    }
}
