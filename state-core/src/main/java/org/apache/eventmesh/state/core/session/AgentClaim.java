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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.owner.ClaimStep;
import org.apache.eventmesh.state.core.owner.KeptLease;
import org.apache.eventmesh.state.core.proto.AgentLeaseRecord;
import org.apache.eventmesh.state.core.proto.AgentRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.value.Bytes;

/** What registering an agent writes with the claim: the agent, to which nothing is bound yet, and its lease. */
record AgentClaim(AgentSpec spec, KeptLease lease, long now) implements ClaimStep<AgentId> {
    @Override
    public Collection<Bytes> keys() {
        return List.of(SessionKeys.agent(spec.id()), SessionKeys.agentLease(spec.id()));
    }

    @Override
    public void claimed(Token<AgentId> token, Seen seen, Draft draft) {
        draft.change(Records.AGENT.put(
                SessionKeys.agent(spec.id()), AgentRecords.registered(spec, lease.length(), token, now)));
        stand(AgentLeaseRecord.getDefaultInstance(), token, draft);
    }

    /** The spec is replaced; what is bound stays, and so does what the agent last reported. */
    @Override
    public void repeated(Token<AgentId> token, Seen seen, Draft draft) {
        Bytes key = SessionKeys.agent(spec.id());
        Optional<Stored<AgentRecord>> before = seen.get(Records.AGENT, key);
        AgentRecord record = before.map(stored -> AgentRecords.respecified(stored.record(), spec, lease.length()))
                .orElseGet(() -> AgentRecords.registered(spec, lease.length(), token, now));
        draft.condition(seen.unchanged(key)).change(Records.AGENT.put(key, record));
        AgentLeaseRecord reported = AgentRecords.lease(seen.entry(SessionKeys.agentLease(spec.id())), token.epoch())
                .map(Stored::record)
                .orElseGet(AgentLeaseRecord::getDefaultInstance);
        draft.condition(seen.unchanged(SessionKeys.agentLease(spec.id())));
        stand(reported, token, draft);
    }

    private void stand(AgentLeaseRecord reported, Token<AgentId> token, Draft draft) {
        draft.change(AgentRecords.alive(
                spec.id(),
                reported.toBuilder()
                        .setEpoch(token.epoch())
                        .setLeaseId(lease.id())
                        .setLeaseMillis(lease.length().toMillis())
                        .build()));
    }
}
