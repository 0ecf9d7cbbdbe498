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

import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.BindResult;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.session.SessionStore;

/** Sessions that are opened and closed, and others that come to an agent and leave it. */
final class SessionWork {
    private final Promises promises;
    private final SessionStore sessions;
    private final OwnedAgent agent;
    private final Queue<Long> open = new ConcurrentLinkedQueue<>();
    private long next;

    SessionWork(Promises promises, Life life) {
        this.promises = promises;
        this.sessions = life.stores().sessions();
        this.agent = Await.result(sessions.takeOver(life.member(), Plan.AGENT, Plan.LONG));
        Life.say("epoch " + Plan.AGENT.id().value() + " " + agent.token().epoch());
    }

    void from(long number) {
        next = number;
    }

    void any(Random random) {
        switch (random.nextInt(4)) {
            case 0 -> open();
            case 1 -> close();
            case 2 -> bind(random.nextInt(Plan.BINDINGS), random.nextBoolean());
            default -> heartbeat(random);
        }
    }

    private static String thing(long number) {
        return "session/crash/" + number;
    }

    private void open() {
        long number = next++;
        SessionSpec spec = Plan.session(number);
        Map<String, String> things = Map.of(thing(number), "there");
        promises.one(things, () -> sessions.open(spec), session -> {
            if (!session.spec().equals(spec)) {
                throw new IllegalStateException("another session");
            }
            open.add(number);
            return things;
        });
    }

    private void close() {
        Long number = open.poll();
        if (number != null) {
            Map<String, String> things = Map.of(thing(number), Ledger.SETTLED);
            promises.one(things, () -> sessions.close(Plan.session(number).id()), done -> things);
        }
    }

    /** Each of these may find that it is so already, or that there is no room. */
    private void bind(int number, boolean on) {
        Agent there = Await.result(sessions.find(Plan.AGENT.id())).orElseThrow();
        promises.one(Map.of(), () -> on ? bound(there, number) : sessions.unbind(Plan.bound(number)), done -> Map.of());
    }

    private CompletionStage<Void> bound(Agent there, int number) {
        return sessions.bind(there, Plan.bound(number)).thenAccept(result -> {
            if (result instanceof BindResult.AgentGone) {
                throw new IllegalStateException("the agent is registered here: " + there);
            }
        });
    }

    private void heartbeat(Random random) {
        promises.one(
                Map.of(),
                () -> agent.heartbeat(random.nextBoolean(), random.nextInt(5))
                        .thenApply(HeartbeatResult.Alive.class::cast),
                alive -> Map.of());
    }
}
