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
package org.apache.eventmesh.state.tck.points;

import java.util.LinkedHashMap;
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
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Bytes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** All that one way has left in the stores, as anybody reads it. */
final class Facts {
    private static final PageRequest ALL = PageRequest.first(100);

    private final Places places;
    private final List<Progress> progress;
    private final List<Delivery> open;
    private final List<DeadLetter> letters;
    private final List<Task> tasks;
    private final Optional<Agent> agent;
    private final Map<String, Boolean> bound = new LinkedHashMap<>();
    private final Map<String, Boolean> sessions = new LinkedHashMap<>();
    private final List<String> interests;

    Facts(Places places, StateStores stores) {
        this.places = places;
        progress = get(stores.offsets().list(ProgressFilter.topic(places.log().topic()), ALL))
                .items();
        open = get(stores.deliveries().list(DeliveryFilter.of(places.log()), ALL))
                .items();
        letters = get(stores.deadLetters()
                        .list(DeadLetterFilter.topic(places.log().topic()), ALL))
                .items();
        tasks = get(stores.tasks().list(TaskFilter.context(places.name() + "-context"), ALL))
                .items();
        agent = get(stores.sessions().find(places.agent()));
        for (String session : List.of("bound-1", "bound-2")) {
            bound.put(
                    session,
                    get(stores.sessions().boundTo(places.session(session))).isPresent());
        }
        for (String session : List.of("open-1", "open-2")) {
            SessionId id = places.session(session);
            sessions.put(
                    session, get(stores.sessions().find(id)).map(Session::spec).isPresent());
        }
        interests =
                get(stores.subscriptions()
                                .list(SubscriptionFilter.topic(places.log().topic()), ALL))
                        .items()
                        .stream()
                        .map(each -> each.interest().subscriber().toString())
                        .toList();
    }

    /** X01, L01, O01, T09, N03 between the stores, wherever the way was left. */
    void checkRules() {
        assertThat(open).as("open deliveries").extracting(Delivery::id).doesNotHaveDuplicates();
        for (DeadLetter letter : letters) {
            assertThat(offsets(letter.id().subscriber()))
                    .as("%s is a dead letter, so it is not open", letter.id())
                    .doesNotContain(letter.id().offset());
        }
        for (Progress each : progress) {
            Set<Long> offsets = offsets(each.subscriber());
            assertThat(offsets)
                    .as("open offsets of %s, whose position is %d", each.subscriber(), each.position())
                    .allMatch(offset -> offset >= each.position() || isReplay(each.subscriber(), offset));
        }
        Set<TaskId> carried =
                open.stream().flatMap(each -> each.task().stream()).collect(Collectors.toSet());
        assertThat(tasks).extracting(Task::id).as("tasks of deliveries").containsAll(carried);
        assertThat(carried)
                .as("deliveries of tasks that nobody has begun")
                .containsAll(tasks.stream()
                        .filter(task -> task.state() == TaskState.SUBMITTED)
                        .map(Task::id)
                        .toList());
        assertThat(bound.values().stream().filter(each -> each).count())
                .as("bindings, as %s counts them", agent)
                .isEqualTo(agent.map(Agent::bound).orElse(0).longValue());
    }

    /** What a new owner makes of them. */
    void checkOwner(Shard log) {
        assertThat(log.view().all().open()).as("open, as the owner counts").isEqualTo(open.size());
        progress.stream()
                .mapToLong(Progress::position)
                .min()
                .ifPresent(lowest -> assertThat(log.view().watermark()).hasValue(lowest));
    }

    /** The letter of message 3 is replayed: its new delivery is outside positions. */
    private boolean isReplay(Subscriber subscriber, long offset) {
        return subscriber.equals(Places.READER)
                && offset == 3
                && letters.stream().noneMatch(letter -> letter.id().offset() == 3);
    }

    private Set<Long> offsets(Subscriber subscriber) {
        return open.stream()
                .filter(each -> each.subscriber().equals(subscriber))
                .filter(each -> each.task().isEmpty())
                .map(Delivery::offset)
                .collect(Collectors.toSet());
    }

    /** Without what differs from one life to another: names, ids, epochs, versions. */
    Map<String, Object> comparable() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(
                "progress",
                progress.stream()
                        .map(each -> each.subscriber() + " at " + each.position())
                        .toList());
        facts.put(
                "open",
                open.stream()
                        .map(each -> each.offset() + " for " + each.subscriber() + " "
                                + each.payload().toUtf8() + " failed " + each.failures() + " with "
                                + each.receiver() + " carries "
                                + each.task().map(this::unnamed))
                        .sorted()
                        .toList());
        facts.put(
                "letters",
                letters.stream()
                        .map(each -> each.id().offset() + " because " + each.reason())
                        .toList());
        facts.put(
                "tasks",
                tasks.stream()
                        .map(each -> unnamed(each.id()) + " " + each.state() + " "
                                + each.output().map(Bytes::toUtf8) + " "
                                + each.history().stream().map(Task.Step::state).toList())
                        .toList());
        facts.put("agent", agent.map(each -> List.of(each.ready(), each.load(), each.bound())));
        facts.put("bound", bound);
        facts.put("sessions", sessions);
        facts.put("interests", interests);
        return facts;
    }

    private String unnamed(TaskId id) {
        return id.value().replace(places.name(), "");
    }
}
