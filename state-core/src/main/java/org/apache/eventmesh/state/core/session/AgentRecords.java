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
import java.util.Optional;
import org.apache.eventmesh.state.core.proto.AgentLeaseRecord;
import org.apache.eventmesh.state.core.proto.AgentRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;

/** An agent as it is stored, in a record that stays and one that vanishes with its lease, and as callers see it. */
final class AgentRecords {
    private AgentRecords() {}

    /** A registration under a new epoch: nothing is bound to it. */
    static AgentRecord registered(AgentSpec spec, Duration lease, Token<AgentId> token, long now) {
        return respecified(
                AgentRecord.newBuilder()
                        .setEpoch(token.epoch())
                        .setInstance(token.holder().instance())
                        .setProcess(token.holder().process())
                        .setRegisteredAtMillis(now)
                        .build(),
                spec,
                lease);
    }

    /** The same registration with another spec. */
    static AgentRecord respecified(AgentRecord record, AgentSpec spec, Duration lease) {
        return record.toBuilder()
                .setKind(spec.kind())
                .setCapacity(spec.capacity())
                .setAttributes(SharedValues.attributes(spec.attributes()))
                .setLeaseMillis(Millis.of(lease))
                .build();
    }

    static Optional<Stored<AgentRecord>> agent(Optional<Entry> entry) {
        return entry.map(Records.AGENT::decode);
    }

    /** The lease of the agent's registration of that epoch; empty when the agent is dead. */
    static Optional<Stored<AgentLeaseRecord>> lease(Optional<Entry> entry, long epoch) {
        return entry.map(Records.AGENT_LEASE::decode)
                .filter(stored -> stored.record().getEpoch() == epoch);
    }

    /** The living agent; empty when it is unregistered or dead. */
    static Optional<Agent> living(Optional<Entry> agent, Optional<Entry> lease) {
        return agent(agent)
                .flatMap(
                        stored -> lease(lease, stored.record().getEpoch()).map(alive -> agent(stored, alive.record())));
    }

    /** The same registration with another number of bound sessions. */
    static Change bound(Stored<AgentRecord> stored, int change) {
        int bound = Math.max(0, stored.record().getBound() + change);
        return Records.AGENT.put(
                stored.key(), stored.record().toBuilder().setBound(bound).build());
    }

    static Change alive(AgentId agent, AgentLeaseRecord record) {
        return Change.put(SessionKeys.agentLease(agent), Records.AGENT_LEASE.encode(record), record.getLeaseId());
    }

    static Agent agent(Stored<AgentRecord> stored, AgentLeaseRecord alive) {
        return SharedValues.value(stored, of -> {
            AgentRecord record = of.record();
            AgentSpec spec = new AgentSpec(
                    SessionKeys.readAgent(of.key()),
                    record.getKind(),
                    record.getCapacity(),
                    SharedValues.attributes(record.getAttributes()));
            return new Agent(
                    spec,
                    record.getEpoch(),
                    new Holder(record.getInstance(), record.getProcess()),
                    alive.getReady(),
                    alive.getLoad(),
                    record.getBound());
        });
    }
}
