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
import java.util.TreeSet;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.TaskFilter;

import static org.apache.eventmesh.state.tck.kit.Stages.get;

/**
 * All that the stores tell of a scene, without what differs between two scenes to which the same happened: its name,
 * times, epochs and numbers.
 */
final class Digest {
    private static final int PAGE = 100;

    private Digest() {}

    /** Through any store set: reads are for everybody. */
    static Map<String, Object> of(Scene scene, StateStores stores) {
        Map<String, Object> facts = new LinkedHashMap<>();
        String topic = scene.partition.topic();
        facts.put(
                "progress",
                Listing.all(PAGE, page -> stores.offsets().list(ProgressFilter.topic(topic), page)).stream()
                        .map(found -> found.subscriber() + " at " + found.position())
                        .toList());
        facts.put(
                "open deliveries",
                sorted(
                        Listing.all(PAGE, page -> stores.deliveries().list(DeliveryFilter.of(scene.partition), page))
                                .stream()
                                .map(found -> found.offset() + " for " + found.subscriber() + " "
                                        + found.payload().toUtf8()
                                        + " handed out " + found.handOuts() + ", failed " + found.failures() + " with "
                                        + found.receiver() + " carries " + found.task())
                                .toList()));
        facts.put(
                "dead letters",
                Listing.all(PAGE, page -> stores.deadLetters().list(DeadLetterFilter.topic(topic), page)).stream()
                        .map(found -> found.id() + " because " + found.reason() + " after "
                                + found.failures().size())
                        // times are not compared, so neither is the order that follows from them
                        .sorted()
                        .toList());
        facts.put(
                "dead letters of the reader",
                get(stores.deadLetters().count(DeadLetterFilter.subscriber(scene.reader))));
        facts.put(
                "tasks",
                Listing.all(PAGE, page -> stores.tasks().list(TaskFilter.context(scene.name + "-context"), page))
                        .stream()
                        .map(found -> found.id() + " " + found.state() + " version " + found.version() + " output "
                                + found.output() + " steps " + found.history().size())
                        .toList());
        facts.put(
                "registrations",
                Listing.all(
                                PAGE,
                                page -> stores.subscriptions()
                                        .list(
                                                SubscriptionFilter.client(
                                                        scene.client.token().scope()),
                                                page))
                        .stream()
                        .map(found -> found.interest())
                        .toList());
        facts.put(
                "agent",
                get(stores.sessions().find(scene.agent.token().scope()))
                        .map(agent -> List.of(agent.spec(), agent.ready(), agent.load(), agent.bound())));
        for (String session : List.of("-bound", "-new", "-session", "-other")) {
            SessionId id = new SessionId(scene.name + session);
            facts.put(
                    id.value() + " is bound to",
                    get(stores.sessions().boundTo(id)).map(agent -> agent.spec().id()));
            facts.put(id.value() + " is", get(stores.sessions().find(id)).map(found -> found.spec()));
        }
        return withoutName(scene, facts);
    }

    private static List<String> sorted(List<String> lines) {
        return List.copyOf(new TreeSet<>(lines));
    }

    private static Map<String, Object> withoutName(Scene scene, Map<String, Object> facts) {
        Map<String, Object> neutral = new LinkedHashMap<>();
        facts.forEach((what, fact) -> neutral.put(neutral(scene, what), neutral(scene, String.valueOf(fact))));
        return neutral;
    }

    private static String neutral(Scene scene, String text) {
        return text.replace(scene.name + "-", "").replaceAll("sessionEpoch=\\d+", "sessionEpoch");
    }
}
