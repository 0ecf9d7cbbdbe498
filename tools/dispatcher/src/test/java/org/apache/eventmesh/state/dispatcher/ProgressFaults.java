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
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Offsets that fell, were lost, or ran ahead. */
interface ProgressFaults extends Faults {
    /** Two acks read the same position and the lower one was written last. */
    @Test
    default void fault_01_offsets_that_fall_under_concurrent_acks() {
        int messages = 60;
        Log log = new Log();
        log.publish(messages);
        Node a = node("A");
        List.of(ALICE, BOB, CAROL).forEach(client -> a.subscribe(client, ORDERS, BILLING));
        a.dispatcher().serve(ORDERS_0, log);
        a.dispatcher().tick();
        List<HandOut> held = new ArrayList<>(a.inbox().take());
        assertThat(held).hasSize(messages);
        Collections.shuffle(held, new Random(Seeds.next(this).nextLong()));

        AtomicInteger acking = new AtomicInteger(3);
        List<Callable<List<Long>>> work = new ArrayList<>();
        IntStream.range(0, 3)
                .forEach(n -> work.add(() -> {
                    List<Long> answered = new ArrayList<>();
                    for (int i = n; i < messages; i += 3) {
                        answered.add(((AckResult.Acked) a.ack(held.get(i)))
                                .position()
                                .orElseThrow());
                    }
                    acking.decrementAndGet();
                    return answered;
                }));
        work.add(() -> {
            List<Long> seen = new ArrayList<>();
            while (acking.get() > 0) {
                seen.add(a.position(ORDERS_0, BILLING).orElseThrow());
                a.dispatcher().tick();
            }
            return seen;
        });
        List<List<Long>> answers = Faults.together(work);

        assertThat(answers.get(3)).as("what a reader saw").isSorted();
        assertThat(a.position(ORDERS_0, BILLING)).hasValue(messages);
        assertThat(answers.subList(0, 3).stream().flatMap(List::stream).max(Long::compare))
                .hasValue((long) messages);
        a.dispatcher().tick();
        assertThat(log.commits()).as("what the broker was told").isSorted();
        assertThat(log.committed()).isEqualTo(messages);
    }

    /** The delivery was removed in one store, the process died, and the offset was never written in the other. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    default void fault_02_retirement_without_a_durable_offset(boolean applied) {
        Log log = new Log();
        log.publish(2);
        Node a = node("A");
        Node b = node("B");
        a.subscribe(ALICE, ORDERS, BILLING);
        a.dispatcher().serve(ORDERS_0, log);
        a.dispatcher().tick();
        HandOut first = a.inbox().take().get(0);

        a.instance().dieAtCommit(1, applied);
        assertThat(a.dispatcher().ack(ALICE, first.receipt()).toCompletableFuture())
                .isNotDone();
        Eventually.holds(() -> assertThat(a.instance().isDead()).isTrue());
        a.instance().crash();
        b.subscribe(BOB, ORDERS, BILLING);
        b.dispatcher().takeOver(ORDERS_0, log);

        boolean open = b.isOpen(first);
        assertThat(b.position(ORDERS_0, BILLING))
                .as("with the delivery, or not")
                .hasValue(open ? 0 : 1);
        letHandOutsEnd();
        b.dispatcher().tick();
        assertThat(Faults.offsets(b.inbox().all())).isEqualTo(open ? List.of(0L, 1L) : List.of(1L));
        b.inbox().take().forEach(b::ack);
        assertThat(b.position(ORDERS_0, BILLING)).hasValue(2);
    }

    /** One cursor for the whole topic moved with the fastest, and a restart skipped what the slowest had not got. */
    @Test
    default void fault_05_a_broadcast_cursor_past_a_slow_receiver() {
        List<ClientId> everybody = List.of(ALICE, BOB, CAROL);
        Log log = new Log();
        log.publish(4);
        Node a = node("A");
        Node b = node("B");
        everybody.forEach(client -> a.subscribe(client, ORDERS, Faults.broadcastTo(client)));
        a.dispatcher().serve(ORDERS_0, log);
        a.dispatcher().tick();
        a.inbox().of(ALICE).forEach(a::ack);
        a.inbox().of(BOB).forEach(a::ack);
        a.dispatcher().tick();

        assertThat(a.position(ORDERS_0, Faults.broadcastTo(ALICE))).hasValue(4);
        assertThat(a.position(ORDERS_0, Faults.broadcastTo(BOB))).hasValue(4);
        assertThat(a.position(ORDERS_0, Faults.broadcastTo(CAROL))).hasValue(0);
        assertThat(log.committed()).isZero();

        a.instance().crash();
        everybody.forEach(client -> b.subscribe(client, ORDERS, Faults.broadcastTo(client)));
        b.dispatcher().takeOver(ORDERS_0, log);
        letHandOutsEnd();
        b.dispatcher().tick();

        assertThat(b.inbox().of(ALICE)).isEmpty();
        assertThat(b.inbox().of(BOB)).isEmpty();
        assertThat(Faults.offsets(b.inbox().of(CAROL))).containsExactly(0L, 1L, 2L, 3L);
        b.inbox().take().forEach(b::ack);
        b.dispatcher().tick();
        assertThat(log.committed()).isEqualTo(4);
    }

    /** A restart took all that it had handed out for done, and told the brokers so. */
    @Test
    default void fault_09_recovery_that_counts_as_acknowledgement() {
        Log log = new Log();
        log.publish(2);
        Queue queue = new Queue(kit().time().clock());
        queue.publish(2);
        Node a = node("A");
        Node b = node("B");
        a.subscribe(ALICE, ORDERS, BILLING);
        a.subscribe(ALICE, SIGNALS, BILLING);
        a.dispatcher().serve(ORDERS_0, log);
        a.dispatcher().serve(SIGNALS_0, queue);
        a.dispatcher().tick();
        List<HandOut> before = a.inbox().take();
        assertThat(before).hasSize(4);

        a.instance().crash();
        b.subscribe(ALICE, ORDERS, BILLING);
        b.subscribe(ALICE, SIGNALS, BILLING);
        b.dispatcher().takeOver(ORDERS_0, log);
        b.dispatcher().takeOver(SIGNALS_0, queue);
        b.dispatcher().tick();

        assertThat(log.committed()).isZero();
        assertThat(queue.acknowledged()).isEmpty();
        assertThat(b.position(ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(0));
        // the receipts are as good as before, and what nobody acks is delivered again
        HandOut first = before.stream()
                .filter(handOut -> handOut.delivery().id().partition().equals(ORDERS_0))
                .findFirst()
                .orElseThrow();
        assertThat(b.ack(first)).isInstanceOf(AckResult.Acked.class);
        letHandOutsEnd();
        b.dispatcher().tick();
        b.dispatcher().tick();
        assertThat(b.inbox().all())
                .extracting(handOut -> handOut.delivery().id())
                .containsExactlyInAnyOrderElementsOf(before.stream()
                        .filter(handOut -> !handOut.equals(first))
                        .map(handOut -> handOut.delivery().id())
                        .toList());
        assertThat(log.committed()).isOne();
        assertThat(queue.acknowledged()).isEmpty();
    }
}
