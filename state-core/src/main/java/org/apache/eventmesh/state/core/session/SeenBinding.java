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

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.proto.AgentRecord;
import org.apache.eventmesh.state.core.proto.BindingRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.value.Bytes;

/** What a transaction knows of a session's binding, and how it ends there. */
final class SeenBinding {
    private final SessionId session;
    private final Seen seen;

    SeenBinding(SessionId session, Seen seen) {
        this.session = session;
        this.seen = seen;
    }

    /**
     * Where the session is bound, whether or not that agent still lives.
     *
     * @throws CorruptStateException when it cannot be decoded
     */
    Optional<Bound> bound() {
        return seen.get(Records.BINDING, key()).map(stored -> SharedValues.value(stored, this::made));
    }

    /** What is still to be read to judge or end a binding. */
    List<Bytes> unread(Bound bound) {
        return List.of(SessionKeys.agent(bound.agent()), SessionKeys.agentLease(bound.agent())).stream()
                .filter(each -> !seen.knows(each))
                .toList();
    }

    /** The agent, if it lives in the registration that the session is bound to. */
    Optional<Agent> agent(Bound bound) {
        return AgentRecords.living(
                        seen.entry(SessionKeys.agent(bound.agent())), seen.entry(SessionKeys.agentLease(bound.agent())))
                .filter(agent -> agent.epoch() == bound.epoch());
    }

    /** What is to be read before {@link #end}. */
    List<Bytes> unreadForEnd() {
        return readable().map(this::unread).orElse(List.of());
    }

    /**
     * Ends the binding, if there is one, and gives its place back. Of one that cannot be decoded, the place comes back when
     * the agent is registered anew.
     *
     * @return whether there was one
     */
    boolean end(Draft draft) {
        if (seen.entry(key()).isEmpty()) {
            return false;
        }
        draft.condition(seen.unchanged(key())).change(Change.delete(key()));
        readable().ifPresent(bound -> {
            draft.change(Change.delete(SessionKeys.bindingByAgent(bound)));
            registration(bound)
                    .ifPresent(agent -> draft.condition(agent.unchanged()).change(AgentRecords.bound(agent, -1)));
        });
        return true;
    }

    private Optional<Stored<AgentRecord>> registration(Bound bound) {
        return AgentRecords.agent(seen.entry(SessionKeys.agent(bound.agent())))
                .filter(agent -> agent.record().getEpoch() == bound.epoch());
    }

    private Optional<Bound> readable() {
        try {
            return bound();
        } catch (CorruptStateException e) {
            return Optional.empty();
        }
    }

    private Bound made(Stored<BindingRecord> stored) {
        return new Bound(
                new AgentId(stored.record().getAgent()), stored.record().getAgentEpoch(), session);
    }

    private Bytes key() {
        return SessionKeys.binding(session);
    }
}
