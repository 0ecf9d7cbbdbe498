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
package org.apache.eventmesh.state.core.owner;

import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Members and the leases that they stand under. */
class MembersTest {
    private static final Partition ORDERS = new Partition("orders", 3);

    private final SharedMap map = new SharedMap();
    private final Instance a = new Instance(map);
    private final Instance b = new Instance(map);
    private final Member alice = a.join("alice");

    @AfterEach
    void close() {
        a.close();
        b.close();
        map.close();
    }

    @Test
    void a_lease_is_longer_than_zero_and_at_most_a_year() {
        Duration longest = Duration.ofDays(365);
        assertThat(Leases.checked(Duration.ofNanos(1))).isEqualTo(Duration.ofNanos(1));
        assertThat(Leases.checked(longest)).isEqualTo(longest);
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(-1), longest.plusNanos(1))) {
            assertThatThrownBy(() -> a.mesh().members().join("another", wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(wrong.toString());
        }
    }

    @Test
    void only_its_own_store_set_renews_a_member() {
        assertThat(Await.result(a.mesh().members().renew(alice.holder()))).isFalse();
        assertThatThrownBy(() -> Await.result(b.mesh().members().renew(alice.holder())))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("alice");
        assertThat(a.mesh().members().lease(alice.holder()))
                .hasValueSatisfying(lease -> assertThat(lease.length()).isEqualTo(Instance.LEASE));
        assertThat(b.mesh().members().lease(alice.holder())).isEmpty();
        Await.result(alice.leave());
        assertThat(a.mesh().members().lease(alice.holder())).isEmpty();
        assertThatThrownBy(() -> Await.result(a.mesh().members().renew(alice.holder())))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void who_leaves_gives_the_lease_back_too() {
        long lease = leaseOf(alice);
        assertThat(remaining(lease)).isPositive();
        Await.result(alice.leave());
        assertThat(remaining(lease)).isZero();
        assertThat(record(alice)).isEmpty();
    }

    @Test
    void required_E04_a_store_set_that_closes_gives_its_leases_back() {
        a.claimed(alice, ORDERS);
        long lease = leaseOf(alice);
        a.close();
        assertThat(remaining(lease)).isZero();
        assertThat(record(alice)).isEmpty();
        assertThat(alice.live()).isFalse();
        b.claimed(b.join("bob"), ORDERS);
    }

    @Test
    void while_the_backend_is_away_a_close_leaves_them_to_end_by_themselves() {
        long lease = leaseOf(alice);
        a.engine().away(true);
        a.close();
        assertThat(remaining(lease)).isPositive();
        map.pass(Instance.LEASE.plusMillis(1));
        assertThat(remaining(lease)).isZero();
    }

    @Test
    void a_lease_of_a_member_is_counted_from_when_it_was_asked_for() {
        KeptLease lease = a.mesh().members().lease(alice.holder()).orElseThrow();
        assertThat(lease.remaining()).isEqualTo(Instance.LEASE);
        map.pass(Duration.ofSeconds(1));
        assertThat(lease.remaining()).isEqualTo(Instance.LEASE.minusSeconds(1));
        assertThat(Await.result(alice.renew())).isNotNull();
        assertThat(lease.remaining()).isEqualTo(Instance.LEASE);
        assertThat(lease.after(Duration.ofSeconds(5)))
                .isEqualTo(a.backend().deadlines().now() + Duration.ofSeconds(5).toNanos());
    }

    @Test
    void a_name_that_no_member_may_have_is_refused() {
        assertThatThrownBy(() -> a.mesh().reading().ownedBy("", PageRequest.first(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> a.mesh().members().join("", Instance.LEASE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private long leaseOf(Member member) {
        return a.mesh().members().lease(member.holder()).orElseThrow().id();
    }

    private Duration remaining(long lease) {
        return Await.result(map.engine().remaining(lease));
    }

    private List<Entry> record(Member member) {
        Bytes key = OwnerKeys.member(member.holder().process());
        return Await.result(map.engine().read(List.of(key)));
    }
}
