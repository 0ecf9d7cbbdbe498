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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** G06 and G16: what a caller hands in is kept as it was, whatever happens to it afterwards. */
public interface AttributeRules extends Rules {
    Attributes ODD = new Attributes(Map.of(
            "principal", "user:jo@example.org",
            "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "empty", "",
            "\u0000", "\u0000\n\"'\\",
            "\uD83D\uDE80", "\uD83D\uDE80".repeat(200)));

    @Test
    default void required_G16_a_delivery_its_dead_letter_and_its_replay_keep_the_attributes() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Incoming message = Incoming.of(0, Examples.payload(0), ODD).to(BILLING, ALICE);
        HandOut given = get(shard.open(
                        OpenBatch.range(Examples.GENERATION, 0, 1, Set.of(BILLING), List.of(message), HAND_OUT)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        StateStores peer = open("B").stores();

        assertThat(given.delivery().attributes()).isEqualTo(ODD);
        assertThat(get(peer.deliveries().find(given.delivery().id())).map(Delivery::attributes))
                .hasValue(ODD);
        get(shard.deadLetter(given.receipt(), "no"));
        DeadLetter letter = get(peer.deadLetters().find(new DeadLetterId(ORDERS_0, 0, BILLING)))
                .orElseThrow();
        assertThat(letter.attributes()).isEqualTo(ODD);
        get(a.stores().deadLetters().replay(letter, RequestKey.of("r")));
        assertThat(get(peer.deliveries().list(DeliveryFilter.of(ORDERS_0), PageRequest.first(10)))
                        .items())
                .singleElement()
                .satisfies(replayed -> assertThat(replayed.attributes()).isEqualTo(ODD))
                .satisfies(replayed -> assertThat(replayed.payload()).isEqualTo(Examples.payload(0)));
    }

    @Test
    default void required_G16_tasks_registrations_agents_and_sessions_keep_the_attributes() {
        Instance a = open("A");
        StateStores stores = a.stores();
        get(stores.tasks()
                .create(
                        a.shard(ORDERS_0),
                        new NewTask(
                                new TaskId("t"),
                                new AgentId("x"),
                                Optional.empty(),
                                Optional.empty(),
                                Bytes.EMPTY,
                                ODD),
                        new Carrier(BILLING, Optional.empty(), HAND_OUT)));
        get(a.client("alice")
                .register(new Interest("orders", Interest.Mode.BROADCAST, BILLING, Optional.empty(), ODD)));
        get(stores.sessions().register(a.member(), new AgentSpec(new AgentId("x"), "kind", 1, ODD), Scene.AGENT_LEASE));
        get(stores.sessions().open(new SessionSpec(new SessionId("s"), Scene.IDLE, ODD)));

        StateStores peer = open("B").stores();
        assertThat(get(peer.tasks().find(new TaskId("t"))).orElseThrow().attributes())
                .isEqualTo(ODD);
        assertThat(get(peer.subscriptions().list(SubscriptionFilter.topic("orders"), PageRequest.first(10)))
                        .items())
                .singleElement()
                .satisfies(found -> assertThat(found.interest().attributes()).isEqualTo(ODD));
        assertThat(get(peer.sessions().find(new AgentId("x")))
                        .orElseThrow()
                        .spec()
                        .attributes())
                .isEqualTo(ODD);
        assertThat(get(peer.sessions().find(new SessionId("s")))
                        .orElseThrow()
                        .spec()
                        .attributes())
                .isEqualTo(ODD);
        assertThat(get(peer.deliveries().list(DeliveryFilter.of(ORDERS_0), PageRequest.first(10)))
                        .items())
                .as("the delivery that carries the task")
                .singleElement()
                .satisfies(carrier -> assertThat(carrier.attributes()).isEqualTo(ODD));
    }

    @Test
    default void required_G06_what_a_caller_does_to_what_it_handed_in_changes_nothing() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        byte[] payload = {1, 2, 3};
        Map<String, String> attributes = new HashMap<>(Map.of("tenant", "one"));
        Incoming message =
                Incoming.of(0, Bytes.of(payload), new Attributes(attributes)).to(BILLING, ALICE);
        List<Incoming> messages = new ArrayList<>(List.of(message));
        OpenBatch batch = OpenBatch.range(Examples.GENERATION, 0, 1, Set.of(BILLING), messages, HAND_OUT);
        a.pause();
        CompletionStage<OpenReport> opening = shard.open(batch);

        payload[0] = 9;
        attributes.put("tenant", "two");
        messages.clear();
        a.resume();
        HandOut given = get(opening).handOuts().findFirst().orElseThrow();
        given.delivery().payload().toArray()[1] = 9;

        Delivery stored =
                get(a.stores().deliveries().find(given.delivery().id())).orElseThrow();
        assertThat(stored.payload()).isEqualTo(Bytes.of((byte) 1, (byte) 2, (byte) 3));
        assertThat(stored.attributes()).isEqualTo(Attributes.of("tenant", "one"));
        assertThat(given.delivery().payload()).isEqualTo(stored.payload());
    }

    @Test
    default void required_G06_what_a_store_gives_back_cannot_be_changed() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        StateStores stores = a.stores();
        PageRequest page = PageRequest.first(10);

        List<List<?>> given = List.of(
                get(stores.deliveries().list(DeliveryFilter.all(), page)).items(),
                get(stores.subscriptions().topics(page)).items(),
                get(stores.tasks().find(scene.task.id())).orElseThrow().history(),
                get(stores.tasks().find(scene.task.id())).orElseThrow().artifacts(),
                get(stores.deadLetters().find(scene.letter.id())).orElseThrow().failures(),
                get(scene.shard.completed(10)),
                get(scene.shard.ackAll(List.of(scene.ack(0)))));

        assertThat(given)
                .allSatisfy(list -> assertThatThrownBy(list::clear).isInstanceOf(UnsupportedOperationException.class));
    }
}
