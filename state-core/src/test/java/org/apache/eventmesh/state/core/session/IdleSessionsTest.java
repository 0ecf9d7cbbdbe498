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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.owner.Instance;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class IdleSessionsTest {
    private static final Duration IDLE = Duration.ofMinutes(5);
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final SessionId ID = new SessionId("s");

    private final SharedMap map = new SharedMap();
    private final Instance a = new Instance(map);
    private final Sessions sessions = new Sessions(a.backend(), a.mesh(), map.clock(), INTERVAL, 1_000);

    @AfterEach
    void close() {
        sessions.close();
        a.close();
        map.close();
    }

    @Test
    void keep_alives_are_coalesced_and_no_session_ends_early() {
        Instant opened = map.clock().instant();
        Session first = open(ID);
        assertThat(first.expiresAt()).isEqualTo(opened.plus(IDLE).plus(INTERVAL));
        map.pass(INTERVAL);
        assertThat(Await.result(sessions.keepAlive(ID))).contains(first);
        map.pass(Duration.ofMillis(1));
        Instant written = map.clock().instant();
        assertThat(Await.result(sessions.keepAlive(ID)).orElseThrow().expiresAt())
                .isEqualTo(written.plus(IDLE).plus(INTERVAL));
        map.pass(INTERVAL);
        Await.result(sessions.keepAlive(ID));
        map.pass(IDLE.minusMillis(1));
        assertThat(Await.result(sessions.find(ID))).isPresent();
        map.pass(Duration.ofMillis(1));
        assertThat(Await.result(sessions.find(ID))).isEmpty();
        assertThat(Await.result(sessions.keepAlive(ID))).isEmpty();
    }

    @Test
    void what_expired_is_swept_within_the_limit_and_what_was_touched_stays() {
        for (int i = 0; i < 300; i++) {
            open(new SessionId("session " + i));
        }
        map.pass(IDLE);
        Await.result(sessions.keepAlive(new SessionId("session 7")));
        map.pass(INTERVAL);
        assertThat(Await.result(sessions.expire(200))).isEqualTo(new Swept(200, true));
        assertThat(Await.result(sessions.expire(200))).isEqualTo(new Swept(99, false));
        assertThat(Await.result(sessions.find(new SessionId("session 7")))).isPresent();
        assertThatThrownBy(() -> sessions.expire(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_sweep_and_a_touch_at_once_agree() {
        for (int round = 0; round < 200; round++) {
            SessionId id = new SessionId("round " + round);
            Session session = open(id);
            map.pass(
                    Duration.between(map.clock().instant(), session.expiresAt()).minusMillis(1));
            CompletionStage<Optional<Session>> touched = sessions.keepAlive(id);
            map.pass(Duration.ofMillis(1));
            long swept = Await.result(sessions.expire(10)).count();
            boolean stays = Await.result(touched).isPresent();
            assertThat(Await.result(sessions.find(id)).isPresent()).isEqualTo(stays);
            assertThat(swept).isEqualTo(stays ? 0 : 1);
            Await.result(sessions.close(id));
        }
    }

    @Test
    void touches_at_once_are_one_write() {
        open(ID);
        map.pass(INTERVAL.plusMillis(1));
        List<CompletionStage<Optional<Session>>> touches = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            touches.add(sessions.keepAlive(ID));
        }
        assertThat(touches.stream().map(Await::result).distinct()).hasSize(1);
    }

    @Test
    void opening_again_keeps_the_first_and_after_its_end_begins_anew() {
        Session first = open(ID);
        SessionSpec other = new SessionSpec(ID, Duration.ofHours(1), Attributes.NONE);
        assertThat(Await.result(sessions.open(other))).isEqualTo(first);
        map.pass(IDLE.plus(INTERVAL));
        assertThat(Await.result(sessions.open(other)).spec()).isEqualTo(other);
        assertThat(Await.result(sessions.expire(10))).isEqualTo(new Swept(0, false));
    }

    @Test
    void the_end_of_a_session_gives_its_place_at_the_agent_back() {
        Member member = a.join("alice");
        AgentSpec spec = new AgentSpec(new AgentId("x"), "kind", 2, Attributes.NONE);
        Await.result(sessions.register(member, spec, Duration.ofHours(2)));
        Agent agent = Await.result(sessions.find(spec.id())).orElseThrow();
        SessionId closed = new SessionId("closed");
        open(closed);
        open(ID);
        Await.result(sessions.bind(agent, closed));
        Await.result(sessions.bind(agent, ID));
        assertThat(Await.result(sessions.find(spec.id())).orElseThrow().bound()).isEqualTo(2);
        Await.result(sessions.close(closed));
        Await.result(sessions.close(closed));
        assertThat(Await.result(sessions.find(spec.id())).orElseThrow().bound()).isOne();
        map.pass(IDLE.plus(INTERVAL));
        assertThat(Await.result(sessions.expire(10))).isEqualTo(new Swept(1, false));
        assertThat(Await.result(sessions.find(spec.id())).orElseThrow().bound()).isZero();
    }

    @Test
    void an_idle_time_without_end_is_kept() {
        SessionSpec spec = new SessionSpec(ID, Duration.ofSeconds(Long.MAX_VALUE), Attributes.NONE);
        Await.result(sessions.open(spec));
        map.pass(Duration.ofDays(100_000));
        assertThat(Await.result(sessions.keepAlive(ID))).isPresent();
    }

    @Test
    void a_clock_that_goes_back_ends_nothing() {
        Session first = open(ID);
        map.jump(Duration.ofHours(-1));
        assertThat(Await.result(sessions.keepAlive(ID))).contains(first);
        assertThat(Await.result(sessions.expire(10))).isEqualTo(new Swept(0, false));
    }

    private Session open(SessionId id) {
        return Await.result(sessions.open(new SessionSpec(id, IDLE, Attributes.of("user", "u"))));
    }
}
