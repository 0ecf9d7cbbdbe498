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
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** N04: sessions that nothing keeps alive. */
public interface ExpiryRules extends Rules {
    Duration IDLE = Duration.ofMinutes(5);
    Duration COALESCED = Duration.ofSeconds(2);

    private Instance opened(String name) {
        return kit().open(name, settings -> settings.keepAliveInterval(COALESCED));
    }

    private static SessionSpec session(String id) {
        return new SessionSpec(new SessionId(id), IDLE, Attributes.of("user", id));
    }

    @Test
    default void required_N04_the_stored_expiry_is_the_idle_time_and_the_interval() {
        Instance a = opened("A");
        Instant begin = kit().time().now();

        Session opened = get(a.stores().sessions().open(session("s")));

        assertThat(opened.spec()).isEqualTo(session("s"));
        assertThat(opened.expiresAt()).isEqualTo(begin.plus(IDLE).plus(COALESCED));
        assertThat(get(open("B").stores().sessions().find(new SessionId("s")))).hasValue(opened);
    }

    @Test
    default void required_N04_opening_an_open_session_keeps_it_and_keeps_it_alive() {
        Instance a = opened("A");
        get(a.stores().sessions().open(session("s")));
        kit().time().jump(IDLE.minusSeconds(1));

        Session again = get(
                a.stores().sessions().open(new SessionSpec(new SessionId("s"), Duration.ofDays(1), Attributes.NONE)));

        assertThat(again.spec()).isEqualTo(session("s"));
        assertThat(again.expiresAt()).isEqualTo(kit().time().now().plus(IDLE).plus(COALESCED));
    }

    @Test
    default void required_N04_a_session_that_nothing_keeps_alive_ends_and_others_stay() {
        Instance a = opened("A");
        StateStores stores = a.stores();
        List.of("idle-1", "idle-2", "kept").forEach(id -> get(stores.sessions().open(session(id))));
        for (int minute = 0; minute < 6; minute++) {
            kit().time().jump(Duration.ofMinutes(1));
            assertThat(get(stores.sessions().keepAlive(new SessionId("kept")))).isPresent();
        }

        assertThat(get(stores.sessions().find(new SessionId("idle-1"))))
                .as("expired, and not swept yet")
                .isEmpty();
        assertThat(get(stores.sessions().keepAlive(new SessionId("idle-1")))).isEmpty();
        assertThat(get(stores.sessions().expire(1))).isEqualTo(new Swept(1, true));
        assertThat(get(stores.sessions().expire(10))).isEqualTo(new Swept(1, false));
        assertThat(get(stores.sessions().expire(10))).isEqualTo(new Swept(0, false));
        assertThat(get(stores.sessions().find(new SessionId("kept")))).isPresent();
    }

    @Test
    default void required_N04_no_session_ends_early_because_touches_are_coalesced() {
        Instance a = opened("A");
        SessionId id = new SessionId("s");
        get(a.stores().sessions().open(session("s")));
        // a touch just before the next one that is written
        kit().time().jump(COALESCED.minusMillis(1));
        get(a.stores().sessions().keepAlive(id));
        Instant touched = kit().time().now();

        kit().time().jump(IDLE.minusMillis(1));

        assertThat(get(a.stores().sessions().find(id)))
                .as("touched at %s, idle for less than %s", touched, IDLE)
                .isPresent();
        assertThat(get(a.stores().sessions().expire(10)).count()).isZero();
    }

    @Test
    default void required_N04_touches_within_the_interval_are_one_write() {
        Instance a = opened("A");
        SessionId id = new SessionId("s");
        get(a.stores().sessions().open(session("s")));
        kit().time().pass(COALESCED.multipliedBy(2));
        long before = a.commits();

        for (int n = 0; n < 50; n++) {
            assertThat(get(a.stores().sessions().keepAlive(id))).isPresent();
        }

        assertThat(a.commits() - before).isLessThanOrEqualTo(1);
    }

    @Test
    default void required_N04_a_session_that_is_touched_while_it_is_swept_stays() {
        Instance a = opened("A");
        Instance b = opened("B");
        SessionId id = new SessionId("s");
        Session before = get(a.stores().sessions().open(session("s")));
        kit().time().jump(IDLE.plus(COALESCED).plusSeconds(1));
        Hold hold = a.faults().hold(Which.next());
        CompletionStage<Swept> sweeping = a.stores().sessions().expire(10);
        eventually(() -> assertThat(hold.size()).isOne());

        // for the other instance's clock it has not expired yet
        kit().time().jump(Duration.ofSeconds(-10));
        Optional<Session> touched = get(b.stores().sessions().keepAlive(id));
        hold.release();

        assertThat(touched)
                .hasValueSatisfying(session -> assertThat(session.expiresAt()).isAfter(before.expiresAt()));
        assertThat(get(sweeping).count()).isZero();
        assertThat(get(a.stores().sessions().find(id))).isEqualTo(touched);
    }

    @Test
    default void required_N04_closing_a_session_is_idempotent() {
        Instance a = opened("A");
        get(a.stores().sessions().open(session("s")));

        get(a.stores().sessions().close(new SessionId("s")));
        get(a.stores().sessions().close(new SessionId("s")));

        assertThat(get(a.stores().sessions().find(new SessionId("s")))).isEmpty();
        Session again = get(a.stores().sessions().open(session("s")));
        assertThat(again.spec()).isEqualTo(session("s"));
    }
}
