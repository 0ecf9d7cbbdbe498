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
import java.util.Collection;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.proto.AgentLeaseRecord;
import org.apache.eventmesh.state.core.proto.AgentRecord;
import org.apache.eventmesh.state.core.read.TableView;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentView;

/**
 * The local copy of the agents and of their leases. Each is followed by itself; the epoch tells whether a lease belongs to a
 * registration, so an agent is never offered with the lease of another one.
 */
final class CopiedAgents implements AgentView, AutoCloseable {
    private final Backend backend;
    private final TableView<Stored<AgentRecord>> agents;
    private final TableView<AgentLeaseRecord> leases;

    /** Starts to follow both. */
    CopiedAgents(Backend backend) {
        this.backend = backend;
        this.agents = new TableView<>(backend, StoreName.SESSIONS, SessionKeys.agents(), entry -> {
            SessionKeys.readAgent(entry.key());
            return Records.AGENT.decode(entry);
        });
        this.leases = new TableView<>(
                backend,
                StoreName.SESSIONS,
                SessionKeys.agentLeases(),
                entry -> Records.AGENT_LEASE.decode(entry).record());
    }

    @Override
    public Collection<Agent> available(String kind) {
        Check.given("kind", kind);
        backend.requireOpen();
        return agents.under(SessionKeys.agents()).stream()
                .filter(stored -> stored.record().getKind().equals(kind))
                .flatMap(stored -> living(stored).stream())
                .filter(agent -> agent.ready() && agent.bound() < agent.spec().capacity())
                .toList();
    }

    @Override
    public Duration age() {
        Duration ofAgents = agents.age();
        Duration ofLeases = leases.age();
        return ofAgents.compareTo(ofLeases) > 0 ? ofAgents : ofLeases;
    }

    @Override
    public void close() {
        agents.close();
        leases.close();
    }

    private Optional<Agent> living(Stored<AgentRecord> stored) {
        return leases.get(SessionKeys.agentLease(SessionKeys.readAgent(stored.key())))
                .filter(alive -> alive.getEpoch() == stored.record().getEpoch())
                .map(alive -> AgentRecords.agent(stored, alive));
    }
}
