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
package org.apache.eventmesh.state.core.owner;

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.AgentLeaseRecord;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Which lease keeps others from a scope. It is that of the holder's process, but an agent has one of its own: while that
 * lives the agent is held, also when its instance is away, and when it has ended the agent is free, also when its instance
 * lives.
 */
final class HolderLease {
    private HolderLease() {}

    /** The record that vanishes with the lease. */
    static Bytes key(Scope scope, HolderRecord holder) {
        return scope instanceof AgentId agent
                ? KeyWriter.of(Table.AGENT_LEASE).text(agent.value()).key()
                : OwnerKeys.member(holder.getProcess());
    }

    /** The engine's name of the lease; empty when it has ended. */
    static OptionalLong id(Scope scope, HolderRecord holder, Optional<Entry> record) {
        if (record.isEmpty()) {
            return OptionalLong.empty();
        }
        if (scope instanceof AgentId) {
            AgentLeaseRecord lease = Records.AGENT_LEASE.decode(record.get()).record();
            return lease.getEpoch() == holder.getEpoch() ? OptionalLong.of(lease.getLeaseId()) : OptionalLong.empty();
        }
        return OptionalLong.of(Records.MEMBER.decode(record.get()).record().getLeaseId());
    }
}
