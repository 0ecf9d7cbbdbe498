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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.owner.Instance;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.BindResult;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.value.Attributes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AgentsTest {
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final AgentSpec X = new AgentSpec(new AgentId("x"), "summariser", 2, Attributes.of("k", "v"));

    private final SharedMap map = new SharedMap();
    private final Instance a = new Instance(map);
    private final Instance b = new Instance(map);
    private final Member alice = a.join("alice");
    private final Member bob = b.join("bob");
    private final Sessions atA = new Sessions(a.backend(), a.mesh(), map.clock(), Duration.ofSeconds(1), 1_000);
    private final Sessions atB = new Sessions(b.backend(), b.mesh(), map.clock(), Duration.ofSeconds(1), 1_000);

    @AfterEach
    void close() {
        atA.close();
        atB.close();
        a.close();
        b.close();
        map.close();
    }

    @Test
    void an_agent_whose_own_lease_ended_is_free_although_its_member_lives() {
        OwnedAgent former = registered(atA, alice, X);
        assertThat(Await.result(atB.register(bob, X, LEASE)))
                .isEqualTo(new ClaimResult.HeldByOther<>(
                        alice.holder(), former.token().epoch(), LEASE));
        map.pass(LEASE.plusSeconds(1));
        assertThat(alice.live()).isTrue();
        assertThat(Await.result(atA.find(X.id()))).isEmpty();
        OwnedAgent now = registered(atB, bob, X);
        assertThat(now.token().epoch()).isGreaterThan(former.token().epoch());
        assertThat(Await.result(former.heartbeat(true, 1)))
                .isEqualTo(new Fenced(Optional.of(new Fenced.Current(now.token().epoch(), bob.holder()))));
        assertThat(Await.result(former.lost()).current()).isPresent();
    }

    @Test
    void an_agent_whose_member_lapsed_is_held_while_its_own_lease_lives() {
        OwnedAgent agent = registered(atA, alice, X, Duration.ofHours(1));
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        assertThat(Await.result(atB.register(bob, X, LEASE))).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(Await.result(atB.find(X.id()))).isPresent();
        assertThat(Await.result(agent.heartbeat(true, 1))).isInstanceOf(HeartbeatResult.Alive.class);
    }

    @Test
    void a_heartbeat_after_the_end_puts_the_agent_under_a_new_lease() {
        OwnedAgent agent = registered(atA, alice, X);
        bind(atA, new SessionId("s"));
        map.pass(LEASE.plusSeconds(1));
        assertThat(Await.result(atB.boundTo(new SessionId("s")))).isEmpty();
        assertThat(Await.result(agent.heartbeat(true, 3)))
                .isEqualTo(alive(agent, true, 3, 1, Renewal.RENEWED_AFTER_LAPSE));
        assertThat(Await.result(agent.heartbeat(true, 3))).isEqualTo(alive(agent, true, 3, 1, Renewal.RENEWED));
        assertThat(Await.result(atB.boundTo(new SessionId("s")))).isPresent();
        map.pass(LEASE.minusSeconds(1));
        Await.result(agent.heartbeat(true, 3));
        map.pass(LEASE.minusSeconds(1));
        assertThat(Await.result(atB.find(X.id()))).isPresent();
    }

    @Test
    void required_E04_a_lapse_whose_answer_came_too_late_is_told_by_the_next_heartbeat() {
        Duration minute = Duration.ofMinutes(1);
        OwnedAgent agent = registered(atA, alice, X, minute);
        map.pass(minute.plusSeconds(1));
        Awaitility.await().until(alice::live);
        a.engine().holdAnswers();
        CompletionStage<HeartbeatResult> late = agent.heartbeat(true, 3);
        Awaitility.await().until(() -> Await.result(atB.find(X.id())).isPresent());
        map.pass(Instance.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(late)).isInstanceOf(OutcomeUnknownException.class);
        a.engine().release();

        assertThat(Await.result(agent.heartbeat(true, 3)))
                .isEqualTo(alive(agent, true, 3, 0, Renewal.RENEWED_AFTER_LAPSE));
        assertThat(Await.result(agent.heartbeat(true, 3))).isEqualTo(alive(agent, true, 3, 0, Renewal.RENEWED));
    }

    @Test
    void an_unchanged_heartbeat_writes_nothing() {
        OwnedAgent agent = registered(atA, alice, X);
        Await.result(agent.heartbeat(true, 1));
        long before = map.engine().syncedRevision();
        for (int i = 0; i < 5; i++) {
            Await.result(agent.heartbeat(true, 1));
        }
        assertThat(map.engine().syncedRevision()).isEqualTo(before);
    }

    @Test
    void a_handle_made_from_the_token_elsewhere_keeps_the_agent_alive() {
        OwnedAgent agent = registered(atA, alice, X);
        OwnedAgent again = atB.agent(agent.token());
        for (int i = 1; i < 5; i++) {
            map.pass(LEASE.minusSeconds(1));
            assertThat(Await.result(again.heartbeat(true, i))).isEqualTo(alive(agent, true, i, 0, Renewal.RENEWED));
        }
    }

    @Test
    void registering_again_replaces_the_spec_and_keeps_token_bindings_and_report() {
        OwnedAgent agent = registered(atA, alice, X);
        Await.result(agent.heartbeat(true, 4));
        bind(atA, new SessionId("s"));
        AgentSpec changed = new AgentSpec(X.id(), "translator", 1, Attributes.NONE);
        assertThat(registered(atA, alice, changed).token()).isEqualTo(agent.token());
        assertThat(Await.result(atB.find(X.id())))
                .contains(new Agent(changed, agent.token().epoch(), alice.holder(), true, 4, 1));
        assertThat(Await.result(atB.bind(Await.result(atB.find(X.id())).orElseThrow(), new SessionId("t"))))
                .isEqualTo(new BindResult.Full(1));
        // it stands under the lease of the repeat
        map.pass(LEASE.minusSeconds(1));
        assertThat(Await.result(agent.heartbeat(true, 4))).isInstanceOf(HeartbeatResult.Alive.class);
    }

    @Test
    void bindings_of_eight_threads_fill_the_agent_exactly() throws Exception {
        AgentSpec spec = new AgentSpec(X.id(), "summariser", 10, Attributes.NONE);
        registered(atA, alice, spec);
        Agent asRead = Await.result(atA.find(X.id())).orElseThrow();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<CompletableFuture<BindResult>> all = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Sessions at = i % 2 == 0 ? atA : atB;
            SessionId session = new SessionId("session " + i);
            all.add(CompletableFuture.supplyAsync(() -> Await.result(at.bind(asRead, session)), threads));
        }
        List<BindResult> results = all.stream().map(CompletableFuture::join).toList();
        threads.shutdown();
        assertThat(results).filteredOn(BindResult.Bound.class::isInstance).hasSize(10);
        assertThat(results).filteredOn(new BindResult.Full(10)::equals).hasSize(30);
        assertThat(Await.result(atB.find(X.id())).orElseThrow().bound()).isEqualTo(10);
        for (int i = 0; i < 40; i++) {
            Await.result(atA.unbind(new SessionId("session " + i)));
        }
        assertThat(Await.result(atB.find(X.id())).orElseThrow().bound()).isZero();
    }

    @Test
    void a_session_leaves_a_dead_agent_and_its_place_there_is_free() {
        AgentSpec y = new AgentSpec(new AgentId("y"), "summariser", 1, Attributes.NONE);
        OwnedAgent x = registered(atA, alice, X);
        bind(atA, new SessionId("s"));
        map.pass(LEASE.plusSeconds(1));
        registered(atB, bob, y);
        Agent there = Await.result(atB.find(y.id())).orElseThrow();
        assertThat(Await.result(atB.bind(there, new SessionId("s")))).isInstanceOf(BindResult.Bound.class);
        assertThat(Await.result(x.heartbeat(true, 0))).isEqualTo(alive(x, true, 0, 0, Renewal.RENEWED_AFTER_LAPSE));
        assertThat(Await.result(atA.boundTo(new SessionId("s"))).orElseThrow().spec())
                .isEqualTo(y);
    }

    @Test
    void unregistering_ends_bindings_at_once_and_they_are_swept() {
        OwnedAgent agent = registered(atA, alice, X);
        bind(atA, new SessionId("s"));
        bind(atA, new SessionId("t"));
        Agent asRead = Await.result(atA.find(X.id())).orElseThrow();
        Await.result(agent.release());
        assertThat(Await.result(atB.boundTo(new SessionId("s")))).isEmpty();
        assertThat(Await.result(atB.bind(asRead, new SessionId("u")))).isEqualTo(new BindResult.AgentGone());
        assertThat(bindingsLeft()).isZero();
        assertThat(Await.result(atA.agents(PageRequest.first(10))).items()).isEmpty();
    }

    @Test
    void bindings_that_a_takeover_ended_are_swept_with_the_sessions() {
        registered(atA, alice, X);
        bind(atA, new SessionId("s"));
        bind(atA, new SessionId("t"));
        Await.result(atB.takeOver(bob, X, LEASE));
        Agent now = Await.result(atB.find(X.id())).orElseThrow();
        assertThat(now.bound()).isZero();
        assertThat(Await.result(atA.bind(now, new SessionId("t")))).isInstanceOf(BindResult.Bound.class);
        assertThat(bindingsLeft()).isEqualTo(2);
        Await.result(atA.expire(1));
        assertThat(bindingsLeft()).isEqualTo(1);
        assertThat(Await.result(atA.boundTo(new SessionId("t")))).isPresent();
        assertThat(Await.result(atA.boundTo(new SessionId("s")))).isEmpty();
    }

    @Test
    void the_view_offers_what_lives_is_ready_and_has_room() {
        OwnedAgent agent = registered(atA, alice, X);
        assertThat(atB.view().available("summariser")).isEmpty();
        Await.result(agent.heartbeat(true, 1));
        Awaitility.await().until(() -> atB.view().available("summariser").size() == 1);
        assertThat(atB.view().available("translator")).isEmpty();
        bind(atA, new SessionId("s"));
        bind(atA, new SessionId("t"));
        Awaitility.await().until(() -> atB.view().available("summariser").isEmpty());
        Await.result(atA.unbind(new SessionId("s")));
        Awaitility.await().until(() -> atB.view().available("summariser").size() == 1);
        map.pass(LEASE.plusSeconds(1));
        Awaitility.await().until(() -> atB.view().available("summariser").isEmpty());
    }

    @Test
    void who_leaves_unregisters_his_agents() {
        registered(atA, alice, X);
        Await.result(alice.leave());
        assertThat(Await.result(atB.find(X.id()))).isEmpty();
        registered(atB, bob, X);
    }

    private long bindingsLeft() {
        return Await.result(map.engine().scan(SessionKeys.bindingsByAgent(), 100))
                .entries()
                .size();
    }

    private static void bind(Sessions at, SessionId session) {
        Agent agent = Await.result(at.find(X.id())).orElseThrow();
        assertThat(Await.result(at.bind(agent, session))).isInstanceOf(BindResult.Bound.class);
    }

    private static OwnedAgent registered(Sessions at, Member member, AgentSpec spec) {
        return registered(at, member, spec, LEASE);
    }

    private static OwnedAgent registered(Sessions at, Member member, AgentSpec spec, Duration lease) {
        return Await.result(at.register(member, spec, lease)).claimed().orElseThrow();
    }

    private HeartbeatResult alive(OwnedAgent agent, boolean ready, int load, int bound, Renewal renewal) {
        return new HeartbeatResult.Alive(
                new Agent(X, agent.token().epoch(), alice.holder(), ready, load, bound), renewal);
    }
}
