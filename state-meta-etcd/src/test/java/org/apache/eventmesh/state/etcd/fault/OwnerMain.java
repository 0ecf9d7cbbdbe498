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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;

/** A runtime in a process of its own: owns something in each store, and writes when it is told to. */
final class OwnerMain {
    private final StateStores stores;
    private final Shard shard;
    private final OwnedClient client;
    private final OwnedAgent agent;
    private final CreateResult.Created task;
    private final List<HandOut> given;

    private OwnerMain(StateStores stores) {
        this.stores = stores;
        Member member = Await.result(stores.join("owner", Possessions.LEASE));
        shard = Await.result(stores.deliveries().claim(member, Possessions.ORDERS))
                .claimed()
                .orElseThrow();
        client = Await.result(stores.subscriptions().connect(member, Possessions.CLIENT));
        Await.result(client.register(Possessions.interest("orders")));
        agent = Await.result(stores.sessions().register(member, Possessions.AGENT, Possessions.LEASE))
                .claimed()
                .orElseThrow();
        Await.result(agent.heartbeat(true, 1));
        task = (CreateResult.Created)
                Await.result(stores.tasks().create(shard, Possessions.task("task"), Possessions.CARRIER));
        given = Await.result(shard.open(Possessions.messages(0, Possessions.MESSAGES)))
                .handOuts()
                .toList();
    }

    /** Arguments: the address, and that of the shared backend if there are two. */
    public static void main(String... arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (StateStores stores = Possessions.open(List.of(arguments))) {
            OwnerMain owner = new OwnerMain(stores);
            say("ready");
            // the end of the input is the end of the parent
            for (String word = in.readLine(); word != null; word = in.readLine()) {
                if (word.startsWith("ack ")) {
                    owner.tell(word, owner.shard.ack(owner.ack(Integer.parseInt(word.substring(4)))));
                } else {
                    owner.write();
                }
                say("done");
            }
        }
    }

    private Ack ack(int n) {
        return Ack.of(given.get(n).receipt(), Possessions.ALICE.client());
    }

    private void write() {
        tell("deliveries ack", shard.ack(ack(3)));
        tell("deliveries nack", shard.nack(nack(4), Retry.immediately(3)));
        tell("deliveries open", shard.withdraw(Possessions.AUDIT));
        tell("dead letters", shard.deadLetter(given.get(5).receipt(), "given up"));
        tell("offsets", stores.offsets().advance(shard, Map.of(Possessions.MIRROR, 7L)));
        tell("subscriptions", client.register(Possessions.interest("invoices")));
        tell("sessions", agent.heartbeat(false, 7));
        tell("tasks move", task.owned().move(task.task(), TaskChange.to(TaskState.WORKING)));
        tell("tasks create", stores.tasks().create(shard, Possessions.task("other"), Possessions.CARRIER));
    }

    private Nack nack(int n) {
        return new Nack(given.get(n).receipt(), Possessions.ALICE.client(), "not now");
    }

    private void tell(String what, CompletionStage<?> stage) {
        Object answer;
        try {
            answer = Await.result(stage);
        } catch (StateStoreException failure) {
            answer = failure;
        }
        if (answer instanceof Map<?, ?> outcomes) {
            answer = outcomes.values().iterator().next();
        }
        if (answer instanceof Outcome.Done<?> done) {
            answer = done.result();
        }
        say(what + ": " + answer.getClass().getSimpleName());
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
