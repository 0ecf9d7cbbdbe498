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

import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Leases that nobody would give back: of a set that closes, and of calls that are over. */
class ClosingMembersTest extends TwoInstances {
    @Test
    void required_E04_while_its_set_closes_a_member_is_put_under_no_new_lease() {
        a.claimed(alice, ORDERS);
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        a.engine().holdLeases();
        a.wake();
        CompletionStage<Renewal> renewal = alice.renew();
        await().until(() -> a.engine().holding() == 1);
        a.mesh().close(Instance.DEADLINE);
        a.engine().release();

        assertThatThrownBy(() -> Await.result(renewal)).isInstanceOf(StoreClosedException.class);
        assertThat(members()).isEqualTo(1);
        b.claimed(bob, ORDERS);
    }

    @Test
    void required_E04_what_is_granted_while_the_set_closes_is_given_back() {
        a.engine().holdLeases();
        CompletionStage<Member> joining = a.mesh().members().join("late", Instance.LEASE);
        await().until(() -> a.engine().holding() == 1);
        a.mesh().close(Instance.DEADLINE);
        a.engine().release();

        assertThatThrownBy(() -> Await.result(joining)).isInstanceOf(StoreClosedException.class);
        await().until(() -> a.mesh().leases().kept() == 0);
        assertThat(members()).isEqualTo(1);
    }

    @Test
    void required_G10_of_a_set_that_closes_nothing_is_renewed_and_nobody_joins() {
        a.claimed(alice, ORDERS);
        a.mesh().close(Instance.DEADLINE);

        assertThatThrownBy(() -> Await.result(alice.renew())).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> a.claimed(alice, new ClientId("c"))).isInstanceOf(StoreClosedException.class);
        assertThatThrownBy(() -> a.join("late")).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void a_lease_for_a_call_that_is_over_before_it_stands_is_given_back() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch reading = new CountDownLatch(1);
        map.map().beforeRead(() -> {
            reading.countDown();
            opened(release);
        });
        CompletionStage<Member> joining = a.mesh().members().join("late", Instance.LEASE);
        reading.await();
        assertThat(a.mesh().leases().kept()).isEqualTo(2);
        map.pass(Instance.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(joining)).isInstanceOf(StoreUnavailableException.class);
        map.map().beforeRead(() -> {});
        release.countDown();

        await().until(() -> a.mesh().leases().kept() == 1);
        assertThat(members()).isEqualTo(2);
    }

    @Test
    void a_lease_that_is_granted_for_a_call_that_is_over_is_given_back() {
        a.engine().holdLeases();
        CompletionStage<Member> joining = a.mesh().members().join("late", Instance.LEASE);
        await().until(() -> a.engine().holding() == 1);
        map.pass(Instance.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(joining)).isInstanceOf(StoreUnavailableException.class);
        a.engine().release();

        await().until(() -> a.mesh().leases().kept() == 1);
        assertThat(members()).isEqualTo(2);
    }

    @Test
    void a_lease_that_could_not_be_given_back_is_forgotten_when_it_has_ended() {
        Leases leases = a.mesh().leases();
        for (int i = 0; i < 3; i++) {
            granted(leases);
        }
        assertThat(leases.kept()).isEqualTo(4);
        map.pass(Instance.LEASE.multipliedBy(2).plusSeconds(1));
        await().until(alice::live);
        granted(leases);
        assertThat(leases.kept()).isEqualTo(2);
    }

    private static void opened(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void granted(Leases leases) {
        Await.result(Steps.unattended(
                a.backend(), Members.operation("join", "nobody"), steps -> leases.grant(steps, Instance.LEASE)));
    }

    private int members() {
        return Await.result(map.engine().scan(KeyWriter.of(Table.MEMBER).under(), 10))
                .entries()
                .size();
    }
}
