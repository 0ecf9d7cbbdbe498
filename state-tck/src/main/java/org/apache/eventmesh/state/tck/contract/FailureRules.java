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
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.deadletter.ReplayResult;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** G04 and G07: decisions are values, failures are exceptions, and a failed read is one of them. */
public interface FailureRules extends Rules {
    /** What tells a reader what to do next. */
    String ADVICE =
            "(?is).*\\b(again|retry|use|wait|check|open|close|raise|split|smaller|free|discard|restore|upgrade)\\b.*";

    @Test
    default void required_G04_a_failure_says_what_was_asked_of_which_backend_what_happened_and_what_to_do() {
        Instance a = open("A");
        Scene scene = new Scene("the-scene", a);
        a.cutOff();

        SoftAssertions soft = new SoftAssertions();
        Map<String, String> asked = new TreeMap<>();
        Operation.all().forEach(operation -> {
            List<Object> answers = Operation.answers(operation.on(scene));
            soft.assertThat(answers).as(operation.name()).isNotEmpty().allSatisfy(answer -> {
                assertThat(answer).isInstanceOf(StateStoreException.class);
                String message = ((StateStoreException) answer).getMessage();
                assertThat(message).containsAnyOf(kit().uris()).matches(ADVICE);
                asked.merge(message, operation.name(), (one, other) -> one + " and " + other);
            });
        });
        soft.assertAll();
        // one text for all of them says of none what was asked
        assertThat(asked).hasSizeGreaterThan((int) Operation.all().count() / 2);
    }

    @Test
    default void required_G04_unavailable_is_certainly_not_applied_and_unknown_is_not() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.faults().fail(Which.next());

        List<Object> refused = Operation.answers(scene.shard.ack(scene.ack(0)));
        Hold answer = a.faults().loseAnswer(Which.next());
        CompletionStage<?> lost = scene.shard.ack(scene.ack(0));
        // until it has left, its deadline finds it certainly not applied
        eventually(() -> assertThat(answer.size()).isOne());
        kit().passDeadline();
        List<Object> unknown = Operation.answers(lost);
        answer.release();

        assertThat(refused)
                .singleElement()
                .isInstanceOfSatisfying(
                        StoreUnavailableException.class,
                        failure -> assertThat(failure.certainlyNotApplied()).isTrue());
        assertThat(unknown)
                .singleElement()
                .isInstanceOfSatisfying(
                        OutcomeUnknownException.class,
                        failure -> assertThat(failure.certainlyNotApplied()).isFalse());
    }

    @Test
    default void required_G04_what_is_not_found_is_a_value_in_every_store() {
        Scene scene = new Scene("s", open("A"));
        StateStores stores = scene.stores();
        HandOut known = scene.held.get(0);
        DeliveryId neverOpened = new DeliveryId(
                scene.partition,
                known.delivery().id().incarnation(),
                known.delivery().id().number() + 1_000_000);
        Receipt receipt = new Receipt(neverOpened, 1);
        ClientId client = scene.client.token().scope();
        get(stores.deadLetters().purge(scene.letter));

        SoftAssertions soft = new SoftAssertions();
        soft.assertThat(get(stores.offsets().position(Examples.ORDERS_1, BILLING)))
                .isEqualTo(OptionalLong.empty());
        soft.assertThat(get(stores.offsets().remove(scene.shard, BILLING))).isEqualTo(new RemoveResult.Removed(false));
        soft.assertThat(get(stores.ownership().owner(Examples.ORDERS_1))).isEmpty();
        soft.assertThat(get(stores.deliveries().find(neverOpened))).isEmpty();
        soft.assertThat(get(scene.shard.ack(Ack.of(receipt, client)))).isEqualTo(new Refused.Unknown());
        soft.assertThat(get(scene.shard.nack(new Nack(receipt, client, "no"), Retry.immediately(3))))
                .isEqualTo(new Refused.Unknown());
        soft.assertThat(get(scene.shard.deadLetter(receipt, "no"))).isEqualTo(new Refused.Unknown());
        soft.assertThat(get(scene.shard.discard(neverOpened))).isEqualTo(new DiscardResult.NotOpen());
        soft.assertThat(get(scene.client.unregister("no such topic"))).isEqualTo(new RegisterResult.Done(false));
        soft.assertThat(get(stores.sessions().find(new AgentId("nobody")))).isEmpty();
        soft.assertThat(get(stores.sessions().find(new SessionId("none")))).isEmpty();
        soft.assertThat(get(stores.sessions().keepAlive(new SessionId("none")))).isEmpty();
        soft.assertThat(get(stores.sessions().boundTo(new SessionId("none")))).isEmpty();
        soft.assertThat(get(stores.deadLetters().find(scene.letter.id()))).isEmpty();
        soft.assertThat(get(stores.deadLetters().purge(scene.letter))).isEqualTo(new PurgeResult.Gone());
        soft.assertThat(get(stores.deadLetters().replay(scene.letter, RequestKey.of("k"))))
                .isEqualTo(new ReplayResult.Gone());
        soft.assertThat(get(stores.deadLetters().count(DeadLetterFilter.all()))).isZero();
        soft.assertThat(get(stores.tasks().find(new TaskId("none")))).isEmpty();
        soft.assertThat(get(stores.tasks().cancel(new TaskId("none"), 1, "no")))
                .isEqualTo(new TransitionResult.NotFound());
        soft.assertAll();
    }

    @Test
    default void required_G07_a_failed_read_is_an_exception_and_never_absence() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.faults().failReads(Which.every());

        SoftAssertions soft = new SoftAssertions();
        Operation.reads()
                .forEach(read -> soft.assertThat(Operation.answers(read.on(scene)))
                        .as(read.name())
                        .singleElement()
                        .isInstanceOf(StoreUnavailableException.class));
        soft.assertAll();
        a.faults().disarm();
        Operation.reads()
                .forEach(read -> soft.assertThat(Operation.answers(read.on(scene)))
                        .as("%s after healing", read)
                        .singleElement()
                        .isNotInstanceOf(Throwable.class));
        soft.assertAll();
    }

    @Test
    default void required_G07_a_write_that_must_read_first_fails_when_the_read_does() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        // one that has not seen the task before
        Instance b = open("B");
        b.faults().failReads(Which.every());

        List<Object> answers =
                Operation.answers(b.stores().tasks().cancel(scene.task.id(), scene.task.version(), "no need any more"));

        assertThat(answers).singleElement().isInstanceOf(StoreUnavailableException.class);
        b.faults().disarm();
        assertThat(get(a.stores().tasks().find(scene.task.id()))).hasValue(scene.task);
    }
}
