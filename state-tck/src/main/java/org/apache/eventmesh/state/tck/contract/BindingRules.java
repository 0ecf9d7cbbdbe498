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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.BindResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** N02 and N03: sessions at an agent, no more than it has room for, no longer than it is there. */
public interface BindingRules extends AgentRules {
    private Agent read(Instance at, AgentId id) {
        return get(at.stores().sessions().find(id)).orElseThrow(() -> new AssertionError(id + " is not there"));
    }

    @Test
    default void required_N03_a_binding_is_counted_found_and_given_back() {
        Instance a = open("A");
        StateStores stores = a.stores();
        registered(a, X);
        SessionId session = new SessionId("s");

        assertThat(get(stores.sessions().bind(read(a, X.id()), session)))
                .isInstanceOfSatisfying(
                        BindResult.Bound.class,
                        bound -> assertThat(bound.agent().bound()).isOne());
        assertThat(get(stores.sessions().bind(read(a, X.id()), session)))
                .isEqualTo(new BindResult.AlreadyBound(read(a, X.id())));
        assertThat(get(stores.sessions().boundTo(session))).hasValue(read(a, X.id()));
        assertThat(read(a, X.id()).bound()).isOne();
        get(stores.sessions().unbind(session));
        get(stores.sessions().unbind(session));
        assertThat(read(a, X.id()).bound()).isZero();
        assertThat(get(stores.sessions().boundTo(session))).isEmpty();
    }

    @Test
    default void required_N03_a_session_is_bound_to_one_agent() {
        Instance a = open("A");
        AgentSpec other = new AgentSpec(new AgentId("y"), "summariser", 2, Attributes.NONE);
        registered(a, X);
        registered(a, other);
        get(a.stores().sessions().bind(read(a, X.id()), new SessionId("s")));

        BindResult second = get(a.stores().sessions().bind(read(a, other.id()), new SessionId("s")));

        assertThat(second).isEqualTo(new BindResult.AlreadyBound(read(a, X.id())));
        assertThat(read(a, other.id()).bound()).isZero();
    }

    @Test
    default void required_N03_no_storm_of_bindings_exceeds_the_capacity() {
        Instance a = open("A");
        Instance b = open("B");
        int capacity = 5;
        registered(a, new AgentSpec(X.id(), "summariser", capacity, Attributes.NONE));
        Agent asRead = read(b, X.id());
        List<CompletionStage<BindResult>> stages = new ArrayList<>();

        for (int n = 0; n < 20; n++) {
            stages.add(a.stores().sessions().bind(asRead, new SessionId("a" + n)));
            stages.add(b.stores().sessions().bind(asRead, new SessionId("b" + n)));
        }
        List<BindResult> results = stages.stream().map(this::get).toList();

        assertThat(results).filteredOn(BindResult.Bound.class::isInstance).hasSize(capacity);
        assertThat(results)
                .filteredOn(result -> !(result instanceof BindResult.Bound))
                .containsOnly(new BindResult.Full(capacity));
        assertThat(read(a, X.id()).bound()).isEqualTo(capacity);
        assertThat(Stream.of("a", "b")
                        .flatMap(prefix -> Stream.iterate(0, n -> n < 20, n -> n + 1)
                                .map(n -> get(a.stores().sessions().boundTo(new SessionId(prefix + n)))))
                        .filter(Optional::isPresent))
                .hasSize(capacity);
    }

    @Test
    default void required_N03_a_binding_is_conditional_on_the_registration_that_was_read() {
        Instance a = open("A");
        Instance b = open("B");
        registered(a, X);
        Agent asRead = read(a, X.id());
        get(b.stores().sessions().takeOver(b.member(), X, AGENT_LEASE));

        assertThat(get(a.stores().sessions().bind(asRead, new SessionId("s")))).isEqualTo(new BindResult.AgentGone());
        assertThat(read(a, X.id()).bound()).isZero();
    }

    @Test
    default void required_N02_unregistering_ends_the_bindings_in_the_same_step() {
        Instance a = open("A");
        StateStores stores = a.stores();
        OwnedAgent owned = registered(a, X);
        Agent asRead = read(a, X.id());
        get(stores.sessions().bind(asRead, new SessionId("s")));

        get(owned.release());

        assertThat(get(stores.sessions().find(X.id()))).isEmpty();
        assertThat(get(stores.sessions().boundTo(new SessionId("s")))).isEmpty();
        assertThat(get(stores.sessions().bind(asRead, new SessionId("t")))).isEqualTo(new BindResult.AgentGone());
        registered(a, X);
        assertThat(read(a, X.id()).bound())
                .as("nothing of the former registration counts")
                .isZero();
        assertThat(get(stores.sessions().boundTo(new SessionId("s")))).isEmpty();
        assertThat(get(stores.sessions().bind(read(a, X.id()), new SessionId("s"))))
                .isInstanceOf(BindResult.Bound.class);
    }

    @Test
    default void required_N02_bindings_to_a_dead_agent_are_gone_at_once() {
        Instance a = open("A");
        StateStores stores = a.stores();
        AgentSpec other = new AgentSpec(new AgentId("y"), "summariser", 2, Attributes.NONE);
        OwnedAgent alive = registered(a, other);
        registered(a, X);
        get(stores.sessions().bind(read(a, X.id()), new SessionId("s")));
        passTime(AGENT_LEASE.dividedBy(2));
        get(alive.heartbeat(true, 0));

        passTime(AGENT_LEASE.dividedBy(2).plusSeconds(1));

        assertThat(get(stores.sessions().boundTo(new SessionId("s")))).isEmpty();
        assertThat(get(stores.sessions().bind(read(a, other.id()), new SessionId("s"))))
                .isInstanceOf(BindResult.Bound.class);
    }

    @Test
    default void required_N02_a_takeover_ends_the_bindings_to_the_former_registration() {
        Instance a = open("A");
        Instance b = open("B");
        StateStores stores = a.stores();
        registered(a, X);
        get(stores.sessions().bind(read(a, X.id()), new SessionId("s")));

        get(b.stores().sessions().takeOver(b.member(), X, AGENT_LEASE));

        assertThat(get(stores.sessions().boundTo(new SessionId("s")))).isEmpty();
        assertThat(get(stores.sessions().bind(read(a, X.id()), new SessionId("s"))))
                .isInstanceOfSatisfying(
                        BindResult.Bound.class,
                        bound -> assertThat(bound.agent().bound()).isOne());
    }

    @Test
    default void required_N02_the_commit_that_unregisters_an_agent_is_its_end_and_that_of_its_bindings() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedAgent owned = registered(a, X);
        Agent asRead = read(b, X.id());
        get(b.stores().sessions().bind(asRead, new SessionId("s")));

        a.dieAtCommit(1, true);
        CompletionStage<Void> unanswered = owned.release();
        get(a.died());
        a.crash();

        assertThat(unanswered).isNotDone();
        assertThat(get(b.stores().sessions().find(X.id()))).isEmpty();
        assertThat(get(b.stores().sessions().boundTo(new SessionId("s")))).isEmpty();
        assertThat(get(b.stores().sessions().bind(asRead, new SessionId("t")))).isEqualTo(new BindResult.AgentGone());
    }
}
