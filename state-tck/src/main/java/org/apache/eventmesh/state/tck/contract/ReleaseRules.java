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

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.SHIPPING;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/** D06: a receiver that is gone. */
public interface ReleaseRules extends Rules {
    @Test
    default void required_D06_what_a_disconnected_receiver_held_is_due_at_once() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 3, BILLING, ALICE)));
        get(shard.open(range(0, 2, SHIPPING, BOB)));

        assertThat(get(shard.release(ALICE))).isEqualTo(new SweepResult.Done(3));

        assertThat(get(shard.release(ALICE))).as("idempotent").isEqualTo(new SweepResult.Done(0));
        assertThat(get(shard.handOut(10, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .extracting(h -> h.delivery().subscriber())
                .containsExactly(BILLING, BILLING, BILLING);
        assertThat(shard.view().byReceiver()).containsOnlyKeys(BOB);
    }

    @Test
    default void required_D06_a_newer_session_keeps_what_it_holds() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Receiver older = new Receiver(ALICE.client(), 4, "here");
        Receiver newer = new Receiver(ALICE.client(), 5, "there");
        get(shard.open(range(0, 1, BILLING, older)));
        get(shard.open(range(0, 1, SHIPPING, newer)));

        assertThat(get(shard.release(older))).isEqualTo(new SweepResult.Done(1));

        assertThat(shard.view().byReceiver()).containsOnlyKeys(newer);
        assertThat(get(shard.release(newer))).isEqualTo(new SweepResult.Done(1));
    }

    @Test
    default void required_D06_all_receivers_of_an_instance_are_released_at_once() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Receiver carol = new Receiver(new ClientId("carol"), 1, "elsewhere");
        get(shard.open(range(0, 2, BILLING, ALICE)));
        get(shard.open(range(0, 2, SHIPPING, BOB)));
        get(shard.open(range(0, 2, Subscriber.group("audit"), carol)));

        assertThat(get(shard.releaseInstance(ALICE.instance()))).isEqualTo(new SweepResult.Done(4));

        assertThat(shard.view().byReceiver()).containsOnlyKeys(carol);
    }

    @Test
    default void scenario_12_a_load_balanced_receiver_disconnects_and_another_gets_its_deliveries() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Receiver alice = a.client("alice").receiver();
        Receiver bob = a.client("bob").receiver();
        List<HandOut> held =
                get(shard.open(range(0, 4, BILLING, alice))).handOuts().toList();

        get(shard.release(alice));
        List<HandOut> taken =
                get(shard.handOut(10, HAND_OUT, due -> Optional.of(bob))).handOuts();

        assertThat(taken)
                .extracting(h -> h.delivery().id())
                .containsExactlyElementsOf(
                        held.stream().map(h -> h.delivery().id()).toList());
        for (int i = 0; i < held.size(); i++) {
            assertThat(get(shard.ack(Ack.of(held.get(i).receipt(), alice.client()))))
                    .isEqualTo(new Refused.Stale(taken.get(i).receipt().epoch()));
            assertThat(get(shard.ack(Ack.of(taken.get(i).receipt(), bob.client()))))
                    .isInstanceOf(AckResult.Acked.class);
        }
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).hasValue(4);
    }
}
