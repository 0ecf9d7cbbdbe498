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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.assertj.core.api.SoftAssertions;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.tuple;

/** One name as the name of everything, and nothing else of that name. */
final class OddNames {
    private static final PageRequest PAGE = PageRequest.first(1_000);
    private static final Duration LEASE = Duration.ofHours(1);

    private final Instance at;
    private final StateStores stores;

    OddNames(Instance at) {
        this.at = at;
        this.stores = at.stores();
    }

    void writeInEveryStore(String name) {
        Shard shard = at.shard(new Partition(name, 0));
        Subscriber subscriber = Subscriber.group(name);
        Receiver receiver = new Receiver(new ClientId(name), 1, name);
        List<HandOut> given = get(shard.open(OpenBatch.range(
                        name,
                        0,
                        2,
                        Set.of(subscriber),
                        List.of(
                                Examples.message(0).to(subscriber, receiver),
                                Examples.message(1).to(subscriber, receiver)),
                        LEASE)))
                .handOuts()
                .toList();
        get(shard.deadLetter(given.get(0).receipt(), name));
        get(at.client(name).register(interest(name)));
        OwnedAgent agent = get(stores.sessions().register(at.member(), spec(name), LEASE))
                .claimed()
                .orElseThrow();
        Agent asRead = get(stores.sessions().find(agent.token().scope())).orElseThrow();
        get(stores.sessions().bind(asRead, new SessionId(name)));
        get(stores.sessions().open(new SessionSpec(new SessionId(name), LEASE, Attributes.of(name, name))));
        get(stores.tasks()
                .create(
                        shard,
                        new NewTask(
                                new TaskId(name),
                                new AgentId(name),
                                Optional.of(name),
                                Optional.of(new TaskId(name)),
                                Bytes.utf8(name),
                                Attributes.of(name, name)),
                        new Carrier(Subscriber.single(name), Optional.empty(), LEASE)));
    }

    void checkInEveryStore(String name, SoftAssertions soft) {
        Partition partition = new Partition(name, 0);
        Subscriber subscriber = Subscriber.group(name);
        soft.assertThat(get(stores.offsets().position(partition, subscriber))).isEqualTo(OptionalLong.of(1));
        soft.assertThat(get(stores.offsets().list(ProgressFilter.topic(name), PAGE))
                        .items())
                .as("progress of topic %s", name)
                .hasSize(1)
                .allSatisfy(found -> soft.assertThat(found.subscriber()).isEqualTo(subscriber));
        soft.assertThat(get(stores.deliveries()
                                .list(DeliveryFilter.of(partition).of(subscriber), PAGE))
                        .items())
                .as("deliveries of %s", name)
                .extracting(Delivery::offset)
                .containsExactly(1L);
        soft.assertThat(get(stores.deadLetters().list(DeadLetterFilter.topic(name), PAGE))
                        .items())
                .as("dead letters of topic %s", name)
                .extracting(DeadLetter::id, DeadLetter::reason)
                .containsExactly(tuple(new DeadLetterId(partition, 0, subscriber), name));
        soft.assertThat(get(stores.deadLetters().count(DeadLetterFilter.subscriber(subscriber))))
                .isOne();
        checkRegistrations(name, soft);
        checkAgentAndSession(name, soft);
        checkTask(name, soft);
    }

    private void checkRegistrations(String name, SoftAssertions soft) {
        for (SubscriptionFilter filter :
                List.of(SubscriptionFilter.topic(name), SubscriptionFilter.client(new ClientId(name)))) {
            soft.assertThat(get(stores.subscriptions().list(filter, PAGE)).items())
                    .as("registrations by %s", filter)
                    .hasSize(1)
                    .allSatisfy(found -> soft.assertThat(found.interest()).isEqualTo(interest(name)));
        }
    }

    private void checkAgentAndSession(String name, SoftAssertions soft) {
        soft.assertThat(get(stores.sessions().find(new AgentId(name))).map(Agent::spec))
                .as("agent %s", name)
                .hasValue(spec(name));
        soft.assertThat(get(stores.sessions().boundTo(new SessionId(name)))
                        .map(agent -> agent.spec().id()))
                .as("binding of %s", name)
                .hasValue(new AgentId(name));
        soft.assertThat(get(stores.sessions().find(new SessionId(name)))
                        .map(session -> session.spec().attributes()))
                .as("session %s", name)
                .hasValue(Attributes.of(name, name));
    }

    private void checkTask(String name, SoftAssertions soft) {
        TaskId id = new TaskId(name);
        Optional<Task> task = get(stores.tasks().find(id));
        soft.assertThat(task).as("task %s", name).isPresent();
        for (TaskFilter filter :
                List.of(TaskFilter.agent(new AgentId(name)), TaskFilter.context(name), TaskFilter.parent(id))) {
            soft.assertThat(get(stores.tasks().list(filter, PAGE)).items())
                    .as("tasks by %s", filter)
                    .containsExactlyElementsOf(task.stream().toList());
        }
    }

    private static Interest interest(String name) {
        return new Interest(
                name, Interest.Mode.BROADCAST, Subscriber.single(name), Optional.of(name), Attributes.of(name, name));
    }

    private static AgentSpec spec(String name) {
        return new AgentSpec(
                new AgentId(name),
                name,
                1,
                Attributes.of(name, Map.of(name, name).toString()));
    }
}
