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
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/** D07: what is there after a crash. */
public interface RecoveryRules extends Rules {
    @Test
    @Needs(Capability.DURABLE)
    default void required_D07_after_a_crash_the_open_are_there_and_the_settled_are_gone() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(range(0, 6, BILLING, ALICE))).handOuts().toList();
        get(shard.ack(Ack.of(given.get(1).receipt(), ALICE.client())));
        get(shard.nack(
                new Nack(given.get(2).receipt(), ALICE.client(), "busy"),
                new Retry(3, Duration.ofSeconds(30), Duration.ofSeconds(30))));
        get(shard.deadLetter(given.get(3).receipt(), "broken"));
        List<Delivery> before = open(a);
        a.crash();

        Instance b = open("B");
        // where a server keeps the lease of the killed, it lives on
        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(open(b)).isEqualTo(before);
        assertThat(before).extracting(Delivery::offset).containsExactly(0L, 2L, 4L, 5L);
        assertThat(next.view().all().open()).isEqualTo(4);
        assertThat(next.view().watermark()).hasValue(0);
        assertThat(next.view().readNext()).hasValue(6);
        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING)))
                .as("recovered is not acknowledged")
                .hasValue(0);
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_D07_an_ack_for_a_hand_out_of_before_the_crash_is_accepted() {
        Instance a = open("A");
        HandOut given = get(a.shard(ORDERS_0).open(range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        a.crash();
        Instance b = open("B");
        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        AckResult result = get(next.ack(Ack.of(Receipt.parse(given.receipt().encode()), ALICE.client())));

        assertThat(result).isInstanceOf(AckResult.Acked.class);
        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).hasValue(1);
    }

    @Test
    default void required_D07_a_successor_dispatches_again_what_was_not_settled() {
        Instance a = open("A");
        get(a.shard(ORDERS_0).open(range(0, 3, BILLING, ALICE)));
        Instance b = open("B");
        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(get(next.handOut(10, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .as("the hand-outs go on")
                .isEmpty();
        passTime(HAND_OUT.plusSeconds(1));
        assertThat(get(next.handOut(10, HAND_OUT, due -> Optional.of(BOB))).handOuts())
                .extracting(h -> h.delivery().offset())
                .containsExactly(0L, 1L, 2L);
    }

    private List<Delivery> open(Instance at) {
        return get(at.stores().deliveries().list(DeliveryFilter.of(ORDERS_0), PageRequest.first(100)))
                .items();
    }
}
