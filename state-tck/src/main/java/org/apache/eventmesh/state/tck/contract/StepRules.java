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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.kit.AcrossBackends;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

/** X02, of steps: whatever the step at which an owner dies, its successor finds nothing half done, on its host or another. */
public interface StepRules extends Rules {
    String TRANSITIONS = "org.apache.eventmesh.state.tck.contract.StepRules#transitions";

    /** More than any transition makes. */
    int COMMITS = 7;

    /** Every write of a shard that reaches the shared backend, and the ack of a delivery that carries a task. */
    static Stream<String> transitions() {
        return Stream.concat(
                Operation.repeatable()
                        .filter(name -> name.startsWith("shard.")
                                || name.startsWith("offsets.")
                                || name.startsWith("tasks.create")
                                || name.startsWith("deadLetters.replay")),
                Stream.of("ack of a task"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(TRANSITIONS)
    @AcrossBackends
    default void required_X02_an_owner_that_dies_at_a_step_leaves_nothing_half_done_on_its_host(String transition) {
        Instance b = open("B");
        dying(transition, scene -> {
            Shard shard = get(b.stores().deliveries().takeOver(b.member(), scene.partition));
            Invariants.check(scene, b.stores(), shard);
            everyTaskHasOneDelivery(scene, b.stores());
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(TRANSITIONS)
    @AcrossBackends
    default void required_X02_an_owner_that_dies_at_a_step_leaves_nothing_half_done_when_its_host_is_lost(
            String transition) {
        Instance b = kit().open("B", 1);
        dying(transition, scene -> {
            Shard shard = get(b.stores().deliveries().takeOver(b.member(), scene.partition));
            everyTaskHasOneDelivery(scene, b.stores());
            shard.view().readNext().ifPresent(from -> readAgain(scene, shard, from));
            noneIsOpenAndDead(scene, b.stores());
            nothingIsSkipped(scene, b.stores());
        });
    }

    /** At each commit of the transition, before it and after it. */
    private void dying(String transition, Consumer<Scene> check) {
        boolean died = true;
        for (int commit = 1; commit <= COMMITS && died; commit++) {
            for (boolean applied : new boolean[] {false, true}) {
                Instance a = open("A");
                Scene scene = new Scene((applied ? "after-" : "before-") + commit, a);
                Function<Scene, CompletionStage<?>> call = call(transition, scene);
                a.dieAtCommit(commit, applied);

                CompletableFuture<?> stage = call.apply(scene).toCompletableFuture();
                eventually(() -> assertThat(stage.isDone() || a.isDead()).isTrue());
                died = a.isDead();
                a.crash();

                check.accept(scene);
            }
        }
    }

    private Function<Scene, CompletionStage<?>> call(String transition, Scene scene) {
        if (!transition.equals("ack of a task")) {
            return Operation.named(transition)::on;
        }
        HandOut carrier = HandOuts.carrier(scene.shard);
        return s -> s.shard.ack(Ack.of(carrier.receipt(), ALICE.client()));
    }

    /** What the broker still has, from where the successor asks for it. */
    private void readAgain(Scene scene, Shard shard, long from) {
        if (from < Scene.HELD + 2) {
            assertThat(Operation.answers(shard.open(scene.poll(from, Scene.HELD + 2))))
                    .noneMatch(OpenResult.OutOfOrder.class::isInstance)
                    .noneMatch(Throwable.class::isInstance);
        }
    }

    /** Every message was acked by the scene, is open, or is a dead letter; those are told apart by their offsets. */
    private void nothingIsSkipped(Scene scene, StateStores stores) {
        Set<Long> open = deliveries(scene, stores).stream()
                .filter(delivery -> delivery.subscriber().equals(scene.reader))
                .map(Delivery::offset)
                .collect(Collectors.toSet());
        Set<Long> dead = letters(scene, stores);
        for (long offset = 0; offset < Scene.HELD; offset++) {
            boolean settledByTheTransition = offset < 3;
            assertThat(open.contains(offset) || dead.contains(offset) || settledByTheTransition)
                    .as("offset %d is open, dead-lettered or was acked", offset)
                    .isTrue();
        }
    }

    private void noneIsOpenAndDead(Scene scene, StateStores stores) {
        Set<Long> dead = letters(scene, stores);
        assertThat(deliveries(scene, stores))
                .filteredOn(delivery -> delivery.subscriber().equals(scene.reader))
                .extracting(Delivery::offset)
                .doesNotHaveDuplicates()
                .noneMatch(dead::contains);
    }

    private void everyTaskHasOneDelivery(Scene scene, StateStores stores) {
        List<Task> tasks =
                Listing.all(100, page -> stores.tasks().list(TaskFilter.context(scene.name + "-context"), page));
        List<TaskId> carried = deliveries(scene, stores).stream()
                .flatMap(delivery -> delivery.task().stream())
                .toList();
        assertThat(carried).doesNotHaveDuplicates();
        assertThat(carried)
                .as("every task that nobody has begun has its delivery")
                .containsAll(tasks.stream()
                        .filter(task -> task.state() == TaskState.SUBMITTED)
                        .map(Task::id)
                        .toList());
        assertThat(tasks.stream().map(Task::id)).containsAll(carried);
    }

    private List<Delivery> deliveries(Scene scene, StateStores stores) {
        return Listing.all(100, page -> stores.deliveries().list(DeliveryFilter.of(scene.partition), page));
    }

    private Set<Long> letters(Scene scene, StateStores stores) {
        return Listing.all(
                        100, page -> stores.deadLetters().list(DeadLetterFilter.topic(scene.partition.topic()), page))
                .stream()
                .map(DeadLetter::id)
                .map(id -> id.offset())
                .collect(Collectors.toSet());
    }
}
