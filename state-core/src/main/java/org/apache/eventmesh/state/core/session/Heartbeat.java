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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.owner.KeptLease;
import org.apache.eventmesh.state.core.proto.AgentLeaseRecord;
import org.apache.eventmesh.state.core.proto.AgentRecord;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.value.Bytes;

/**
 * One heartbeat: the lease is renewed, and what the agent reports is written when it has changed. Where the lease has ended
 * and nobody took over, the agent is put under a new one.
 */
final class Heartbeat {
    private final Claims claims;
    private final AgentLeases leases;
    private final Token<AgentId> token;
    private final boolean ready;
    private final int load;
    private final Bytes agentKey;
    private final Bytes leaseKey;

    /** What one look or commit says when the token is current. */
    private sealed interface Beat {
        record Told(HeartbeatResult result) implements Beat {}

        /**
         * It needs a lease to stand under.
         *
         * @param lapsed whether the one before has ended
         */
        record NeedsLease(Duration length, boolean lapsed) implements Beat {}
    }

    Heartbeat(Claims claims, AgentLeases leases, Token<AgentId> token, boolean ready, int load) {
        this.claims = claims;
        this.leases = leases;
        this.token = token;
        this.ready = ready;
        this.load = load;
        this.agentKey = SessionKeys.agent(token.scope());
        this.leaseKey = SessionKeys.agentLease(token.scope());
    }

    CompletionStage<HeartbeatResult> run(Steps steps) {
        Optional<KeptLease> kept = leases.of(token);
        return kept.isEmpty()
                ? write(steps, kept)
                : kept.get().renew().thenCompose(lives -> write(steps, kept.filter(lease -> lives)));
    }

    private CompletionStage<HeartbeatResult> write(Steps steps, Optional<KeptLease> under) {
        return claims.<AgentId, Beat>write(
                        steps,
                        token,
                        List.of(agentKey, leaseKey),
                        (held, seen) -> decide(held, seen, under),
                        Beat.Told::new)
                .thenCompose(beat -> {
                    if (beat instanceof Beat.NeedsLease needs) {
                        return leases.all()
                                .grant(steps, needs.length())
                                .thenCompose(lease -> stand(steps, lease, needs.lapsed()));
                    }
                    return CompletableFuture.completedStage(told(steps, (Beat.Told) beat, under));
                });
    }

    private CompletionStage<HeartbeatResult> stand(Steps steps, KeptLease lease, boolean lapsed) {
        if (lapsed || leases.lapseUntold(token)) {
            // before the write, whose answer may never come
            leases.lapsed(token, lease);
        }
        return write(steps, Optional.of(lease)).whenComplete((result, failure) -> {
            if (failure != null) {
                leases.revoke(lease);
            }
        });
    }

    private HeartbeatResult told(Steps steps, Beat.Told beat, Optional<KeptLease> under) {
        if (beat.result() instanceof HeartbeatResult.Alive alive && under.isPresent()) {
            return alive(steps, alive, under.get());
        }
        if (!steps.over()) {
            under.ifPresent(leases::revoke);
            leases.drop(token);
        }
        return beat.result();
    }

    private HeartbeatResult alive(Steps steps, HeartbeatResult.Alive alive, KeptLease under) {
        if (!steps.over()) {
            leases.put(token, under);
        }
        if (alive.renewal() == Renewal.RENEWED && !leases.lapseUntold(token)) {
            return alive;
        }
        // until it is known that this is the answer
        leases.lapsed(token, under);
        return new HeartbeatResult.Alive(alive.agent(), Renewal.RENEWED_AFTER_LAPSE);
    }

    private Decision<Beat> decide(Held<AgentId> held, Seen seen, Optional<KeptLease> under) {
        Stored<AgentRecord> agent = AgentRecords.agent(seen.entry(agentKey))
                .orElseThrow(() -> new CorruptStateException(
                        "its record is missing while its ownership stands; unregister it and register it again"));
        Optional<Stored<AgentLeaseRecord>> before = AgentRecords.lease(seen.entry(leaseKey), token.epoch());
        if (under.isEmpty() || seen.leaseEnded(under.get().id())) {
            return Decision.answer(
                    new Beat.NeedsLease(Duration.ofMillis(agent.record().getLeaseMillis()), before.isEmpty()));
        }
        AgentLeaseRecord after = before.map(Stored::record).orElseGet(AgentLeaseRecord::getDefaultInstance).toBuilder()
                .setEpoch(token.epoch())
                .setReady(ready)
                .setLoad(load)
                .setLeaseId(under.get().id())
                .setLeaseMillis(under.get().length().toMillis())
                .build();
        Beat told = new Beat.Told(new HeartbeatResult.Alive(
                AgentRecords.agent(agent, after), before.isPresent() ? Renewal.RENEWED : Renewal.RENEWED_AFTER_LAPSE));
        if (before.isPresent() && before.get().record().equals(after)) {
            return Decision.answer(told);
        }
        return new Draft()
                .condition(held.fence())
                .condition(seen.unchanged(leaseKey))
                .change(AgentRecords.alive(token.scope(), after))
                .write(told);
    }
}
