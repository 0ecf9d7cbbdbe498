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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** G14: each element of a batch has an answer of its own, in order, and a batch is not a loop. */
public interface BatchRules extends Rules {
    @Test
    default void required_G14_each_ack_of_a_batch_has_its_own_answer_in_order() {
        Shard shard = open("A").shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(Examples.range(0, 3, BILLING, ALICE))).handOuts().toList();
        ClientId alice = ALICE.client();
        Ack first = Ack.of(given.get(0).receipt(), alice);

        List<Object> answers = Operation.answers(shard.ackAll(List.of(
                Ack.of(unknown(shard), alice),
                first,
                Ack.of(given.get(1).receipt(), BOB.client()),
                first,
                new Ack(given.get(0).receipt(), alice, RequestKey.of("another")),
                Ack.of(given.get(2).receipt(), alice))));

        assertThat(answers).hasSize(6);
        assertThat(answers.get(0)).isEqualTo(new Refused.Unknown());
        assertThat(answers.get(1)).isInstanceOf(AckResult.Acked.class);
        assertThat(answers.get(2)).isEqualTo(new Refused.WrongReceiver(alice));
        assertThat(answers.get(3)).isEqualTo(new AckResult.Duplicate((AckResult.Acked) answers.get(1)));
        assertThat(answers.get(4)).isEqualTo(new Refused.Settled(Refused.How.ACKED));
        assertThat(answers.get(5)).isInstanceOf(AckResult.Acked.class);
        assertThat(shard.view().all().open()).isOne();
    }

    private static Receipt unknown(Shard shard) {
        return new Receipt(new DeliveryId(ORDERS_0, shard.token().incarnation(), Long.MAX_VALUE), 1);
    }

    @Test
    default void required_G14_each_nack_of_a_batch_has_its_own_answer_in_order() {
        Shard shard = open("A").shard(ORDERS_0);
        List<HandOut> given =
                get(shard.open(Examples.range(0, 2, BILLING, ALICE))).handOuts().toList();
        get(shard.ack(Ack.of(given.get(1).receipt(), ALICE.client())));

        List<Object> answers = Operation.answers(shard.nackAll(
                Stream.of(given.get(0).receipt(), given.get(1).receipt(), unknown(shard))
                        .map(receipt -> new Nack(receipt, ALICE.client(), "no"))
                        .toList(),
                Retry.immediately(2)));

        assertThat(answers).hasSize(3);
        assertThat(answers.get(0))
                .isInstanceOfSatisfying(
                        NackResult.Rescheduled.class,
                        again -> assertThat(again.failures()).isOne());
        assertThat(answers.get(1)).isEqualTo(new Refused.Settled(Refused.How.ACKED));
        assertThat(answers.get(2)).isEqualTo(new Refused.Unknown());
    }

    @Test
    default void required_G14_many_elements_take_few_commits() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        int many = 400;
        long before = a.commits();

        List<HandOut> given = get(shard.open(Examples.range(0, many, BILLING, ALICE)))
                .handOuts()
                .toList();
        long opening = a.commits() - before;
        List<Object> acked = Operation.answers(shard.ackAll(given.stream()
                .map(handOut -> Ack.of(handOut.receipt(), ALICE.client()))
                .toList()));
        long acking = a.commits() - before - opening;

        assertThat(acked).hasSize(many).hasOnlyElementsOfType(AckResult.Acked.class);
        // an opening and an ack take a handful of operations each
        int each = 8;
        int needed = 1 + many * each / a.faults().limits().maxOperations();
        assertThat(opening).as("commits to open %d", many).isLessThanOrEqualTo(needed + 3);
        assertThat(acking).as("commits to ack %d", many).isLessThanOrEqualTo(needed + 1);
    }

    @Test
    default void required_G14_each_subscriber_of_an_advance_has_its_own_answer() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(Examples.range(3, 4, BILLING, ALICE)));
        Map<Subscriber, Long> to = new LinkedHashMap<>();
        to.put(BILLING, 10L);
        IntStream.range(0, 50).forEach(n -> to.put(Subscriber.group("g" + n), 10L));

        Map<Subscriber, Outcome<AdvanceResult>> answers =
                get(a.stores().offsets().advance(shard, to));

        assertThat(answers).hasSize(51);
        assertThat(Operation.answer(answers, BILLING)).isEqualTo(new AdvanceResult.HeldBack(3));
        answers.forEach((subscriber, answer) -> assertThat(answer.orThrow())
                .as(subscriber.toString())
                .isInstanceOf(
                        subscriber.equals(BILLING) ? AdvanceResult.HeldBack.class : AdvanceResult.Advanced.class));
    }

    @Test
    default void required_G14_each_task_of_a_creation_has_its_own_answer() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);

        List<Object> answers = Operation.answers(a.stores()
                .tasks()
                .createAll(
                        scene.shard,
                        List.of(scene.newTask("new-1"), scene.newTask("task"), scene.newTask("new-2")),
                        scene.carrier()));

        assertThat(answers).hasSize(3);
        assertThat(answers.get(0)).isInstanceOf(CreateResult.Created.class);
        assertThat(answers.get(1)).isEqualTo(new CreateResult.Existing(scene.task));
        assertThat(answers.get(2)).isInstanceOf(CreateResult.Created.class);
    }

    @Test
    default void required_G14_a_batch_fails_element_by_element_while_the_store_is_open() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.cutOff();

        for (String batch :
                List.of("shard.open", "shard.ackAll", "shard.nackAll", "offsets.advance", "tasks.createAll")) {
            assertThat(Operation.named(batch).on(scene)).as(batch).succeedsWithin(Stages.PATIENCE);
            assertThat(Operation.answers(Operation.named(batch).on(scene)))
                    .as(batch)
                    .isNotEmpty()
                    .hasOnlyElementsOfType(StoreUnavailableException.class);
        }
    }
}
