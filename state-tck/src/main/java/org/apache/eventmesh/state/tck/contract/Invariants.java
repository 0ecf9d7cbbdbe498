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

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** What holds between the stores at every moment: half of a transition breaks one of these. */
final class Invariants {
    private static final int PAGE = 100;

    private final Scene scene;
    private final StateStores stores;

    private Invariants(Scene scene, StateStores stores) {
        this.scene = scene;
        this.stores = stores;
    }

    /** Through any store set. */
    static void check(Scene scene, StateStores stores) {
        Invariants invariants = new Invariants(scene, stores);
        List<Delivery> open = invariants.open();
        invariants.openOrDead(open);
        invariants.positionsAreTheLowestOpen(open);
        invariants.tasksHaveTheirDeliveries(open);
        invariants.theAgentCountsItsBindings();
    }

    /** Of a scene that this shard's owner has taken over. */
    static void check(Scene scene, StateStores stores, Shard shard) {
        check(scene, stores);
        new Invariants(scene, stores).theOwnerSeesTheSame(shard);
    }

    private List<Delivery> open() {
        return Listing.all(PAGE, page -> stores.deliveries().list(DeliveryFilter.of(scene.partition), page));
    }

    private List<DeadLetter> dead() {
        return Listing.all(
                PAGE, page -> stores.deadLetters().list(DeadLetterFilter.topic(scene.partition.topic()), page));
    }

    private void openOrDead(List<Delivery> open) {
        assertThat(open).as("open deliveries").extracting(Delivery::id).doesNotHaveDuplicates();
        Set<Long> openOffsets = offsets(open, scene.reader);
        for (DeadLetter letter : dead()) {
            assertThat(openOffsets)
                    .as("%s is a dead letter, so it is not open", letter.id())
                    .doesNotContain(letter.id().offset());
        }
        assertThat(dead()).extracting(DeadLetter::id).doesNotHaveDuplicates();
    }

    private static Set<Long> offsets(List<Delivery> open, Subscriber subscriber) {
        return open.stream()
                .filter(delivery -> delivery.subscriber().equals(subscriber))
                .map(Delivery::offset)
                .collect(Collectors.toSet());
    }

    private Map<Subscriber, Long> positions() {
        return Listing.all(PAGE, page -> stores.offsets().list(ProgressFilter.topic(scene.partition.topic()), page))
                .stream()
                .filter(progress -> progress.partition().equals(scene.partition))
                .collect(Collectors.toMap(Progress::subscriber, Progress::position));
    }

    /** A replayed dead letter has its offset below the position, by right. */
    private void positionsAreTheLowestOpen(List<Delivery> open) {
        positions().forEach((subscriber, position) -> {
            Set<Long> offsets = offsets(open, subscriber);
            Set<Long> below = new HashSet<>(offsets);
            below.removeIf(offset -> offset >= position);
            below.remove(scene.letter.id().offset());
            assertThat(below)
                    .as("open offsets of %s below its position %d", subscriber, position)
                    .isEmpty();
            if (subscriber.equals(scene.reader) && position < Scene.HELD) {
                assertThat(offsets)
                        .as("what holds the position %d of %s", position, subscriber)
                        .contains(position);
            }
        });
        assertThat(positions()).containsKey(scene.reader);
    }

    private void tasksHaveTheirDeliveries(List<Delivery> open) {
        List<Task> tasks =
                Listing.all(PAGE, page -> stores.tasks().list(TaskFilter.context(scene.name + "-context"), page));
        Set<TaskId> carried =
                open.stream().map(Delivery::task).flatMap(Optional::stream).collect(Collectors.toSet());
        assertThat(tasks.stream().map(Task::id))
                .as("every delivery of a task has its task")
                .containsAll(carried);
        assertThat(carried)
                .as("every task that nobody has begun has its delivery")
                .containsAll(tasks.stream()
                        .filter(task -> task.state() == TaskState.SUBMITTED)
                        .map(Task::id)
                        .toList());
        assertThat(Listing.all(PAGE, page -> stores.tasks().list(TaskFilter.agent(scene.task.agent()), page)))
                .as("tasks by agent and by context")
                .isEqualTo(tasks);
    }

    private void theAgentCountsItsBindings() {
        Optional<Agent> agent = get(stores.sessions().find(scene.agent.token().scope()));
        long bound = List.of("-bound", "-new").stream()
                .filter(name -> get(stores.sessions().boundTo(new SessionId(scene.name + name)))
                        .isPresent())
                .count();
        assertThat(bound)
                .as("sessions bound to %s", agent)
                .isEqualTo(agent.map(Agent::bound).orElse(0).longValue());
    }

    private void theOwnerSeesTheSame(Shard shard) {
        assertThat(shard.view().all().open()).as("open, as the owner counts").isEqualTo(open().size());
        long lowest =
                positions().values().stream().mapToLong(Long::longValue).min().orElseThrow();
        assertThat(shard.view().watermark()).as("watermark").hasValue(lowest);
    }
}
