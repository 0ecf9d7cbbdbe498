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
import java.util.Map;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Owner;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** E04: who may claim what another holds, and when. */
public interface ClaimRules extends Rules {
    @Test
    default void required_E04_a_claim_is_refused_while_the_lease_of_another_lives() {
        Instance a = open("A");
        Instance b = open("B");
        Token<?> held = a.shard(ORDERS_0).token();

        assertHeld(a, b, held);
        passTime(Instance.LEASE.multipliedBy(3));
        assertHeld(a, b, held);
    }

    private void assertHeld(Instance a, Instance b, Token<?> held) {
        ClaimResult<Shard> claim = get(b.stores().deliveries().claim(b.member(), ORDERS_0));
        assertThat(claim).isInstanceOfSatisfying(ClaimResult.HeldByOther.class, other -> {
            assertThat(other.holder()).isEqualTo(a.member().holder());
            assertThat(other.epoch()).isEqualTo(held.epoch());
            assertThat(other.remaining()).isPositive().isLessThanOrEqualTo(Instance.LEASE);
        });
        assertThat(claim.claimed()).isEmpty();
    }

    @Test
    default void required_E04_what_remains_of_a_lease_shrinks_and_then_another_may_claim() {
        Instance a = open("A");
        Instance b = open("B");
        b.member();
        Shard former = a.shard(ORDERS_0);
        a.pause();
        Duration remaining = Instance.LEASE;

        for (int second = 10; second < Instance.LEASE.toSeconds(); second += 10) {
            passTime(Duration.ofSeconds(10));
            ClaimResult<Shard> refused = get(b.stores().deliveries().claim(b.member(), ORDERS_0));
            assertThat(refused).isInstanceOf(ClaimResult.HeldByOther.class);
            Duration now = ((ClaimResult.HeldByOther<Shard>) refused).remaining();
            assertThat(now).isLessThanOrEqualTo(remaining.minusSeconds(10)).isPositive();
            remaining = now;
        }
        passTime(Duration.ofSeconds(11));

        Shard now = b.shard(ORDERS_0);
        assertThat(now.token().epoch()).isGreaterThan(former.token().epoch());
    }

    @Test
    default void required_E04_a_released_scope_may_be_claimed_at_once() {
        Instance a = open("A");
        Instance b = open("B");
        Shard former = a.shard(ORDERS_0);

        get(former.release());

        assertThat(get(b.stores().ownership().owner(ORDERS_0))).isEmpty();
        assertThat(b.shard(ORDERS_0).token().epoch())
                .isGreaterThan(former.token().epoch());
        assertThat(get(former.withdraw(BILLING))).isInstanceOf(Fenced.class);
    }

    @Test
    default void required_E04_releasing_what_another_owns_changes_nothing() {
        Instance a = open("A");
        Instance b = open("B");
        Shard former = a.shard(ORDERS_0);
        Shard now = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        get(former.release());

        assertThat(get(a.stores().ownership().owner(ORDERS_0)).map(Owner::token))
                .hasValue(now.token());
        assertThat(get(now.withdraw(BILLING))).isEqualTo(new SweepResult.Done(0));
    }

    @Test
    default void required_E04_a_takeover_needs_no_end_of_the_lease() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);

        scene.takeOverBy(b);

        for (Scope scope : List.<Scope>of(
                scene.partition,
                scene.client.token().scope(),
                scene.agent.token().scope(),
                scene.task.id())) {
            assertThat(get(a.stores().ownership().owner(scope)))
                    .as(scope.toString())
                    .hasValueSatisfying(owner -> {
                        assertThat(owner.token().holder()).isEqualTo(b.member().holder());
                        assertThat(owner.remaining()).isPositive();
                    });
        }
        eventually(() -> assertThat(a.member().live()).isTrue());
    }

    @Test
    default void required_E04_a_repeated_claim_gives_the_same_token() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        StateStores stores = a.stores();

        assertThat(a.shard(scene.partition).token()).isEqualTo(scene.shard.token());
        assertThat(a.client("s-alice").token()).isEqualTo(scene.client.token());
        assertThat(get(stores.sessions().register(a.member(), scene.agentSpec(), Scene.AGENT_LEASE))
                        .claimed()
                        .orElseThrow()
                        .token())
                .isEqualTo(scene.agent.token());
        assertThat(get(stores.tasks().claim(a.member(), scene.task.id()))
                        .claimed()
                        .orElseThrow()
                        .token())
                .isEqualTo(scene.ownedTask.token());
    }

    @Test
    default void required_E04_a_lapsed_lease_that_nobody_took_over_still_writes() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        a.pause();
        kit().time().pass(Instance.LEASE.multipliedBy(2));
        a.resume();

        assertThat(get(a.member().renew())).isEqualTo(Renewal.RENEWED_AFTER_LAPSE);
        assertThat(Operation.answer(get(a.stores().offsets().advance(shard, Map.of(BILLING, 4L))), BILLING))
                .isInstanceOf(AdvanceResult.Advanced.class);
        assertThat(get(a.member().renew())).isEqualTo(Renewal.RENEWED);
        assertThat(a.member().live()).isTrue();
    }

    @Test
    default void required_E04_the_library_renews_a_lease_until_the_member_leaves() {
        Instance a = open("A");
        a.shard(ORDERS_0);
        // the kit renews nothing here: only the ticker moves
        for (int step = 0; step < 12; step++) {
            kit().time().pass(Instance.LEASE.dividedBy(4));
            eventually(() -> assertThat(get(a.stores().ownership().owner(ORDERS_0))
                            .orElseThrow()
                            .remaining())
                    .isGreaterThan(Instance.LEASE.dividedBy(2)));
        }
    }

    @Test
    default void required_E04_a_member_that_left_holds_nothing_and_claims_nothing() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);

        get(a.member().leave());
        get(a.member().leave());

        assertThat(get(b.stores().ownership().ownedBy("A", PageRequest.first(10)))
                        .items())
                .isEmpty();
        assertThat(b.shard(scene.partition).token().epoch())
                .isGreaterThan(scene.shard.token().epoch());
        assertThat(get(scene.client.register(scene.interest("t")))).isInstanceOf(Fenced.class);
        assertThatThrownBy(() -> get(a.stores().deliveries().claim(a.member(), ORDERS_1)))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @OneBackend
    @Lacks(Capability.MULTI_PROCESS)
    @Needs(Capability.DURABLE)
    default void required_E04_opening_an_engine_of_one_process_ends_all_leases() {
        Instance a = open("A");
        a.shard(ORDERS_0);
        a.crash();

        Instance b = open("B");

        assertThat(b.shard(ORDERS_0).token().holder()).isEqualTo(b.member().holder());
    }

    @Test
    default void required_E04_ownership_is_listed_by_instance() {
        Instance a = open("A");
        Instance b = open("B");
        a.shard(ORDERS_0);
        a.client("alice");
        b.shard(ORDERS_1);

        assertThat(get(b.stores().ownership().ownedBy("A", PageRequest.first(10)))
                        .items())
                .extracting(owner -> (Object) owner.token().scope())
                .containsExactlyInAnyOrder(
                        new Partition("orders", 0), a.client("alice").token().scope());
        assertThat(get(a.stores().ownership().ownedBy("B", PageRequest.first(10)))
                        .items())
                .extracting(owner -> (Object) owner.token().scope())
                .containsExactly(ORDERS_1);
        assertThat(get(a.stores().ownership().ownedBy("nobody", PageRequest.first(10)))
                        .items())
                .isEmpty();
    }

    @Test
    default void required_E04_a_claim_that_cannot_reach_the_backend_claims_nothing() {
        Instance a = open("A");
        a.member();
        a.cutOff();

        assertThatThrownBy(() -> a.shard(ORDERS_0)).isInstanceOf(StoreUnavailableException.class);
        a.heal();
        assertThat(get(a.stores().ownership().owner(ORDERS_0))).isEmpty();
    }
}
