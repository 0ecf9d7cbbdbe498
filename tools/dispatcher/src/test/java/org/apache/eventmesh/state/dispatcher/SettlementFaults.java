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
package org.apache.eventmesh.state.dispatcher;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** Deliveries that were settled by the wrong word, twice, or not at all. */
interface SettlementFaults extends Faults {
    /** An ack that came late, or from before the topic was recreated, settled another delivery of the same number. */
    @Test
    default void fault_03_a_stale_ack_on_a_reused_id() {
        Log log = new Log();
        log.publish(1);
        Node a = node("A");
        Node b = node("B");
        a.subscribe(ALICE, ORDERS, BILLING);
        a.dispatcher().serve(ORDERS_0, log);
        a.dispatcher().tick();
        HandOut toAlice = a.inbox().take().get(0);
        a.subscribe(BOB, ORDERS, BILLING);
        get(a.dispatcher().clients().unsubscribe(ALICE, ORDERS));
        letHandOutsEnd();
        a.dispatcher().tick();
        HandOut toBob = a.inbox().take().get(0);

        assertThat(a.ack(toAlice)).isInstanceOf(Refused.Stale.class);
        assertThat(a.isOpen(toBob)).isTrue();
        assertThat(a.ack(toBob)).isInstanceOf(AckResult.Acked.class);

        log.recreate("second");
        log.publish(1);
        a.dispatcher().tick();
        a.dispatcher().tick();
        HandOut again = a.inbox().take().get(0);
        assertThat(again.delivery().offset()).isEqualTo(toBob.delivery().offset());
        assertThat(again.delivery().id()).isNotEqualTo(toBob.delivery().id());

        a.instance().crash();
        b.dispatcher().takeOver(ORDERS_0, log);
        for (HandOut old : List.of(toAlice, toBob)) {
            assertThat(b.ack(old)).isNotInstanceOf(AckResult.Acked.class);
        }
        assertThat(b.isOpen(again)).isTrue();
        assertThat(b.position(ORDERS_0, BILLING)).hasValue(0);
        assertThat(b.ack(again)).isInstanceOf(AckResult.Acked.class);
    }

    /** A message was acked and, a moment later, in the dead letters too. */
    @Test
    default void fault_04_a_dead_letter_after_retirement() {
        Node a = node("A");
        List<HandOut> held = deliver(a, 21);

        int given = 0;
        for (HandOut one : held.subList(0, 20)) {
            List<Object> answers = Faults.together(List.<Callable<Object>>of(() -> a.ack(one), () -> a.giveUp(one)));
            boolean acked = answers.get(0) instanceof AckResult.Acked;
            boolean dead = answers.get(1) instanceof NackResult.DeadLettered;
            assertThat(acked).as("%s", answers).isNotEqualTo(dead);
            given += dead ? 1 : 0;
            assertThat(a.deadLetters()).hasSize(given);
        }

        HandOut last = held.get(20);
        assertThat(a.ack(last)).isInstanceOf(AckResult.Acked.class);
        assertThat(a.giveUp(last)).isEqualTo(new Refused.Settled(Refused.How.ACKED));
        assertThat(a.deadLetters()).hasSize(given);
    }

    /** A nack that was on its way put back what an ack had just taken away. */
    @Test
    default void fault_08_a_nack_that_revives_an_acked_delivery() {
        Node a = node("A");
        List<HandOut> held = deliver(a, 20);

        List<DeliveryId> acked = new ArrayList<>();
        for (HandOut one : held) {
            List<Object> answers = Faults.together(List.<Callable<Object>>of(() -> a.ack(one), () -> a.nack(one)));
            if (answers.get(0) instanceof AckResult.Acked) {
                acked.add(one.delivery().id());
                assertThat(a.nack(one)).isEqualTo(new Refused.Settled(Refused.How.ACKED));
            } else {
                assertThat(answers.get(1)).isInstanceOf(NackResult.Rescheduled.class);
            }
        }
        letHandOutsEnd();
        a.dispatcher().tick();

        assertThat(a.inbox().all())
                .extracting(handOut -> handOut.delivery().id())
                .hasSize(held.size() - acked.size())
                .doesNotContainAnyElementsOf(acked);
    }

    /** The message was read again, or replayed, and given up again: two records, each with half of the history. */
    @Test
    default void fault_14_a_dead_letter_recorded_twice_under_two_ids() {
        Log log = new Log();
        log.publish(1);
        Node a = node("A");
        a.subscribe(ALICE, ORDERS, BILLING);
        Shard shard = a.dispatcher().serve(ORDERS_0, log).claimed().orElseThrow();
        a.dispatcher().tick();
        HandOut first = a.inbox().take().get(0);
        assertThat(a.giveUp(first)).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(a.giveUp(first)).as("asked again").isInstanceOf(NackResult.DeadLettered.class);
        assertThat(a.deadLetters()).hasSize(1);

        // somebody rewinds: the same message under another id, or not at all where its record says that it is settled
        assertThat(get(a.instance().stores().offsets().reset(shard, BILLING, Reset.from(1, 0))))
                .isInstanceOf(ResetResult.Done.class);
        a.dispatcher().tick();
        a.inbox().take().forEach(a::giveUp);
        assertThat(a.deadLetters()).hasSize(1);

        DeadLetter letter = a.deadLetters().get(0);
        assertThat(get(a.instance().stores().deadLetters().replay(letter, RequestKey.of("once more"))))
                .isInstanceOf(ReplayResult.Replayed.class);
        a.dispatcher().tick();
        HandOut replayed = a.inbox().take().get(0);
        assertThat(replayed.delivery().id()).isNotEqualTo(first.delivery().id());
        assertThat(a.giveUp(replayed)).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(a.deadLetters())
                .singleElement()
                .satisfies(record -> assertThat(record.id()).isEqualTo(letter.id()));
    }

    /** Alice holds the first messages of a log. */
    private List<HandOut> deliver(Node node, int messages) {
        Log log = new Log();
        log.publish(messages);
        node.subscribe(ALICE, ORDERS, BILLING);
        node.dispatcher().serve(ORDERS_0, log);
        node.dispatcher().tick();
        List<HandOut> held = node.inbox().take();
        assertThat(held).hasSize(messages);
        return held;
    }
}
