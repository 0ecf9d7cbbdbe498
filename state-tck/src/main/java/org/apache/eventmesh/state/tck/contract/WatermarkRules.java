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
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.ShardView;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.GENERATION;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.SHIPPING;
import static org.apache.eventmesh.state.tck.contract.Examples.message;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;

/** D09 to D11: the watermark, what an owner sees at a glance, and subscribers that are gone. */
public interface WatermarkRules extends Rules {
    @Test
    default void required_D09_the_watermark_never_passes_an_open_delivery_of_anyone() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<Incoming> messages = new ArrayList<>();
        for (long offset = 101; offset < 106; offset++) {
            messages.add(message(offset).to(BILLING, ALICE).to(SHIPPING, BOB));
        }
        List<HandOut> given = get(shard.open(
                        OpenBatch.range(GENERATION, 101, 106, List.of(BILLING, SHIPPING), messages, HAND_OUT)))
                .handOuts()
                .toList();
        assertThat(shard.view().watermark()).hasValue(101);

        for (HandOut h : given) {
            if (!(h.delivery().offset() == 101 && h.receiver().equals(BOB))) {
                get(shard.ack(Ack.of(h.receipt(), h.receiver().client())));
            }
        }
        assertThat(shard.view().watermark())
                .as("105 is acked while 101 is open")
                .hasValue(101);
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).hasValue(106);

        HandOut slow = given.get(1);
        get(shard.ack(Ack.of(slow.receipt(), BOB.client())));
        assertThat(shard.view().watermark()).hasValue(106);
    }

    @Test
    default void required_D10_counts_and_ages_by_subscriber_and_receiver_need_no_reading() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Instant first = kit().time().clock().instant().truncatedTo(ChronoUnit.MILLIS);
        get(shard.open(range(0, 3, BILLING, ALICE)));
        passTime(Duration.ofSeconds(1));
        get(shard.open(range(0, 2, SHIPPING)));
        a.faults().failReads(Which.every());

        ShardView view = shard.view();

        assertThat(view.all()).isEqualTo(new ShardView.Backlog(5, Optional.of(first)));
        assertThat(view.bySubscriber())
                .containsEntry(BILLING, new ShardView.Backlog(3, Optional.of(first)))
                .containsEntry(SHIPPING, new ShardView.Backlog(2, Optional.of(first.plusSeconds(1))));
        assertThat(view.byReceiver())
                .containsExactlyEntriesOf(Map.of(ALICE, new ShardView.Backlog(3, Optional.of(first))));
        assertThat(view.nextDue()).contains(first.plusSeconds(1));
    }

    @Test
    default void required_D11_withdrawing_settles_all_of_a_subscriber_and_forgets_it() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Incoming both = message(0).to(BILLING, ALICE).to(SHIPPING, BOB).brokerHandle(Bytes.utf8("h"), FanOutRules.LIFE);
        List<HandOut> given = get(shard.open(
                        OpenBatch.range(GENERATION, 0, 1, List.of(BILLING, SHIPPING), List.of(both), HAND_OUT)))
                .handOuts()
                .toList();
        get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        assertThat(shard.view().watermark()).hasValue(0);

        assertThat(get(shard.withdraw(SHIPPING))).isEqualTo(new SweepResult.Done(1));

        assertThat(shard.view().watermark()).hasValue(1);
        assertThat(get(shard.completed(10))).extracting(FanOut::offset).containsExactly(0L);
        assertThat(get(a.stores().offsets().position(ORDERS_0, SHIPPING))).isEmpty();
        assertThat(get(shard.ack(Ack.of(given.get(1).receipt(), BOB.client()))))
                .isEqualTo(new Refused.Settled(Refused.How.WITHDRAWN));
        assertThat(get(shard.withdraw(SHIPPING))).as("idempotent").isEqualTo(new SweepResult.Done(0));
    }

    @Test
    default void required_D11_targets_that_were_not_opened_yet_are_withdrawn_too() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 1, SHIPPING)));
        Incoming both = message(5).to(BILLING, ALICE).to(SHIPPING, BOB).brokerHandle(Bytes.utf8("h"), FanOutRules.LIFE);
        HandOut given = get(shard.open(
                        OpenBatch.range(GENERATION, 5, 6, List.of(BILLING, SHIPPING), List.of(both), HAND_OUT)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        get(shard.ack(Ack.of(given.receipt(), ALICE.client())));
        assertThat(get(shard.completed(10))).isEmpty();

        get(shard.withdraw(SHIPPING));

        assertThat(get(shard.completed(10))).extracting(FanOut::offset).containsExactly(5L);
    }
}
