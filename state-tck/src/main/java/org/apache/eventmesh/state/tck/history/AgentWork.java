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
package org.apache.eventmesh.state.tck.history;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.SessionStore;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.value.Attributes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** A few agents that all instances register, report for and take from each other, with sessions bound to them. */
final class AgentWork implements Work {
    private static final int AGENTS = 3;
    private static final int SESSIONS = 8;
    private static final int CAPACITY = 2;

    /** Longer than most runs, so that it seldom ends; shorter than anybody waits for what is left behind. */
    private static final Duration LEASE = Duration.ofMinutes(1);

    /** An agent of one life. */
    private record Mine(Life life, AgentId agent) {}

    private final String name;
    private final Recorder<AgentId, AgentInput, Object> recorder = new Recorder<>();
    private final Owners<AgentId> owners = new Owners<>(recorder);
    private final Map<Mine, OwnedAgent> owned = new ConcurrentHashMap<>();
    private final Map<AgentId, Agent> seen = new ConcurrentHashMap<>();

    AgentWork(String name) {
        this.name = name;
    }

    private AgentId agent(int number) {
        return new AgentId(name + "-agent-" + number);
    }

    private SessionId session(int number) {
        return new SessionId(name + "-session-" + number);
    }

    private String kind() {
        return name + "-kind";
    }

    private AgentSpec spec(AgentId id) {
        return new AgentSpec(id, kind(), CAPACITY, Attributes.NONE);
    }

    @Override
    public void begin(Caller first) {}

    @Override
    public void step(Caller caller) {
        int dice = caller.random().nextInt(100);
        AgentId id = agent(caller.random().nextInt(AGENTS));
        Life life = caller.life();
        OwnedAgent ours = owned.get(new Mine(life, id));
        Agent asRead = seen.get(id);
        SessionStore store = life.instance().stores().sessions();
        SessionId session = session(caller.random().nextInt(SESSIONS));
        if (ours == null || dice < 20) {
            own(caller, life, id, caller.onceIn(2));
        } else if (dice < 24) {
            owners.release(caller, life, id, ours);
        } else if (dice < 60) {
            beat(caller, life, id, ours);
        } else if (asRead != null && dice < 75) {
            life.ask(store.bind(asRead, session));
        } else if (dice < 80) {
            life.ask(store.unbind(session).thenApply(nothing -> "unbound"));
        } else {
            find(caller, life, id);
        }
    }

    private void own(Caller caller, Life life, AgentId id, boolean force) {
        SessionStore store = life.instance().stores().sessions();
        Optional<OwnedAgent> ours = force
                ? owners.takeOver(caller, life, id, member -> store.takeOver(member, spec(id), LEASE))
                : owners.claim(caller, life, id, member -> store.register(member, spec(id), LEASE));
        ours.ifPresent(agent -> owned.put(new Mine(life, id), agent));
    }

    private void beat(Caller caller, Life life, AgentId id, OwnedAgent ours) {
        var begun = recorder.begin(caller.name());
        Answer<HeartbeatResult> answer =
                life.ask(ours.heartbeat(!caller.onceIn(3), caller.random().nextInt(100)));
        begun.ended();
        begun.told(id, new AgentInput.Beat(ours.token()), answer);
    }

    private void find(Caller caller, Life life, AgentId id) {
        var begun = recorder.begin(caller.name());
        Answer<Optional<Agent>> answer =
                life.ask(life.instance().stores().sessions().find(id));
        begun.ended();
        answer.value().ifPresent(found -> {
            begun.answered(id, new AgentInput.Find(), found);
            found.ifPresent(agent -> {
                assertThat(agent.bound()).as("sessions bound to %s", agent).isBetween(0, CAPACITY);
                seen.put(id, agent);
            });
        });
    }

    /** N02, N03 and the view that routing reads. */
    @Override
    public void converge(List<Life> lives) {
        SessionStore first = lives.get(0).instance().stores().sessions();
        Set<Agent> stored = new HashSet<>(
                get(first.agents(PageRequest.first(PageRequest.MAX_LIMIT))).items());
        stored.removeIf(agent -> !agent.spec().kind().equals(kind()));
        List<Agent> bound = IntStream.range(0, SESSIONS)
                .mapToObj(n -> get(first.boundTo(session(n))))
                .flatMap(Optional::stream)
                .toList();
        for (Agent agent : stored) {
            assertThat(agent.bound()).as("room of %s", agent).isLessThanOrEqualTo(CAPACITY);
            assertThat(bound.stream().filter(agent::equals).count())
                    .as("sessions bound to %s, of %s", agent, bound)
                    .isEqualTo(agent.bound());
        }
        Set<Agent> available = new HashSet<>(stored);
        available.removeIf(agent -> !agent.ready() || agent.bound() >= CAPACITY);
        for (Life life : lives) {
            SessionStore store = life.instance().stores().sessions();
            Eventually.holds(() -> assertThat(store.view().available(kind()))
                    .as("the view of %s", life.instance().name())
                    .containsExactlyInAnyOrderElementsOf(available));
        }
    }

    @Override
    public void end(Caller last) {
        for (AgentId id : recorder.things()) {
            find(last, last.life(), id);
            own(last, last.life(), id, true);
            beat(last, last.life(), id, owned(last, id));
            owners.release(last, last.life(), id, owned(last, id));
            find(last, last.life(), id);
            Judgement.epochsRise(id.toString(), recorder.about(id));
            Judgement.linearizable(id.toString(), new AgentOwning(), recorder.about(id));
        }
    }

    private OwnedAgent owned(Caller last, AgentId id) {
        OwnedAgent ours = owned.get(new Mine(last.life(), id));
        if (ours == null) {
            throw new AssertionError("the last instance cannot take over " + id);
        }
        return ours;
    }

    @Override
    public Tally tally() {
        return recorder.tally();
    }
}
