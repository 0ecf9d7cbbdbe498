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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;

/**
 * Something of everything in all six stores, owned by one instance: what rules about every operation are told on. Two
 * scenes of different names have nothing in common.
 */
final class Scene {
    static final Duration AGENT_LEASE = Duration.ofSeconds(20);
    static final Duration IDLE = Duration.ofMinutes(5);

    /** Messages for {@link #reader}: those up to this are held by the client, and then comes a dead letter. */
    static final int HELD = 8;

    final String name;
    final Instance at;
    final Partition partition;

    /** Its deliveries are with the client. */
    final Subscriber reader;

    /** Its deliveries wait for a hand-out. */
    final Subscriber waiting;

    /** Its progress is only advanced; it has no deliveries. */
    final Subscriber untracked;

    /** Serves the agent's tasks. */
    final Subscriber queue;

    final Shard shard;
    final OwnedClient client;
    final OwnedAgent agent;
    final Agent agentAsRead;
    final SessionId bound;
    final SessionId session;
    final OwnedTask ownedTask;
    final Task task;
    final List<HandOut> held;
    final DeadLetter letter;
    final FanOut completed;

    Scene(String name, Instance at) {
        this.name = name;
        this.at = at;
        StateStores stores = at.stores();
        partition = new Partition(name + "-orders", 0);
        reader = Subscriber.group(name + "-billing");
        waiting = Subscriber.group(name + "-audit");
        untracked = Subscriber.group(name + "-mirror");
        queue = Subscriber.group(name + "-agents");
        shard = at.shard(partition);
        client = at.client(name + "-alice");
        get(client.register(interest(partition.topic())));

        List<HandOut> given = get(shard.open(poll(0, HELD + 2))).handOuts().toList();
        held = List.copyOf(given.subList(0, HELD));
        HandOut confirmed = given.get(HELD);
        HandOut dead = given.get(HELD + 1);
        get(shard.ack(Ack.of(confirmed.receipt(), client.token().scope())));
        get(shard.deadLetter(dead.receipt(), "nobody wants it"));
        // the dead letter was synced, and all before it: only then is it told
        completed = get(shard.completed(1)).get(0);
        letter = get(stores.deadLetters().find(new DeadLetterId(partition, HELD + 1, reader)))
                .orElseThrow();
        get(stores.offsets().advance(shard, Map.of(untracked, 5L)));

        agent = get(stores.sessions().register(at.member(), agentSpec(), AGENT_LEASE))
                .claimed()
                .orElseThrow();
        get(agent.heartbeat(true, 1));
        agentAsRead = get(stores.sessions().find(agent.token().scope())).orElseThrow();
        bound = new SessionId(name + "-bound");
        get(stores.sessions().bind(agentAsRead, bound));
        session = new SessionId(name + "-session");
        get(stores.sessions().open(new SessionSpec(session, IDLE, Attributes.NONE)));

        CreateResult.Created created =
                (CreateResult.Created) get(stores.tasks().create(shard, newTask("task"), carrier()));
        ownedTask = created.owned();
        task = created.task();
    }

    /** The scene as one who holds tokens of other epochs sees it. */
    private Scene(Scene scene, long shift) {
        name = scene.name;
        at = scene.at;
        partition = scene.partition;
        reader = scene.reader;
        waiting = scene.waiting;
        untracked = scene.untracked;
        queue = scene.queue;
        shard = at.stores().deliveries().shard(shifted(scene.shard.token(), shift));
        client = at.stores().subscriptions().client(shifted(scene.client.token(), shift));
        agent = at.stores().sessions().agent(shifted(scene.agent.token(), shift));
        agentAsRead = scene.agentAsRead;
        bound = scene.bound;
        session = scene.session;
        ownedTask = at.stores().tasks().task(shifted(scene.ownedTask.token(), shift));
        task = scene.task;
        held = scene.held;
        letter = scene.letter;
        completed = scene.completed;
    }

    private static <S extends Scope> Token<S> shifted(Token<S> token, long shift) {
        return new Token<>(token.incarnation(), token.scope(), token.epoch() + shift, token.holder());
    }

    /** The same scene under tokens that were never issued. */
    Scene withEpochs(long shift) {
        return new Scene(this, shift);
    }

    StateStores stores() {
        return at.stores();
    }

    Ack ack(int n) {
        return Ack.of(held.get(n).receipt(), client.token().scope());
    }

    /** The first poll: everything for the reader and, of the first three messages, for the one who waits. */
    OpenBatch poll(long from, long to) {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            Incoming message = Examples.message(offset).to(reader, client.receiver());
            message = offset < 3 ? message.to(waiting) : message;
            messages.add(offset == HELD ? message.brokerHandle(Bytes.utf8("handle"), Duration.ofHours(1)) : message);
        }
        return OpenBatch.range(Examples.GENERATION, from, to, Set.of(reader, waiting), messages, Examples.HAND_OUT);
    }

    Interest interest(String topic) {
        return new Interest(topic, Interest.Mode.LOAD_BALANCE, reader, Optional.empty(), Attributes.NONE);
    }

    AgentSpec agentSpec() {
        return new AgentSpec(new AgentId(name + "-agent"), name + "-kind", 4, Attributes.NONE);
    }

    NewTask newTask(String id) {
        return new NewTask(
                new TaskId(name + "-" + id),
                new AgentId(name + "-agent"),
                Optional.of(name + "-context"),
                Optional.empty(),
                Bytes.utf8("input"),
                Attributes.NONE);
    }

    Carrier carrier() {
        return new Carrier(queue, Optional.empty(), Examples.HAND_OUT);
    }

    /** Another instance takes over everything that this scene's owner holds. */
    void takeOverBy(Instance other) {
        StateStores theirs = other.stores();
        get(theirs.deliveries().takeOver(other.member(), partition));
        get(theirs.subscriptions().connect(other.member(), client.token().scope()));
        get(theirs.sessions().takeOver(other.member(), agentSpec(), AGENT_LEASE));
        get(theirs.tasks().takeOver(other.member(), task.id()));
    }
}
