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
package org.apache.eventmesh.state.session;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;

/** Agents, the sessions bound to them, and sessions with their expiry. All writes are synced. */
public interface SessionStore {
    /**
     * Registers an agent here: a claim with a lease of its own, which ends when its heartbeats do. Repeating it as the
     * same member gives the same token and replaces the spec.
     *
     * @param lease longer than zero and at most 365 days, else {@code IllegalArgumentException}; on etcd it is rounded up to
     *     whole seconds
     */
    CompletionStage<ClaimResult<OwnedAgent>> register(Member member, AgentSpec spec, Duration lease);

    /**
     * The same, from a live holder too: the agent reconnected here. The former instance is fenced.
     *
     * @param lease as for {@link #register}
     */
    CompletionStage<OwnedAgent> takeOver(Member member, AgentSpec spec, Duration lease);

    /** The agent of a token kept elsewhere. Claims nothing: under a stale token every write is fenced. */
    OwnedAgent agent(Token<AgentId> token);

    /** A registered agent whose lease lives; empty when it is dead or unregistered. */
    CompletionStage<Optional<Agent>> find(AgentId id);

    /** Registered agents whose lease lives, ascending by id. */
    CompletionStage<Page<Agent>> agents(PageRequest page);

    /** The local copy that routing reads: no network. */
    AgentView view();

    /**
     * Binds a session within the agent's capacity, atomically, from any instance; conditional on the agent's epoch as
     * read. Idempotent by session.
     */
    CompletionStage<BindResult> bind(Agent asRead, SessionId session);

    /** The live agent that a session is bound to; empty when it is bound to none, or that one is gone. */
    CompletionStage<Optional<Agent>> boundTo(SessionId session);

    /** Idempotent. */
    CompletionStage<Void> unbind(SessionId session);

    /**
     * Opens a session that ends when it is idle for {@code idle}; an open one stays as it is and is kept alive.
     * Idempotent.
     */
    CompletionStage<Session> open(SessionSpec spec);

    /** Empty when it never was, has expired, or was closed. */
    CompletionStage<Optional<Session>> find(SessionId id);

    /**
     * Keeps a session alive: its idle time starts anew. Coalesced: written at most once per interval (a setting), and
     * the stored expiry is later by that interval, so no session ends early. Empty when the session is gone.
     */
    CompletionStage<Optional<Session>> keepAlive(SessionId id);

    /** Ends a session. Idempotent. */
    CompletionStage<Void> close(SessionId id);

    /**
     * Removes at most {@code limit} expired sessions, each only if nobody kept it alive meanwhile. Idempotent.
     *
     * @param limit at least 1, else {@code IllegalArgumentException}
     */
    CompletionStage<Swept> expire(int limit);
}
