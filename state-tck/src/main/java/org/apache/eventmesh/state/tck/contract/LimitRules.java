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
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** G09: what is too large is refused before anything is written, and the message says how much too large. */
public interface LimitRules extends Rules {
    private Instance limited() {
        return kit().open(
                        "A",
                        settings -> settings.limits(StoreLimits.DEFAULT
                                .withPayloadBytes(1_000)
                                .withBatch(5)
                                .withOpenDeliveries(4)));
    }

    private static void assertExceeded(Object answer, long limit, long actual) {
        assertThat(answer)
                .isInstanceOfSatisfying(
                        LimitExceededException.class,
                        failure -> assertThat(
                                        String.valueOf(failure.getMessage()).replaceAll("[,_' ](?=\\d{3})", ""))
                                .contains(Long.toString(limit))
                                .contains(Long.toString(actual)));
    }

    @Test
    default void required_G09_a_payload_over_the_limit_is_refused_alone_and_at_the_limit_accepted() {
        Instance a = limited();
        Shard shard = a.shard(ORDERS_0);
        List<Incoming> messages = List.of(
                Incoming.of(0, Bytes.of(new byte[1_000]), Attributes.NONE).to(BILLING, ALICE),
                Incoming.of(1, Bytes.of(new byte[1_001]), Attributes.NONE).to(BILLING, ALICE));

        List<Object> answers = Operation.answers(shard.open(OpenBatch.unordered(messages, Examples.HAND_OUT)));

        assertThat(answers).hasSize(2);
        assertThat(answers.get(0))
                .isInstanceOfSatisfying(
                        OpenResult.Opened.class,
                        opened -> assertThat(opened.delivery().payload()).isEqualTo(Bytes.of(new byte[1_000])));
        assertExceeded(answers.get(1), 1_000, 1_001);
        assertThat(shard.view().all().open()).isOne();
    }

    @Test
    default void required_G09_attributes_count_as_payload() {
        Shard shard = limited().shard(ORDERS_0);
        Incoming message = Incoming.of(0, Bytes.EMPTY, Attributes.of("trace", "x".repeat(2_000)))
                .to(BILLING, ALICE);

        List<Object> answers = Operation.answers(shard.open(OpenBatch.unordered(List.of(message), Examples.HAND_OUT)));

        assertThat(answers).singleElement().isInstanceOf(LimitExceededException.class);
        assertThat(shard.view().all().open()).isZero();
    }

    @Test
    default void required_G09_a_range_stops_at_the_message_that_is_too_large() {
        Instance a = limited();
        Shard shard = a.shard(ORDERS_0);
        List<Incoming> messages = List.of(
                Examples.message(0).to(BILLING, ALICE),
                Incoming.of(1, Bytes.of(new byte[1_001]), Attributes.NONE).to(BILLING, ALICE),
                Examples.message(2).to(BILLING, ALICE));

        var report = get(
                shard.open(OpenBatch.range(Examples.GENERATION, 0, 3, Set.of(BILLING), messages, Examples.HAND_OUT)));

        assertThat(report.handOuts().map(given -> given.delivery().offset())).containsExactly(0L);
        assertThat(report.readNext()).hasValue(1);
        assertThat(shard.view().readNext()).hasValue(1);
    }

    @Test
    default void required_G09_a_batch_over_the_limit_is_refused_whole() {
        Shard shard = limited().shard(ORDERS_0);
        List<Ack> acks = LongStream.rangeClosed(1, 6)
                .mapToObj(number -> new DeliveryId(ORDERS_0, shard.token().incarnation(), number))
                .map(id -> Ack.of(new Receipt(id, 1), ALICE.client()))
                .toList();

        List<Object> answers = Operation.answers(shard.ackAll(acks));

        assertThat(answers).isNotEmpty().allSatisfy(answer -> assertExceeded(answer, 5, 6));
    }

    @Test
    default void required_G09_the_inputs_and_outputs_of_tasks_have_a_limit() {
        Instance a = limited();
        Shard shard = a.shard(ORDERS_0);
        NewTask good = task("t-1", 1_000);

        assertThat(Operation.answers(a.stores().tasks().create(shard, task("t-2", 1_001), carrier())))
                .singleElement()
                .satisfies(answer -> assertExceeded(answer, 1_000, 1_001));
        assertThat(get(a.stores().tasks().find(new TaskId("t-2")))).isEmpty();
        get(a.stores().tasks().create(shard, good, carrier()));
        Task asRead = get(a.stores().tasks().find(new TaskId("t-1"))).orElseThrow();
        var owned =
                get(a.stores().tasks().claim(a.member(), asRead.id())).claimed().orElseThrow();
        assertThat(Operation.answers(
                        owned.move(asRead, TaskChange.to(TaskState.WORKING).output(Bytes.of(new byte[1_001])))))
                .singleElement()
                .satisfies(answer -> assertExceeded(answer, 1_000, 1_001));
        assertThat(get(a.stores().tasks().find(asRead.id()))).hasValue(asRead);
    }

    @Test
    default void required_G09_broker_handles_have_a_limit() {
        Shard shard = open("A").shard(ORDERS_0);
        List<Incoming> messages = List.of(
                Examples.message(0).to(BILLING, ALICE).brokerHandle(Bytes.of(new byte[64 << 10]), Duration.ofHours(1)),
                Examples.message(1)
                        .to(BILLING, ALICE)
                        .brokerHandle(Bytes.of(new byte[(64 << 10) + 1]), Duration.ofHours(1)));

        List<Object> answers = Operation.answers(shard.open(OpenBatch.unordered(messages, Examples.HAND_OUT)));

        assertThat(answers).hasSize(2);
        assertThat(answers.get(0)).isInstanceOf(OpenResult.Opened.class);
        assertExceeded(answers.get(1), 64 << 10, (64 << 10) + 1);
        assertThat(shard.view().all().open()).isOne();
    }

    @Test
    default void required_G09_notes_and_reasons_of_tasks_have_a_limit() {
        Instance a = open("A");
        get(a.stores().tasks().create(a.shard(ORDERS_0), task("t-1", 1), carrier()));
        Task asRead = get(a.stores().tasks().find(new TaskId("t-1"))).orElseThrow();
        var owned =
                get(a.stores().tasks().claim(a.member(), asRead.id())).claimed().orElseThrow();
        // two bytes each
        String longest = "\u00e9".repeat(2048);

        assertThat(Operation.answers(
                        owned.move(asRead, TaskChange.to(TaskState.WORKING).note(longest + "x"))))
                .singleElement()
                .satisfies(answer -> assertExceeded(answer, 4096, 4097));
        assertThat(Operation.answers(a.stores().tasks().cancel(asRead.id(), asRead.version(), longest + "x")))
                .singleElement()
                .satisfies(answer -> assertExceeded(answer, 4096, 4097));
        assertThat(get(a.stores().tasks().find(asRead.id()))).hasValue(asRead);

        get(a.stores().tasks().cancel(asRead.id(), asRead.version(), longest));
        assertThat(get(a.stores().tasks().find(asRead.id())).orElseThrow().history())
                .anySatisfy(step -> assertThat(step.note()).isEqualTo(longest));
    }

    @ParameterizedTest(name = "ordered: {0}")
    @ValueSource(booleans = {false, true})
    default void required_G09_L01_what_is_opened_can_be_given_up_and_what_could_not_is_not_opened(boolean ordered) {
        Instance a = kit().open("A", settings -> settings.limits(StoreLimits.DEFAULT.withPayloadBytes(64 << 20)));
        Shard shard = a.shard(ORDERS_0);
        int largest = a.sharedFaults().limits().maxBytes();

        boolean refused = false;
        boolean given = false;
        for (int eighths = 8; eighths > 0 && !given; eighths--) {
            Incoming large = large(0, largest / 8 * eighths);
            OpenBatch batch = ordered
                    ? OpenBatch.range(Examples.GENERATION, 0, 1, Set.of(BILLING), List.of(large), Examples.HAND_OUT)
                    : OpenBatch.unordered(List.of(large), Examples.HAND_OUT);
            OpenReport report = get(shard.open(batch));
            given = report.handOuts().findAny().isPresent();
            if (given) {
                Receipt receipt = report.handOuts().findAny().orElseThrow().receipt();
                assertThat(Operation.answers(shard.deadLetter(receipt, "broken")))
                        .as("%d eighths of %d bytes", eighths, largest)
                        .singleElement()
                        .isInstanceOf(NackResult.DeadLettered.class);
            } else {
                refused = true;
                assertThat(report.deliveries())
                        .singleElement()
                        .isInstanceOfSatisfying(
                                Outcome.Failed.class,
                                failed -> assertThat(failed.failure()).isInstanceOf(LimitExceededException.class));
            }
            assertThat(shard.view().all().open()).isZero();
        }

        assertThat(refused).as("a message as large as a commit").isTrue();
        assertThat(given).isTrue();
    }

    /** Half of it is payload, the other half attributes. */
    private static Incoming large(long offset, int bytes) {
        return Incoming.of(
                        offset,
                        Bytes.of(new byte[bytes / 2]),
                        Attributes.of("trace", "x".repeat(bytes / 2 - "trace".length())))
                .to(BILLING, ALICE);
    }

    private static NewTask task(String id, int size) {
        return new NewTask(
                new TaskId(id),
                new AgentId("agent"),
                Optional.empty(),
                Optional.empty(),
                Bytes.of(new byte[size]),
                Attributes.NONE);
    }

    private static Carrier carrier() {
        return new Carrier(BILLING, Optional.empty(), Examples.HAND_OUT);
    }

    @Test
    default void required_G09_a_full_index_refuses_clearly_and_takes_more_after_a_settlement() {
        Instance a = limited();
        Shard shard = a.shard(ORDERS_0);
        var first = get(shard.open(Examples.range(0, 4, BILLING, ALICE)));

        List<Object> tooMany = Operation.answers(shard.open(Examples.range(4, 5, BILLING, ALICE)));
        assertThat(tooMany.get(0))
                .isInstanceOfSatisfying(
                        OverloadedException.class,
                        failure -> assertThat(failure.getMessage()).contains("4"));
        get(shard.ack(Ack.of(first.handOuts().findFirst().orElseThrow().receipt(), ALICE.client())));

        var second = get(shard.open(Examples.range(4, 5, BILLING, ALICE)));
        assertThat(second.handOuts().map(given -> given.delivery().offset())).containsExactly(4L);
    }
}
