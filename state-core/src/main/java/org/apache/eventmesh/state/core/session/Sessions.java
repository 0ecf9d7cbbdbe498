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
package org.apache.eventmesh.state.core.session;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.Mesh;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.AgentView;
import org.apache.eventmesh.state.session.BindResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.session.SessionStore;

/** The agents, bindings and sessions of a mesh over one backend. */
public final class Sessions implements SessionStore, AutoCloseable {
    private final Backend backend;
    private final InstantSource clock;
    private final Agents agents;
    private final Bindings bindings;
    private final IdleSessions idle;
    private final BindingSweep sweep = new BindingSweep();
    private final CopiedAgents copy;

    /**
     * Starts to follow the agents.
     *
     * @param keepAliveInterval how long keep-alives are coalesced
     * @param attributeBytes the most that the attributes of one agent or session may have
     */
    public Sessions(Backend backend, Mesh mesh, InstantSource clock, Duration keepAliveInterval, int attributeBytes) {
        this.backend = backend;
        this.clock = clock;
        this.agents = new Agents(backend, mesh, clock, attributeBytes);
        this.bindings = new Bindings(backend, clock);
        this.idle = new IdleSessions(backend, clock, keepAliveInterval, attributeBytes);
        this.copy = new CopiedAgents(backend);
        mesh.claims().ending(AgentId.class, new AgentParting(agents.leases(), sweep));
    }

    @Override
    public CompletionStage<ClaimResult<OwnedAgent>> register(Member member, AgentSpec spec, Duration lease) {
        Check.given("member", member);
        Check.given("spec", spec);
        Check.given("lease", lease);
        return agents.register(member, spec, lease);
    }

    @Override
    public CompletionStage<OwnedAgent> takeOver(Member member, AgentSpec spec, Duration lease) {
        Check.given("member", member);
        Check.given("spec", spec);
        Check.given("lease", lease);
        return agents.takeOver(member, spec, lease);
    }

    @Override
    public OwnedAgent agent(Token<AgentId> token) {
        Check.given("token", token);
        return agents.agent(token);
    }

    @Override
    public CompletionStage<Optional<Agent>> find(AgentId id) {
        Check.given("id", id);
        return agents.find(id);
    }

    @Override
    public CompletionStage<Page<Agent>> agents(PageRequest page) {
        Check.given("page", page);
        return agents.page(page);
    }

    @Override
    public AgentView view() {
        backend.requireOpen();
        return copy;
    }

    @Override
    public CompletionStage<BindResult> bind(Agent asRead, SessionId session) {
        Check.given("asRead", asRead);
        Check.given("session", session);
        return bindings.bind(asRead, session);
    }

    @Override
    public CompletionStage<Optional<Agent>> boundTo(SessionId session) {
        Check.given("session", session);
        return bindings.boundTo(session);
    }

    @Override
    public CompletionStage<Void> unbind(SessionId session) {
        Check.given("session", session);
        return bindings.unbind(session).thenAccept(ended -> {});
    }

    @Override
    public CompletionStage<Session> open(SessionSpec spec) {
        Check.given("spec", spec);
        return idle.open(spec);
    }

    @Override
    public CompletionStage<Optional<Session>> find(SessionId id) {
        Check.given("id", id);
        return idle.find(id);
    }

    @Override
    public CompletionStage<Optional<Session>> keepAlive(SessionId id) {
        Check.given("id", id);
        return idle.keepAlive(id);
    }

    @Override
    public CompletionStage<Void> close(SessionId id) {
        Check.given("id", id);
        return idle.close(id).thenAccept(ended -> {});
    }

    @Override
    public CompletionStage<Swept> expire(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit is " + limit + "; it must be at least 1");
        }
        long now = Millis.now(clock);
        return Steps.run(
                backend,
                new Operation(StoreName.SESSIONS, "expire"),
                steps -> new Expiry(steps, limit, now)
                        .run()
                        // what is left of ended registrations goes along, as far as that works
                        .thenCompose(swept -> sweep.some(steps).handle((done, failure) -> swept)));
    }

    /** How old the local copy is. */
    public Duration age() {
        return copy.age();
    }

    /** Stops to follow. */
    @Override
    public void close() {
        copy.close();
    }
}
