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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** G11: wall clocks decide when something is due, and never who owns. */
public interface ClockRules extends Rules {
    @Test
    default void required_G11_a_jumping_clock_ends_no_lease_and_lends_none() {
        Instance a = open("A");
        Instance b = open("B");
        Shard shard = a.shard(ORDERS_0);

        for (Duration jump : new Duration[] {Duration.ofDays(400), Duration.ofDays(-800), Duration.ofDays(400)}) {
            kit().time().jump(jump);

            assertThat(get(b.stores().deliveries().claim(b.member(), ORDERS_0)))
                    .as("after a jump of %s", jump)
                    .isInstanceOf(ClaimResult.HeldByOther.class);
            assertThat(a.member().live()).isTrue();
            assertThat(Operation.answers(shard.withdraw(BILLING))).noneMatch(Throwable.class::isInstance);
        }
    }

    @Test
    default void required_G11_epochs_rise_while_the_clock_falls() {
        Instance a = open("A");
        long last = 0;
        for (int n = 0; n < 5; n++) {
            Shard shard = a.shard(ORDERS_0);

            assertThat(shard.token().epoch()).isGreaterThan(last);
            last = shard.token().epoch();
            get(shard.release());
            kit().time().jump(Duration.ofDays(-1));
        }
    }

    @Test
    default void required_G11_due_times_follow_the_clock_alone() {
        Shard shard = open("A").shard(ORDERS_0);
        HandOut given = only(shard);
        get(shard.nack(
                new Nack(given.receipt(), ALICE.client(), "later"),
                new Retry(3, Duration.ofMinutes(5), Duration.ofMinutes(5))));

        assertThat(get(shard.handOut(1, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .isEmpty();
        kit().time().jump(Duration.ofMinutes(5));

        assertThat(get(shard.handOut(1, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .hasSize(1);
    }

    @Test
    default void required_G11_a_jump_past_the_end_of_a_hand_out_lets_nobody_settle_twice() {
        Shard shard = open("A").shard(ORDERS_0);
        HandOut early = only(shard);
        kit().time().jump(Duration.ofDays(1));
        HandOut late = ((HandOutResult.HandedOut) get(shard.handOut(1, HAND_OUT, due -> Optional.of(BOB))))
                .given()
                .get(0);
        kit().time().jump(Duration.ofDays(-2));

        AckResult stale = get(shard.ack(Ack.of(early.receipt(), ALICE.client())));
        AckResult good = get(shard.ack(Ack.of(late.receipt(), BOB.client())));

        assertThat(stale).isEqualTo(new Refused.Stale(late.receipt().epoch()));
        assertThat(good).isInstanceOf(AckResult.Acked.class);
    }

    private HandOut only(Shard shard) {
        return get(shard.open(Examples.range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
    }

    @Test
    default void required_G11_a_jumping_clock_ends_no_call() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.pause();
        CompletionStage<AckResult> ack = scene.shard.ack(scene.ack(0));

        kit().time().jump(Duration.ofDays(1));
        a.resume();

        assertThat(get(ack)).isInstanceOf(AckResult.Acked.class);
    }

    @Test
    default void required_G11_leases_and_deadlines_survive_the_overflow_of_the_ticker() {
        kit().time().overflowIn(Duration.ofSeconds(20));
        Instance a = open("A");
        Instance b = open("B");
        a.shard(ORDERS_0);

        passTime(Instance.LEASE.multipliedBy(2));

        assertThat(a.member().live()).isTrue();
        assertThat(get(b.stores().deliveries().claim(b.member(), ORDERS_0)))
                .isInstanceOf(ClaimResult.HeldByOther.class);
        a.pause();
        passTime(Instance.LEASE.plusSeconds(1));
        assertThat(b.shard(ORDERS_0).token().scope()).isEqualTo(new Partition("orders", 0));
    }
}
