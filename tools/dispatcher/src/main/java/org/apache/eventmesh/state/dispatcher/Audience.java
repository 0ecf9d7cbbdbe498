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
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.delivery.Due;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionView;

/** Who wants a topic now, and whose turn it is: by the local copy of the registrations, without a network. */
final class Audience {
    private final SubscriptionView registrations;
    private final AtomicInteger turn = new AtomicInteger();

    Audience(SubscriptionView registrations) {
        this.registrations = registrations;
    }

    Set<Subscriber> of(String topic) {
        return registrations.of(topic).stream()
                .map(registration -> registration.interest().subscriber())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** One client after the other of a group; of a broadcast the only one. Empty when none is connected anywhere. */
    Optional<Receiver> pick(String topic, Subscriber subscriber) {
        List<Receiver> candidates = registrations.of(topic).stream()
                .filter(registration -> registration.interest().subscriber().equals(subscriber))
                .map(Subscription::receiver)
                .toList();
        return candidates.isEmpty()
                ? Optional.empty()
                : Optional.of(candidates.get(Math.floorMod(turn.getAndIncrement(), candidates.size())));
    }

    Optional<Receiver> pick(Due delivery) {
        return pick(delivery.id().partition().topic(), delivery.subscriber());
    }
}
