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

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decider;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.proto.AgentRecord;
import org.apache.eventmesh.state.core.proto.BindingRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.BindResult;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Sessions at agents. How many are bound stands in the agent's record, and every binding and its end changes it, so that
 * concurrent ones meet there and the capacity holds.
 */
final class Bindings {
    private final Backend backend;
    private final InstantSource clock;

    Bindings(Backend backend, InstantSource clock) {
        this.backend = backend;
        this.clock = clock;
    }

    CompletionStage<BindResult> bind(Agent asRead, SessionId session) {
        long now = Millis.now(clock);
        AgentId agent = asRead.spec().id();
        List<Bytes> keys =
                List.of(SessionKeys.binding(session), SessionKeys.agent(agent), SessionKeys.agentLease(agent));
        backend.expectAbsent(List.of(SessionKeys.binding(session)));
        return run("bind", session, keys, seen -> bind(new Bound(agent, asRead.epoch(), session), seen, now));
    }

    CompletionStage<Optional<Agent>> boundTo(SessionId session) {
        return run("boundTo", session, List.of(SessionKeys.binding(session)), seen -> {
            SeenBinding binding = new SeenBinding(session, seen);
            Optional<Bound> bound = binding.bound();
            List<Bytes> unread = bound.map(binding::unread).orElse(List.of());
            return unread.isEmpty() ? Decision.answer(bound.flatMap(binding::agent)) : new Decision.ReadMore<>(unread);
        });
    }

    CompletionStage<Boolean> unbind(SessionId session) {
        return run("unbind", session, List.of(SessionKeys.binding(session)), seen -> {
            SeenBinding binding = new SeenBinding(session, seen);
            List<Bytes> unread = binding.unreadForEnd();
            if (!unread.isEmpty()) {
                return new Decision.ReadMore<>(unread);
            }
            Draft draft = new Draft();
            return binding.end(draft) ? draft.write(true) : Decision.answer(false);
        });
    }

    private static Decision<BindResult> bind(Bound wanted, Seen seen, long now) {
        SeenBinding binding = new SeenBinding(wanted.session(), seen);
        Optional<Bound> before = binding.bound();
        List<Bytes> unread = before.map(binding::unread).orElse(List.of());
        if (!unread.isEmpty()) {
            return new Decision.ReadMore<>(unread);
        }
        Optional<Agent> elsewhere = before.flatMap(binding::agent);
        if (elsewhere.isPresent()) {
            return Decision.answer(new BindResult.AlreadyBound(elsewhere.get()));
        }
        Optional<Agent> agent = binding.agent(wanted);
        if (agent.isEmpty()) {
            return Decision.answer(new BindResult.AgentGone());
        }
        if (agent.get().bound() >= agent.get().spec().capacity()) {
            return Decision.answer(new BindResult.Full(agent.get().spec().capacity()));
        }
        return bound(wanted, agent.get(), seen, binding, now);
    }

    /** One more at the agent; what is left of a binding to a dead one goes in the same commit. */
    private static Decision<BindResult> bound(Bound wanted, Agent agent, Seen seen, SeenBinding binding, long now) {
        Bytes bindingKey = SessionKeys.binding(wanted.session());
        Bytes leaseKey = SessionKeys.agentLease(wanted.agent());
        Stored<AgentRecord> record = AgentRecords.agent(seen.entry(SessionKeys.agent(wanted.agent())))
                .orElseThrow();
        Draft draft = new Draft();
        binding.end(draft);
        draft.condition(seen.unchanged(bindingKey))
                .condition(record.unchanged())
                // it lives in the step that binds to it
                .condition(seen.unchanged(leaseKey))
                .change(AgentRecords.bound(record, 1))
                .change(Change.put(SessionKeys.bindingByAgent(wanted), Records.NOTHING))
                .change(Records.BINDING.put(
                        bindingKey,
                        BindingRecord.newBuilder()
                                .setAgent(wanted.agent().value())
                                .setAgentEpoch(wanted.epoch())
                                .setBoundAtMillis(now)
                                .build()));
        return draft.write(new BindResult.Bound(new Agent(
                agent.spec(), agent.epoch(), agent.holder(), agent.ready(), agent.load(), agent.bound() + 1)));
    }

    private <R> CompletionStage<R> run(String name, SessionId session, List<Bytes> keys, Decider<R> decider) {
        return new Transactions(backend).run(new Operation(StoreName.SESSIONS, name, session), keys, decider);
    }
}
