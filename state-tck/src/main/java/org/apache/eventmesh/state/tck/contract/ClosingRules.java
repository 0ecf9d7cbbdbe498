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
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** G10: closing, twice, in the middle of calls, and over a backend that does not answer. */
public interface ClosingRules extends Rules {
    @Test
    default void required_G10_every_operation_after_close_is_an_exception() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);

        a.close();
        a.close();

        SoftAssertions soft = new SoftAssertions();
        Operation.all()
                .forEach(operation -> soft.assertThat(answersOrThrown(operation, scene))
                        .as(operation.name())
                        .isNotEmpty()
                        .allSatisfy(answer -> assertThat(answer).isInstanceOf(StoreClosedException.class)));
        soft.assertAll();
    }

    private static List<Object> answersOrThrown(Operation operation, Scene scene) {
        try {
            return Operation.answers(operation.on(scene));
        } catch (StateStoreException thrown) {
            return List.of(thrown);
        }
    }

    @Test
    default void required_G10_closing_one_store_set_leaves_its_peers_alone() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", b);

        a.close();

        assertThat(Operation.answers(scene.shard.ack(scene.ack(0)))).noneMatch(Throwable.class::isInstance);
        assertThat(get(b.stores().offsets().position(scene.partition, scene.reader)))
                .isEqualTo(OptionalLong.of(1));
    }

    @Test
    default void required_G10_calls_under_way_finish_or_fail_with_store_closed() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<List<CompletionStage<?>>> calls = CompletableFuture.supplyAsync(() -> {
            List<CompletionStage<?>> stages = new ArrayList<>();
            for (int n = 0; n < 2_000; n++) {
                stages.add(a.stores().offsets().position(scene.partition, scene.reader));
                stages.add(Operation.named("agent.heartbeat").on(scene));
                stages.add(scene.shard.ack(scene.ack(0)));
                if (n == 100) {
                    begun.complete(null);
                }
            }
            return stages;
        });

        get(begun);
        a.close();

        for (CompletionStage<?> stage : get(calls)) {
            assertThat(Operation.answers(stage)).allSatisfy(answer -> {
                if (answer instanceof Throwable) {
                    assertThat(answer).isInstanceOf(StoreClosedException.class);
                }
            });
        }
    }

    @Test
    default void required_G10_a_stuck_backend_does_not_hold_close_beyond_its_deadline() {
        Instance a = kit().open("A", settings -> settings.deadline(Duration.ofSeconds(2)));
        Scene scene = new Scene("s", a);
        a.pause();
        CompletionStage<?> ack = scene.shard.ack(scene.ack(0));
        CompletionStage<?> read = a.stores().offsets().position(ORDERS_0, BILLING);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(a::close);
        eventually(() -> {
            kit().time().pass(DEADLINE.dividedBy(10));
            assertThat(closing).isCompleted();
        });
        assertThat(Operation.answers(ack))
                .singleElement()
                .isInstanceOfAny(
                        StoreClosedException.class, OutcomeUnknownException.class, StoreUnavailableException.class);
        assertThat(Operation.answers(read))
                .singleElement()
                .isInstanceOfAny(StoreClosedException.class, StoreUnavailableException.class);
    }

    @Test
    default void required_G10_a_member_of_a_closed_set_has_given_its_claims_back() {
        Instance a = open("A");
        Instance b = open("B");
        b.member();
        a.shard(ORDERS_0);

        a.close();

        assertThat(b.shard(ORDERS_0).token().holder()).isEqualTo(b.member().holder());
    }
}
