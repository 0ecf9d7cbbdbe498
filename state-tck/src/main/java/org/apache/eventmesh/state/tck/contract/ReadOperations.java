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
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.TaskFilter;

import static org.apache.eventmesh.state.tck.contract.Operation.read;

/** Every read that asks the backend. */
final class ReadOperations {
    private static final PageRequest PAGE = PageRequest.first(100);

    static final List<Operation> ALL = List.of(
            read("ownership.owner", s -> s.stores().ownership().owner(s.partition)),
            read("ownership.ownedBy", s -> s.stores().ownership().ownedBy(s.at.name(), PAGE)),
            read("offsets.position", s -> s.stores().offsets().position(s.partition, s.reader)),
            read(
                    "offsets.list of a topic",
                    s -> s.stores().offsets().list(ProgressFilter.topic(s.partition.topic()), PAGE)),
            read(
                    "offsets.list of a subscriber",
                    s -> s.stores().offsets().list(ProgressFilter.subscriber(s.reader), PAGE)),
            read(
                    "subscriptions.list of a topic",
                    s -> s.stores().subscriptions().list(SubscriptionFilter.topic(s.partition.topic()), PAGE)),
            read(
                    "subscriptions.list of a client",
                    s -> s.stores()
                            .subscriptions()
                            .list(SubscriptionFilter.client(s.client.token().scope()), PAGE)),
            read(
                    "subscriptions.list of an instance",
                    s -> s.stores().subscriptions().list(SubscriptionFilter.instance(s.at.name()), PAGE)),
            read("subscriptions.topics", s -> s.stores().subscriptions().topics(PAGE)),
            read(
                    "deliveries.find",
                    s -> s.stores().deliveries().find(s.held.get(0).delivery().id())),
            read("deliveries.list", s -> s.stores().deliveries().list(DeliveryFilter.of(s.partition), PAGE)),
            read(
                    "sessions.find an agent",
                    s -> s.stores().sessions().find(s.agent.token().scope())),
            read("sessions.agents", s -> s.stores().sessions().agents(PAGE)),
            read("sessions.boundTo", s -> s.stores().sessions().boundTo(s.bound)),
            read("sessions.find a session", s -> s.stores().sessions().find(s.session)),
            read("deadLetters.find", s -> s.stores().deadLetters().find(s.letter.id())),
            read(
                    "deadLetters.list",
                    s -> s.stores().deadLetters().list(DeadLetterFilter.topic(s.partition.topic()), PAGE)),
            read("deadLetters.count", s -> s.stores().deadLetters().count(DeadLetterFilter.subscriber(s.reader))),
            read("tasks.find", s -> s.stores().tasks().find(s.task.id())),
            read("tasks.list of an agent", s -> s.stores().tasks().list(TaskFilter.agent(s.task.agent()), PAGE)),
            read(
                    "tasks.list of a context",
                    s -> s.stores().tasks().list(TaskFilter.context(s.name + "-context"), PAGE)),
            read(
                    "tasks.stalled",
                    s -> s.stores().tasks().stalled(s.task.changedAt().plusSeconds(1), PAGE)));

    private ReadOperations() {}
}
