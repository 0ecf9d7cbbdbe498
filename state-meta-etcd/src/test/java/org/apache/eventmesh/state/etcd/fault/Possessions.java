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
package org.apache.eventmesh.state.etcd.fault;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.StoreSettingsBuilder;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** What the store sets of these tests are about: known to parent and child without a word between them. */
final class Possessions {
    static final Partition ORDERS = new Partition("orders", 0);
    static final Subscriber BILLING = Subscriber.group("billing");

    /** Has no messages. */
    static final Subscriber AUDIT = Subscriber.group("audit");

    /** Is only advanced. */
    static final Subscriber MIRROR = Subscriber.group("mirror");

    static final ClientId CLIENT = new ClientId("client");
    static final Receiver ALICE = new Receiver(new ClientId("alice"), 1, "somewhere");
    static final AgentSpec AGENT = new AgentSpec(new AgentId("agent"), "kind", 4, Attributes.NONE);

    /** Of members and agents. */
    static final Duration LEASE = Duration.ofSeconds(5);

    /** Longer than a test: nobody else gets what is handed out. */
    static final Duration HAND_OUT = Duration.ofHours(1);

    static final Carrier CARRIER = new Carrier(Subscriber.group("agents"), Optional.of(ALICE), HAND_OUT);

    /** That a child opens. */
    static final int MESSAGES = 6;

    /** For what is to go well: a machine that has too much to do does not fail a test. */
    private static final Duration PATIENT = Duration.ofSeconds(30);

    private Possessions() {}

    /** In the time of this machine; the second place, if there is one, is the shared backend. */
    static StateStores open(List<String> places) {
        return open(places, PATIENT);
    }

    static StateStores open(List<String> places, Duration deadline) {
        StoreSettingsBuilder settings = StoreSettings.builder(places.get(0)).deadline(deadline);
        if (places.size() > 1) {
            settings.shared(places.get(1));
        }
        return settings.open();
    }

    static Bytes payload(long offset) {
        return Bytes.utf8("message " + offset);
    }

    /** For the one reader, handed out. */
    static OpenBatch messages(long from, long to) {
        List<Incoming> messages = LongStream.range(from, to)
                .mapToObj(offset ->
                        Incoming.of(offset, payload(offset), Attributes.NONE).to(BILLING, Optional.of(ALICE)))
                .toList();
        return OpenBatch.range("life-1", from, to, Set.of(BILLING), messages, HAND_OUT);
    }

    static Interest interest(String topic) {
        return new Interest(topic, Interest.Mode.LOAD_BALANCE, BILLING, Optional.empty(), Attributes.NONE);
    }

    static NewTask task(String id) {
        return new NewTask(
                new TaskId(id),
                AGENT.id(),
                Optional.of("context"),
                Optional.empty(),
                Bytes.utf8("input of " + id),
                Attributes.NONE);
    }
}
