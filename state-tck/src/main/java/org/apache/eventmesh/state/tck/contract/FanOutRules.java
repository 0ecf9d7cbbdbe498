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
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Outcome;
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

/** D08: a broker acknowledgement is never early, never forgotten. */
public interface FanOutRules extends Rules {
    Duration LIFE = Duration.ofHours(1);
    Subscriber ANNA = Subscriber.single("anna");
    Subscriber BEN = Subscriber.single("ben");
    Subscriber CLEO = Subscriber.single("cleo");

    @Test
    default void required_D08_it_completes_once_when_all_are_settled_and_stays_until_confirmed() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given = get(shard.open(broadcast(7, "handle"))).handOuts().toList();

        AckResult first = get(shard.ack(ack(given.get(0))));
        NackResult second = get(shard.deadLetter(given.get(1).receipt(), "broken"));
        assertThat(get(shard.completed(10))).isEmpty();
        AckResult last = get(shard.ack(ack(given.get(2))));

        FanOut done = get(shard.completed(10)).get(0);
        assertThat(done.offset()).isEqualTo(7);
        assertThat(done.brokerHandle()).isEqualTo(Bytes.utf8("handle"));
        assertThat(done.expiresAt())
                .isEqualTo(kit().time()
                        .clock()
                        .instant()
                        .truncatedTo(ChronoUnit.MILLIS)
                        .plus(LIFE));
        assertThat(((AckResult.Acked) first).completed()).isEmpty();
        assertThat(((NackResult.DeadLettered) second).completed()).isEmpty();
        assertThat(((AckResult.Acked) last).completed()).contains(done);
        assertThat(get(shard.completed(10))).as("until confirmed").containsExactly(done);
        assertThat(get(shard.confirm(List.of(done)))).isEqualTo(new SweepResult.Done(1));
        assertThat(get(shard.completed(10))).isEmpty();
        assertThat(get(shard.confirm(List.of(done)))).as("idempotent").isEqualTo(new SweepResult.Done(0));
    }

    @Test
    default void required_D08_a_message_that_nobody_wants_is_complete_at_once() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);

        get(shard.open(OpenBatch.unordered(List.of(message(3).brokerHandle(Bytes.utf8("h"), LIFE)), HAND_OUT)));

        assertThat(get(shard.completed(10))).extracting(FanOut::offset).containsExactly(3L);
    }

    @Test
    default void required_D08_a_repeated_open_replaces_the_handle_and_the_old_one_confirms_nothing() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given = get(shard.open(broadcast(7, "old"))).handOuts().toList();
        given.forEach(h -> get(shard.ack(ack(h))));
        FanOut old = get(shard.completed(10)).get(0);

        get(shard.open(broadcast(7, "new")));

        assertThat(get(shard.confirm(List.of(old)))).isEqualTo(new SweepResult.Done(0));
        List<FanOut> now = get(shard.completed(10));
        assertThat(now).extracting(FanOut::brokerHandle).containsExactly(Bytes.utf8("new"));
        assertThat(get(shard.confirm(now))).isEqualTo(new SweepResult.Done(1));
    }

    @Test
    default void required_D08_opening_a_settled_message_again_completes_again_and_delivers_nothing() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(broadcast(7, "one"))).handOuts().forEach(h -> get(shard.ack(ack(h))));
        get(shard.confirm(get(shard.completed(10))));

        OpenReport again = get(shard.open(broadcast(7, "two")));

        assertThat(again.deliveries()).containsOnly(new Outcome.Done<>(new OpenResult.AlreadySettled()));
        assertThat(get(shard.completed(10))).extracting(FanOut::brokerHandle).containsExactly(Bytes.utf8("two"));
    }

    @Test
    default void required_D08_a_successor_knows_what_is_complete_and_what_is_not() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(broadcast(1, "done"))).handOuts().forEach(h -> get(shard.ack(ack(h))));
        List<HandOut> half = get(shard.open(broadcast(2, "half"))).handOuts().toList();
        get(shard.ack(ack(half.get(0))));
        Instance b = open("B");

        Shard next = get(b.stores().deliveries().takeOver(b.member(), ORDERS_0));

        assertThat(get(next.completed(10))).extracting(FanOut::offset).containsExactly(1L);
        get(next.ack(ack(half.get(1))));
        assertThat(((AckResult.Acked) get(next.ack(ack(half.get(2))))).completed())
                .isPresent();
        assertThat(get(next.completed(10))).extracting(FanOut::offset).containsExactly(1L, 2L);
    }

    @Test
    default void required_D08_a_refused_target_is_still_part_of_it() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(range(0, 1, BILLING)));
        Incoming both = message(5).to(BILLING, ALICE).to(SHIPPING, BOB).brokerHandle(Bytes.utf8("h"), LIFE);
        OpenReport report =
                get(shard.open(OpenBatch.range(GENERATION, 5, 6, List.of(BILLING, SHIPPING), List.of(both), HAND_OUT)));
        HandOut shipping = report.handOuts().findFirst().orElseThrow();

        get(shard.ack(Ack.of(shipping.receipt(), BOB.client())));

        assertThat(get(shard.completed(10))).as("billing has not seen it").isEmpty();
    }

    private static Ack ack(HandOut h) {
        return Ack.of(h.receipt(), h.receiver().client());
    }

    private static OpenBatch broadcast(long offset, String handle) {
        Incoming message = message(offset).brokerHandle(Bytes.utf8(handle), LIFE);
        for (Subscriber s : List.of(ANNA, BEN, CLEO)) {
            message = message.to(s, new Receiver(((Subscriber.Single) s).client(), 1, "somewhere"));
        }
        return OpenBatch.unordered(List.of(message), HAND_OUT);
    }
}
