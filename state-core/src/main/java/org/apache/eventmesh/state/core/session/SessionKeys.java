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

import org.apache.eventmesh.state.core.key.KeyReader;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.value.Bytes;

/** Where agents, bindings and sessions stand. */
final class SessionKeys {
    private SessionKeys() {}

    static Bytes agent(AgentId agent) {
        return KeyWriter.of(Table.AGENT).text(agent.value()).key();
    }

    static KeyRange agents() {
        return KeyWriter.of(Table.AGENT).under();
    }

    static AgentId readAgent(Bytes key) {
        return KeyReader.read(Table.AGENT, key, in -> new AgentId(in.text()));
    }

    static Bytes agentLease(AgentId agent) {
        return KeyWriter.of(Table.AGENT_LEASE).text(agent.value()).key();
    }

    static KeyRange agentLeases() {
        return KeyWriter.of(Table.AGENT_LEASE).under();
    }

    static AgentId readAgentLease(Bytes key) {
        return KeyReader.read(Table.AGENT_LEASE, key, in -> new AgentId(in.text()));
    }

    static Bytes binding(SessionId session) {
        return KeyWriter.of(Table.BINDING).text(session.value()).key();
    }

    static Bytes bindingByAgent(Bound bound) {
        return KeyWriter.of(Table.BINDING_BY_AGENT)
                .text(bound.agent().value())
                .number(bound.epoch())
                .text(bound.session().value())
                .key();
    }

    static KeyRange bindingsByAgent() {
        return KeyWriter.of(Table.BINDING_BY_AGENT).under();
    }

    /** Of the agent's registrations up to an epoch. */
    static KeyRange bindingsByAgent(AgentId agent, long upTo) {
        return new KeyRange(
                KeyWriter.of(Table.BINDING_BY_AGENT).text(agent.value()).key(),
                KeyWriter.of(Table.BINDING_BY_AGENT)
                        .text(agent.value())
                        .number(upTo)
                        .end());
    }

    static Bound readBindingByAgent(Bytes key) {
        return KeyReader.read(
                Table.BINDING_BY_AGENT,
                key,
                in -> new Bound(new AgentId(in.text()), in.number(), new SessionId(in.text())));
    }

    static Bytes session(SessionId session) {
        return KeyWriter.of(Table.SESSION).text(session.value()).key();
    }

    static SessionId readSession(Bytes key) {
        return KeyReader.read(Table.SESSION, key, in -> new SessionId(in.text()));
    }

    static Bytes sessionByExpiry(long expiresAt, SessionId session) {
        return KeyWriter.of(Table.SESSION_BY_EXPIRY)
                .number(expiresAt)
                .text(session.value())
                .key();
    }

    static SessionId readSessionByExpiry(Bytes key) {
        return KeyReader.read(Table.SESSION_BY_EXPIRY, key, in -> {
            in.number();
            return new SessionId(in.text());
        });
    }

    /** Of the sessions that have expired at a time. */
    static KeyRange expired(long now) {
        return new KeyRange(
                KeyWriter.of(Table.SESSION_BY_EXPIRY).key(),
                KeyWriter.of(Table.SESSION_BY_EXPIRY).number(now).end());
    }
}
