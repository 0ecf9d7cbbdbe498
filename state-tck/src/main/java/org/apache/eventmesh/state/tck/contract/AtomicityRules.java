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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.assertj.core.api.Assertions.assertThat;

/** X01: what spans stores is one commit, so a failure or a crash at any of its commits leaves no half. */
public interface AtomicityRules extends Rules {
    String WRITES = "org.apache.eventmesh.state.tck.contract.Operation#repeatable";

    /** More than any operation here makes. */
    int COMMITS = 3;

    @ParameterizedTest(name = "{0}")
    @MethodSource(WRITES)
    @OneBackend
    default void required_X01_a_failed_commit_leaves_no_half(String operation) {
        Instance a = open("A");
        for (int commit = 1; commit <= COMMITS; commit++) {
            Scene scene = new Scene("failed-" + commit, a);
            a.faults().fail(Which.nth(commit));

            Operation.answers(Operation.named(operation).on(scene));
            a.faults().disarm();

            Invariants.check(scene, a.stores());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(WRITES)
    @OneBackend
    default void required_X01_a_crash_before_or_after_a_commit_leaves_no_half(String operation) {
        Instance b = open("B");
        for (int commit = 1; commit <= COMMITS; commit++) {
            for (boolean applied : new boolean[] {false, true}) {
                String name = (applied ? "after-" : "before-") + commit;
                Instance a = open("A");
                Scene scene = new Scene(name, a);
                Map<String, Object> untouched = Digest.of(scene, b.stores());
                a.dieAtCommit(commit, applied);

                CompletableFuture<?> stage =
                        Operation.named(operation).on(scene).toCompletableFuture();
                eventually(() -> assertThat(stage.isDone() || a.isDead()).isTrue());
                a.crash();

                Invariants.check(scene, b.stores());
                if (commit == 1 && !applied) {
                    assertThat(Digest.of(scene, b.stores())).as(name).isEqualTo(untouched);
                }
                Shard shard = get(b.stores().deliveries().takeOver(b.member(), scene.partition));
                Invariants.check(scene, b.stores(), shard);
            }
        }
    }

    @Test
    default void required_X01_an_ack_retires_moves_and_counts_down_at_once() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);

        get(scene.shard.ack(scene.ack(0)));

        StateStores peer = open("B").stores();
        assertThat(get(peer.deliveries().find(scene.held.get(0).delivery().id())))
                .isEmpty();
        assertThat(get(peer.offsets().position(scene.partition, scene.reader))).isEqualTo(OptionalLong.of(1));
        assertThat(scene.shard.view().all().open()).isEqualTo(Scene.HELD - 1 + 3 + 1);
    }

    @Test
    default void required_X01_a_replay_ends_the_record_and_opens_the_delivery_at_once() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);

        get(a.stores().deadLetters().replay(scene.letter, RequestKey.of("k")));

        StateStores peer = open("B").stores();
        assertThat(get(peer.deadLetters().find(scene.letter.id()))).isEmpty();
        assertThat(get(peer.deliveries()
                                .list(DeliveryFilter.of(scene.partition).of(scene.reader), PageRequest.first(100)))
                        .items())
                .filteredOn(found -> found.offset() == scene.letter.id().offset())
                .singleElement()
                .satisfies(found -> assertThat(found.payload()).isEqualTo(scene.letter.payload()))
                .satisfies(found -> assertThat(found.id()).isNotEqualTo(scene.letter.delivery()));
        assertThat(get(peer.offsets().position(scene.partition, scene.reader)))
                .as("a replay is outside positions")
                .isEqualTo(OptionalLong.of(0));
    }

    @Test
    @OneBackend
    default void required_X01_the_ack_of_a_task_moves_the_task_in_the_same_commit() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        HandOut carrier = get(scene.shard.handOut(
                        10,
                        HAND_OUT,
                        due -> due.task().isPresent() ? Optional.of(scene.client.receiver()) : Optional.empty()))
                .handOuts()
                .get(0);
        long before = a.commits();

        get(scene.shard.ack(Ack.of(carrier.receipt(), scene.client.token().scope())));

        assertThat(a.commits() - before).isOne();
        Task moved = get(a.stores().tasks().find(scene.task.id())).orElseThrow();
        assertThat(moved.state()).isEqualTo(TaskState.WORKING);
        assertThat(moved.version()).isGreaterThan(scene.task.version());
        List<Delivery> open = get(a.stores()
                        .deliveries()
                        .list(DeliveryFilter.of(scene.partition).of(scene.queue), PageRequest.first(10)))
                .items();
        assertThat(open).isEmpty();
    }

    @Test
    default void required_X01_one_ack_is_one_commit() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        long before = a.commits();

        get(scene.shard.ack(scene.ack(0)));

        assertThat(a.commits() - before).isOne();
    }
}
