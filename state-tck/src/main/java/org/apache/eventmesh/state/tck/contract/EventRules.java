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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Events;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** X03: what the listener of a store set hears, so that metrics can be made from it. */
public interface EventRules extends Rules {
    @Test
    default void required_X03_a_failure_is_an_event_of_its_store() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.faults().fail(Which.next());

        Operation.answers(scene.shard.ack(scene.ack(0)));

        eventually(() -> assertThat(a.events().of(Events.Failed.class))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.store()).isEqualTo(StoreName.DELIVERIES);
                    assertThat(event.operation()).contains("ack");
                    assertThat(event.failure()).isInstanceOf(StoreUnavailableException.class);
                }));
    }

    @Test
    default void required_X03_a_decision_is_no_failure() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);

        Operation.answers(scene.shard.ack(scene.ack(0)));
        Operation.answers(scene.shard.ack(scene.ack(0)));
        Operation.answers(a.stores().tasks().find(new TaskId("none")));

        assertThat(a.events().of(Events.Failed.class)).isEmpty();
    }

    /** It meets two: the first may just show that it rested on something old, which is nobody's conflict. */
    @Test
    default void required_X03_a_write_that_met_another_is_an_event() {
        Instance a = open("A");
        Instance b = open("B");
        Scene scene = new Scene("s", a);
        Hold first = a.faults().hold(Which.next());
        CompletionStage<?> bind = Operation.named("sessions.bind").on(scene);
        eventually(() -> assertThat(first.size()).isOne());
        get(b.stores().sessions().bind(scene.agentAsRead, new SessionId("other")));
        Hold second = a.faults().hold(Which.next());
        first.release();
        eventually(() -> assertThat(second.size()).isOne());
        get(b.stores().sessions().bind(scene.agentAsRead, new SessionId("another")));

        second.release();

        assertThat(Operation.answers(bind)).noneMatch(Throwable.class::isInstance);
        eventually(() -> assertThat(a.events().of(Events.Conflicting.class)).anySatisfy(event -> {
            assertThat(event.store()).isEqualTo(StoreName.SESSIONS);
            assertThat(event.key()).contains("s-agent");
        }));
    }

    @Test
    default void required_X03_a_join_that_failed_is_an_event_of_no_store() {
        Instance a = open("A");
        new Scene("s", a);
        a.faults().fail(Which.next());

        assertThat(Operation.answers(a.stores().join("A2", Scene.AGENT_LEASE)))
                .singleElement()
                .isInstanceOf(StateStoreException.class);

        eventually(() -> assertThat(a.events().of(Events.Failed.class)).anySatisfy(event -> {
            assertThat(event.store()).isEqualTo(StoreName.OWNERSHIP);
            assertThat(event.operation()).contains("join");
        }));
    }

    @Test
    default void required_X03_an_operation_that_takes_a_tenth_of_its_deadline_is_an_event() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.pause();
        CompletionStage<?> ack = scene.shard.ack(scene.ack(0));
        kit().time().pass(DEADLINE.dividedBy(5));
        a.resume();

        Operation.answers(ack);

        eventually(() -> assertThat(a.events().of(Events.Slow.class)).anySatisfy(event -> {
            assertThat(event.store()).isEqualTo(StoreName.DELIVERIES);
            assertThat(event.operation()).contains("ack");
            assertThat(event.took()).isBetween(DEADLINE.dividedBy(5), DEADLINE);
        }));
    }

    @Test
    default void required_X03_an_unknown_fate_is_an_event() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Hold answer = a.faults().loseAnswer(Which.next());

        CompletionStage<?> ack = scene.shard.ack(scene.ack(0));
        // until it has left, its deadline finds it certainly not applied
        eventually(() -> assertThat(answer.size()).isOne());
        kit().passDeadline();
        Operation.answers(ack);
        answer.release();

        eventually(() -> assertThat(a.events().of(Events.UnknownFate.class)).isNotEmpty());
    }

    @Test
    default void required_G02_a_store_listener_that_blocks_for_ever_holds_up_no_stage() {
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger blocked = new AtomicInteger();
        Instance a = kit().open(
                        "A",
                        settings -> settings.listener(new StoreListener() {
                            @Override
                            public void failed(StoreName store, String operation, StateStoreException failure) {
                                blocked.incrementAndGet();
                                get(gate);
                            }
                        }));
        Scene scene = new Scene("s", a);
        try {
            // more than any pool that is as large as the machine
            for (int n = 0; n < Runtime.getRuntime().availableProcessors() + 2; n++) {
                a.faults().fail(Which.next());
                assertThat(Operation.answers(scene.shard.ack(scene.ack(0))))
                        .singleElement()
                        .isInstanceOf(StoreUnavailableException.class);
            }
            eventually(() -> assertThat(blocked).hasPositiveValue());

            assertThat(Operation.answers(scene.shard.ack(scene.ack(0)))).noneMatch(Throwable.class::isInstance);
        } finally {
            gate.complete(null);
        }
    }

    @Test
    default void required_X03_a_listener_that_throws_harms_no_operation() {
        Instance a = kit().open(
                        "A",
                        settings -> settings.listener(new StoreListener() {
                            @Override
                            public void failed(StoreName store, String operation, StateStoreException failure) {
                                throw new IllegalStateException("thrown by the listener of the store set, on purpose");
                            }
                        }));
        Scene scene = new Scene("s", a);
        a.faults().fail(Which.next());

        assertThat(Operation.answers(scene.shard.ack(scene.ack(0))))
                .singleElement()
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(Operation.answers(scene.shard.ack(scene.ack(0)))).noneMatch(Throwable.class::isInstance);
    }
}
