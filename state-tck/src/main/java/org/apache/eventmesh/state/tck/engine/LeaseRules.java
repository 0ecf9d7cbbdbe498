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
package org.apache.eventmesh.state.tck.engine;

import java.time.Duration;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.delete;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.apache.eventmesh.state.tck.engine.EngineRules.value;
import static org.apache.eventmesh.state.tck.engine.EngineRules.when;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leases: keys that vanish with their holder. A server that keeps the time may end a lease a little late, so the end is
 * waited for; it must never be early.
 */
public interface LeaseRules extends EngineRules {
    Duration TTL = Duration.ofSeconds(4);

    @Test
    default void required_E04_keys_vanish_with_their_lease_and_others_stay() {
        Engine engine = engines().complete();
        Lease lease = get(engine.lease(TTL));
        Lease other = get(engine.lease(TTL.multipliedBy(100)));
        apply(engine, always(put("a", "1", lease), put("b", "1", lease), put("c", "1", other), put("d", "1")));
        engines().passTime(TTL.dividedBy(2));
        assertThat(scan(engine, ALL, 10)).hasSize(4);

        engines().passTime(TTL);

        Eventually.holds(() -> assertThat(scan(engine, ALL, 10))
                .extracting(entry -> entry.key())
                .containsExactly(key("c"), key("d")));
        assertThat(get(engine.remaining(lease.id()))).isZero();
        assertThat(get(lease.renew())).isFalse();
    }

    @Test
    default void required_E04_the_end_of_a_lease_is_an_event() {
        Engine engine = engines().complete();
        Lease lease = get(engine.lease(TTL));
        WatchLog log = new WatchLog();
        Watch watch = engine.watch(ALL, get(engine.scan(ALL, 1)).revision(), log);
        apply(engine, always(put("a", "1", lease)));
        log.awaitChanges("a=1");
        engines().passTime(TTL.plusSeconds(1));
        log.awaitChanges("a=1", "-a");
        watch.close();
    }

    @Test
    default void required_E04_renewing_starts_the_time_to_live_anew() {
        Engine engine = engines().complete();
        Lease lease = get(engine.lease(TTL));
        apply(engine, always(put("a", "1", lease)));
        for (int i = 0; i < 3; i++) {
            engines().passTime(TTL.dividedBy(2));
            assertThat(get(lease.renew())).isTrue();
        }
        assertThat(get(engine.remaining(lease.id()))).isBetween(TTL.dividedBy(2), TTL);
        assertThat(text(engine, "a")).contains("1");
    }

    @Test
    default void required_ENG_revoking_ends_a_lease_at_once_and_may_be_repeated() {
        Engine engine = engines().complete();
        Lease lease = get(engine.lease(TTL));
        apply(engine, always(put("a", "1", lease), put("b", "1")));
        assertThat(get(engine.remaining(lease.id()))).isPositive();
        get(lease.revoke());
        get(lease.revoke());
        assertThat(read(engine, "a")).isEmpty();
        assertThat(text(engine, "b")).contains("1");
        assertThat(get(engine.remaining(lease.id()))).isZero();
        assertThat(get(lease.renew())).isFalse();
    }

    @Test
    default void required_ENG_a_put_under_an_ended_lease_changes_nothing_and_is_told_apart() {
        Engine engine = engines().complete();
        Lease ended = get(engine.lease(TTL));
        get(ended.revoke());
        assertThat(commit(engine, always(put("a", "1", ended), put("b", "1"))))
                .isEqualTo(new CommitResult.LeaseEnded(ended.id()));
        assertThat(scan(engine, ALL, 10)).isEmpty();
    }

    @Test
    default void required_ENG_a_later_put_without_the_lease_and_a_delete_take_a_key_out() {
        Engine engine = engines().complete();
        Lease lease = get(engine.lease(TTL));
        Lease other = get(engine.lease(TTL));
        apply(engine, always(put("a", "1", lease), put("b", "1", lease), put("c", "1", lease)));
        apply(engine, always(put("a", "2"), delete("b"), put("c", "2", other)));
        apply(engine, always(put("b", "3")));
        get(lease.revoke());
        assertThat(text(engine, "a")).contains("2");
        assertThat(text(engine, "b")).contains("3");
        assertThat(text(engine, "c")).contains("2");
        get(other.revoke());
        assertThat(read(engine, "c")).isEmpty();
    }

    @Test
    default void required_E04_whoever_waits_for_the_key_of_an_ended_lease_gets_it() {
        Engine engine = engines().complete();
        Lease lease = get(engine.lease(TTL));
        apply(engine, always(put("a", "mine", lease)));
        refused(engine, when(Condition.absent(key("a")), put("a", "other")));
        engines().passTime(TTL.plusSeconds(1));
        Eventually.holds(() -> assertThat(commit(engine, when(Condition.absent(key("a")), put("a", "other"))))
                .isInstanceOf(CommitResult.Applied.class));
        assertThat(text(engine, "a")).contains("other");
    }

    @Test
    default void required_ENG_a_lease_that_was_never_granted_has_no_time_and_takes_no_key() {
        Engine engine = engines().complete();
        long unknown = get(engine.lease(TTL)).id() + 1_000_000;
        assertThat(get(engine.remaining(unknown))).isZero();
        assertThat(commit(engine, always(Change.put(key("a"), value("1"), unknown))))
                .isEqualTo(new CommitResult.LeaseEnded(unknown));
    }

    @Test
    default void required_ENG_every_lease_has_an_id_of_its_own() {
        Engine engine = engines().complete();
        long first = get(engine.lease(TTL)).id();
        long second = get(engine.lease(TTL)).id();
        assertThat(second).isNotEqualTo(first);
    }
}
