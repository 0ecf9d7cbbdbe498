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
package org.apache.eventmesh.state.tck.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.BindResult;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.value.Attributes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** One agent and the sessions that are bound to it. Its lease does not end: when leases do is not what this is about. */
public final class AgentPart {
    static final int SESSIONS = 4;

    private static final int CAPACITY = 2;
    private static final Duration LEASE = Duration.ofDays(30);

    private final World world;
    private final AgentSpec spec;
    private final Owned<OwnedAgent> owned = new Owned<>();

    /** As it was read under each of its registrations, the last one last. */
    private final List<Agent> read = new ArrayList<>();

    /** By session, the registration that it was bound under. */
    private final Map<Integer, Integer> bound = new TreeMap<>();

    AgentPart(World world) {
        this.world = world;
        this.spec = new AgentSpec(new AgentId(world.name("agent")), "kind", CAPACITY, Attributes.NONE);
    }

    private SessionId session(int session) {
        return new SessionId(world.name("bound-" + session));
    }

    /** From whoever has it. A new registration has nothing bound. */
    public void takeOver(int at) {
        int before = owned.isOwned() ? owned.claim() : -1;
        OwnedAgent ours = get(world.stores(at).sessions().takeOver(world.member(at), spec, LEASE));
        owned.claimed(world.life(at), ours);
        if (owned.claim() != before) {
            bound.clear();
            read.add(get(world.stores(at).sessions().find(spec.id())).orElseThrow());
        }
    }

    public void unregister(int at) {
        owned.handle(world.life(at)).ifPresent(ours -> {
            get(ours.release());
            if (!owned.isFenced(world.life(at))) {
                bound.clear();
            }
            owned.released(world.life(at));
        });
    }

    public void heartbeat(int at, boolean ready, int load) {
        owned.handle(world.life(at)).ifPresent(ours -> {
            HeartbeatResult told = get(ours.heartbeat(ready, load));
            assertThat(told instanceof HeartbeatResult.Alive).as("alive").isEqualTo(!owned.isFenced(world.life(at)));
            if (told instanceof HeartbeatResult.Alive alive) {
                assertThat(alive.agent().ready()).isEqualTo(ready);
                assertThat(alive.agent().load()).isEqualTo(load);
                assertThat(alive.agent().bound()).isEqualTo(bound.size());
            }
        });
    }

    /**
     * Binds a session.
     *
     * @param back how many registrations ago the agent was read; only 0 for a session that is bound
     */
    public void bind(int at, int session, int back) {
        if (read.size() <= back || (back > 0 && bound.containsKey(session))) {
            return;
        }
        BindResult told = get(world.stores(at).sessions().bind(read.get(read.size() - 1 - back), session(session)));
        assertThat(told.getClass().getSimpleName()).isEqualTo(expected(session, back));
        if (told instanceof BindResult.Bound) {
            bound.put(session, owned.claim());
        }
    }

    private String expected(int session, int back) {
        if (back > 0 || !owned.isOwned()) {
            return "AgentGone";
        }
        if (bound.containsKey(session)) {
            return "AlreadyBound";
        }
        return bound.size() == CAPACITY ? "Full" : "Bound";
    }

    public void unbind(int at, int session) {
        get(world.stores(at).sessions().unbind(session(session)));
        bound.remove(session);
    }

    void compare() {
        Optional<Agent> agent = get(world.stores(0).sessions().find(spec.id()));
        assertThat(agent.isPresent()).as("agent").isEqualTo(owned.isOwned());
        assertThat(agent.map(Agent::bound).orElse(0)).as("bound").isEqualTo(bound.size());
        for (int session = 0; session < SESSIONS; session++) {
            assertThat(get(world.stores(0).sessions().boundTo(session(session))).isPresent())
                    .as("session %d is bound", session)
                    .isEqualTo(bound.containsKey(session));
        }
    }
}
