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
package org.apache.eventmesh.state.dispatcher;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** One runtime of a test: its stores, its dispatcher, what its clients got, and what went wrong. */
final class Node {
    /** Given up at the third failure; due again at once before that. */
    static final DispatcherSettings SETTINGS = DispatcherSettings.DEFAULT.withRetry(Retry.immediately(3));

    private final Instance instance;
    private final Inbox inbox = new Inbox();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final Dispatcher dispatcher;

    Node(Instance instance) {
        this.instance = instance;
        this.dispatcher = another(inbox);
    }

    /** A dispatcher more in the same process. */
    Dispatcher another(Transport transport) {
        return new Dispatcher(
                instance.stores(),
                instance.member(),
                transport,
                (step, why) -> troubles.add(step + ": " + why),
                SETTINGS);
    }

    Instance instance() {
        return instance;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    Inbox inbox() {
        return inbox;
    }

    List<String> troubles() {
        return List.copyOf(troubles);
    }

    /** Connects a client and registers it; the dispatcher sees it when this returns. */
    void subscribe(ClientId client, String topic, Subscriber subscriber) {
        get(dispatcher.clients().connect(client));
        assertThat(get(dispatcher.clients().subscribe(client, interest(topic, subscriber))))
                .isInstanceOf(RegisterResult.Done.class);
        Eventually.holds(() -> assertThat(
                        instance.stores().subscriptions().view().of(topic))
                .anySatisfy(registration -> {
                    assertThat(registration.receiver().client()).isEqualTo(client);
                    assertThat(registration.receiver().instance()).isEqualTo(instance.name());
                }));
    }

    static Interest interest(String topic, Subscriber subscriber) {
        Interest.Mode mode =
                subscriber instanceof Subscriber.Group ? Interest.Mode.LOAD_BALANCE : Interest.Mode.BROADCAST;
        return new Interest(topic, mode, subscriber, Optional.empty(), Attributes.NONE);
    }

    AckResult ack(HandOut handOut) {
        return get(dispatcher.ack(handOut.receiver().client(), handOut.receipt()));
    }

    NackResult nack(HandOut handOut) {
        return get(dispatcher.nack(handOut.receiver().client(), handOut.receipt(), "cannot"));
    }

    NackResult giveUp(HandOut handOut) {
        return get(dispatcher.giveUp(handOut.receipt(), "hopeless"));
    }

    OptionalLong position(Partition partition, Subscriber subscriber) {
        return get(instance.stores().offsets().position(partition, subscriber));
    }

    List<DeadLetter> deadLetters() {
        return get(instance.stores().deadLetters().list(DeadLetterFilter.all(), PageRequest.first(1_000)))
                .items();
    }

    boolean isOpen(HandOut handOut) {
        return get(instance.stores().deliveries().find(handOut.delivery().id())).isPresent();
    }
}
