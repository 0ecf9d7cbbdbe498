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
package org.apache.eventmesh.state.tck.contract;

import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** N01 and N02: whose an agent is, and when it is offered. */
public interface AgentRules extends Rules {
    Duration AGENT_LEASE = Duration.ofSeconds(15);
    AgentSpec X = new AgentSpec(new AgentId("x"), "summariser", 2, Attributes.of("model", "small"));

    default OwnedAgent registered(Instance at, AgentSpec spec) {
        return get(at.stores().sessions().register(at.member(), spec, AGENT_LEASE))
                .claimed()
                .orElseThrow(() -> new AssertionError(at.name() + " cannot register " + spec));
    }

    @Test
    default void required_N01_registering_is_a_claim() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedAgent owned = registered(a, X);

        ClaimResult<OwnedAgent> second = get(b.stores().sessions().register(b.member(), X, AGENT_LEASE));

        assertThat(second).isInstanceOfSatisfying(ClaimResult.HeldByOther.class, held -> {
            assertThat(held.holder()).isEqualTo(a.member().holder());
            assertThat(held.epoch()).isEqualTo(owned.token().epoch());
            assertThat(held.remaining()).isPositive().isLessThanOrEqualTo(AGENT_LEASE);
        });
        assertThat(get(b.stores().sessions().find(X.id())))
                .hasValue(new Agent(X, owned.token().epoch(), a.member().holder(), false, 0, 0));
    }

    @Test
    default void required_N01_the_former_instance_is_fenced_after_a_takeover() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedAgent former = registered(a, X);
        get(former.heartbeat(true, 1));

        OwnedAgent now = get(b.stores().sessions().takeOver(b.member(), X, AGENT_LEASE));

        assertThat(now.token().epoch()).isGreaterThan(former.token().epoch());
        assertThat(get(former.heartbeat(true, 9)))
                .isInstanceOfSatisfying(
                        Fenced.class,
                        fenced -> assertThat(fenced.current())
                                .hasValue(new Fenced.Current(
                                        now.token().epoch(), b.member().holder())));
        get(former.release());
        assertThat(get(a.stores().sessions().find(X.id()))).hasValueSatisfying(agent -> {
            assertThat(agent.epoch()).isEqualTo(now.token().epoch());
            assertThat(agent.load()).isNotEqualTo(9);
        });
    }

    @Test
    default void required_N01_a_repeat_replaces_the_spec_and_keeps_the_token() {
        Instance a = open("A");
        OwnedAgent first = registered(a, X);
        AgentSpec changed = new AgentSpec(X.id(), "translator", 7, Attributes.NONE);

        OwnedAgent second = registered(a, changed);

        assertThat(second.token()).isEqualTo(first.token());
        assertThat(get(a.stores().sessions().find(X.id())).map(Agent::spec)).hasValue(changed);
    }

    @Test
    default void required_N01_a_heartbeat_reports_ready_and_load_and_renews() {
        Instance a = open("A");
        OwnedAgent owned = registered(a, X);

        for (int beat = 1; beat <= 6; beat++) {
            HeartbeatResult result = get(owned.heartbeat(beat % 2 == 0, beat));

            int load = beat;
            assertThat(result).isInstanceOfSatisfying(HeartbeatResult.Alive.class, alive -> {
                assertThat(alive.renewal()).isEqualTo(Renewal.RENEWED);
                assertThat(alive.agent().load()).isEqualTo(load);
                assertThat(alive.agent().ready()).isEqualTo(load % 2 == 0);
            });
            assertThat(get(a.stores().sessions().find(X.id())).map(Agent::load)).hasValue(beat);
            passTime(AGENT_LEASE.minusSeconds(1));
        }
    }

    @Test
    default void required_N02_an_agent_without_heartbeats_is_dead_although_its_member_lives() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedAgent owned = registered(a, X);
        get(owned.heartbeat(true, 0));
        eventually(() ->
                assertThat(b.stores().sessions().view().available("summariser")).hasSize(1));

        passTime(AGENT_LEASE.plusSeconds(1));

        assertThat(get(b.stores().sessions().find(X.id()))).isEmpty();
        assertThat(get(b.stores().sessions().agents(PageRequest.first(10))).items())
                .isEmpty();
        eventually(() ->
                assertThat(b.stores().sessions().view().available("summariser")).isEmpty());
        assertThat(get(owned.heartbeat(true, 0)))
                .as("nobody took it over")
                .isInstanceOfSatisfying(
                        HeartbeatResult.Alive.class,
                        alive -> assertThat(alive.renewal()).isEqualTo(Renewal.RENEWED_AFTER_LAPSE));
        assertThat(get(b.stores().sessions().find(X.id()))).isPresent();
        passTime(AGENT_LEASE.plusSeconds(1));
        assertThat(registered(b, X).token().epoch()).isGreaterThan(owned.token().epoch());
        assertThat(get(owned.heartbeat(true, 0))).isInstanceOf(Fenced.class);
    }

    @Test
    default void required_N02_only_what_is_ready_and_has_room_is_offered() {
        Instance a = open("A");
        StateStores stores = a.stores();
        OwnedAgent ready = registered(a, X);
        OwnedAgent busy = registered(a, new AgentSpec(new AgentId("busy"), "summariser", 2, Attributes.NONE));
        registered(a, new AgentSpec(new AgentId("silent"), "summariser", 2, Attributes.NONE));
        OwnedAgent full = registered(a, new AgentSpec(new AgentId("full"), "summariser", 1, Attributes.NONE));
        OwnedAgent none = registered(a, new AgentSpec(new AgentId("none"), "summariser", 0, Attributes.NONE));
        OwnedAgent other = registered(a, new AgentSpec(new AgentId("other"), "translator", 2, Attributes.NONE));
        get(ready.heartbeat(true, 3));
        get(busy.heartbeat(false, 3));
        List.of(full, none, other).forEach(agent -> get(agent.heartbeat(true, 0)));
        get(stores.sessions()
                .bind(get(stores.sessions().find(new AgentId("full"))).orElseThrow(), new SessionId("s")));

        eventually(() -> assertThat(stores.sessions().view().available("summariser"))
                .containsExactly(get(stores.sessions().find(X.id())).orElseThrow()));
        eventually(() -> assertThat(stores.sessions().view().available("translator"))
                .extracting(agent -> agent.spec().id().value())
                .containsExactly("other"));
        assertThat(stores.sessions().view().available("unheard of")).isEmpty();
        assertThat(get(stores.sessions().agents(PageRequest.first(10))).items()).hasSize(6);
        get(ready.heartbeat(false, 3));
        eventually(() ->
                assertThat(stores.sessions().view().available("summariser")).isEmpty());
    }

    @Test
    default void required_N02_the_view_says_how_old_it_is() {
        Instance a = open("A");
        eventually(() -> assertThat(a.stores().sessions().view().age()).isLessThan(Duration.ofSeconds(1)));

        a.pause();
        kit().time().pass(Duration.ofMinutes(2));

        assertThat(a.stores().sessions().view().age()).isGreaterThanOrEqualTo(Duration.ofMinutes(2));
    }
}
