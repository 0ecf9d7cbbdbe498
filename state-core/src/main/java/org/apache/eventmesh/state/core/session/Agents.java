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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.owner.KeptLease;
import org.apache.eventmesh.state.core.owner.Leases;
import org.apache.eventmesh.state.core.owner.Mesh;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.read.Row;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.value.Bytes;

/** Registering agents, and finding those that live. */
final class Agents {
    private final Backend backend;
    private final Claims claims;
    private final AgentLeases leases;
    private final InstantSource clock;
    private final int attributeBytes;

    Agents(Backend backend, Mesh mesh, InstantSource clock, int attributeBytes) {
        this.backend = backend;
        this.claims = mesh.claims();
        this.leases = new AgentLeases(mesh.leases());
        this.clock = clock;
        this.attributeBytes = attributeBytes;
    }

    CompletionStage<ClaimResult<OwnedAgent>> register(Member member, AgentSpec spec, Duration lease) {
        return granted(
                "register",
                member,
                spec,
                lease,
                (steps, kept) -> claims.claim(steps, member, spec.id(), new AgentClaim(spec, kept, Millis.now(clock)))
                        .thenApply(result -> {
                            if (result instanceof ClaimResult.HeldByOther<Held<AgentId>> other) {
                                leases.revoke(kept);
                                return new ClaimResult.HeldByOther<>(other.holder(), other.epoch(), other.remaining());
                            }
                            return new ClaimResult.Claimed<>(
                                    registered(steps, result.claimed().orElseThrow(), kept));
                        }));
    }

    CompletionStage<OwnedAgent> takeOver(Member member, AgentSpec spec, Duration lease) {
        return granted(
                "takeOver",
                member,
                spec,
                lease,
                (steps, kept) -> claims.takeOver(
                                steps, member, spec.id(), new AgentClaim(spec, kept, Millis.now(clock)))
                        .thenApply(held -> registered(steps, held, kept)));
    }

    OwnedAgent agent(Token<AgentId> token) {
        return new RegisteredAgent(this, token);
    }

    CompletionStage<Optional<Agent>> find(AgentId id) {
        Bytes agent = SessionKeys.agent(id);
        Bytes lease = SessionKeys.agentLease(id);
        return new Transactions(backend)
                .run(
                        operation("find", id),
                        List.of(agent, lease),
                        seen -> Decision.answer(AgentRecords.living(seen.entry(agent), seen.entry(lease))));
    }

    CompletionStage<Page<Agent>> page(PageRequest page) {
        return Listing.of("agents", SessionKeys.agents(), Agents::rows)
                .page(backend, new Operation(StoreName.SESSIONS, "agents"), page);
    }

    Backend backend() {
        return backend;
    }

    Claims claims() {
        return claims;
    }

    AgentLeases leases() {
        return leases;
    }

    /** An agent is registered under a lease that is granted before, and given back when it does not come to that. */
    private <R> CompletionStage<R> granted(
            String name,
            Member member,
            AgentSpec spec,
            Duration lease,
            BiFunction<Steps, KeptLease, CompletionStage<R>> registering) {
        Duration length = Leases.checked(lease);
        return claims.as(member, operation(name, spec.id()), steps -> {
            SharedValues.checkSize(
                    "attributes of the agent",
                    SharedValues.attributes(spec.attributes()).getSerializedSize(),
                    attributeBytes);
            return leases.all()
                    .grant(steps, length)
                    .thenCompose(kept -> registering.apply(steps, kept).whenComplete((result, failure) -> {
                        if (failure != null) {
                            leases.revoke(kept);
                        }
                    }));
        });
    }

    private OwnedAgent registered(Steps steps, Held<AgentId> held, KeptLease kept) {
        // when nobody waits any more, a later call may have put the agent under another lease
        if (!steps.over()) {
            leases.put(held.token(), kept);
        }
        return agent(held.token());
    }

    private static CompletionStage<List<Row<Agent>>> rows(List<Entry> agents, Backend backend) {
        List<Row<Entry>> readable = agents.stream()
                .map(entry -> Row.of(
                        entry.key(),
                        entry.key(),
                        entry.key().size() + entry.value().size(),
                        () -> {
                            SessionKeys.readAgent(entry.key());
                            return Optional.of(entry);
                        }))
                .toList();
        List<Bytes> leaseKeys = readable.stream()
                .flatMap(row -> row.item().stream())
                .map(Agents::leaseKey)
                .toList();
        return backend.read(leaseKeys).thenApply(found -> {
            Map<Bytes, Entry> leases = found.stream().collect(Collectors.toMap(Entry::key, Function.identity()));
            return readable.stream()
                    .map(row -> row.then(agent ->
                            AgentRecords.living(Optional.of(agent), Optional.ofNullable(leases.get(leaseKey(agent))))))
                    .toList();
        });
    }

    private static Bytes leaseKey(Entry agent) {
        return SessionKeys.agentLease(SessionKeys.readAgent(agent.key()));
    }

    private static Operation operation(String name, AgentId agent) {
        return new Operation(StoreName.SESSIONS, name, agent);
    }
}
