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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** S03: many instances write the same registrations, and all of them end up with one picture. */
public interface SubscriptionStormRules extends Rules {
    int CLIENTS = 4;
    int TOPICS = 5;
    int ROUNDS = 60;

    @Test
    default void scenario_02_instances_that_register_and_unregister_the_same_converge() {
        storm(List.of(open("A"), open("B")));
    }

    @Test
    default void required_S03_a_storm_over_three_instances_converges_also_when_their_watches_break() {
        List<Instance> instances = List.of(open("A"), open("B"), open("C"));
        instances.forEach(Instance::member);
        CompletableFuture<Void> breaking = CompletableFuture.runAsync(() -> {
            for (int n = 0; n < 10; n++) {
                Instance unlucky = instances.get(n % 3);
                unlucky.cutOff();
                unlucky.heal();
            }
        });
        List<Mirror> mirrors = storm(instances);
        get(breaking);

        // the storm may have been over before a watch broke, or the last break have hidden what a watch did not do
        instances.forEach(Instance::cutOff);
        instances.forEach(Instance::heal);
        OwnedClient late = instances.get(0).client("late");
        get(late.register(wants("topic-0", "late")));
        converged(instances, mirrors);
        get(late.unregister("topic-0"));
        converged(instances, mirrors);
    }

    private static Interest wants(String topic, String filter) {
        return new Interest(topic, Interest.Mode.LOAD_BALANCE, BILLING, Optional.of(filter), Attributes.NONE);
    }

    /** Gives what the watch of each has heard, when all are of one mind. */
    private List<Mirror> storm(List<Instance> instances) {
        Random seeds = Seeds.next(this);
        List<Mirror> mirrors = new ArrayList<>();
        instances.forEach(instance -> {
            instance.member();
            Mirror mirror = new Mirror();
            instance.stores().subscriptions().watch(mirror);
            mirrors.add(mirror);
        });
        ExecutorService callers = Executors.newFixedThreadPool(instances.size());
        try {
            List<CompletableFuture<Void>> done = instances.stream()
                    .map(instance -> {
                        Random random = new Random(seeds.nextLong());
                        return CompletableFuture.runAsync(() -> act(instance, random), callers);
                    })
                    .toList();
            done.forEach(this::get);
        } finally {
            callers.shutdownNow();
        }
        converged(instances, mirrors);
        return mirrors;
    }

    private void converged(List<Instance> instances, List<Mirror> mirrors) {
        Set<Subscription> stored = Mirror.stored(instances.get(0).stores());
        for (int n = 0; n < instances.size(); n++) {
            Instance instance = instances.get(n);
            Mirror mirror = mirrors.get(n);
            eventually(() -> assertThat(viewed(instance))
                    .as("the view of %s", instance.name())
                    .isEqualTo(stored));
            eventually(() -> assertThat(mirror.now())
                    .as("the watch of %s", instance.name())
                    .isEqualTo(stored));
        }
    }

    /** Whatever a call answers or fails with: what counts is where it ends. */
    private void act(Instance instance, Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            OwnedClient client;
            try {
                client = instance.client("client-" + random.nextInt(CLIENTS));
            } catch (StoreUnavailableException cut) {
                continue;
            }
            for (int n = 0; n < 3; n++) {
                String topic = "topic-" + random.nextInt(TOPICS);
                Operation.answers(
                        switch (random.nextInt(5)) {
                            case 0, 1, 2 -> client.register(wants(topic, instance.name() + round + n));
                            case 3 -> client.unregister(topic);
                            default -> client.release();
                        });
            }
        }
    }

    private static Set<Subscription> viewed(Instance instance) {
        Set<Subscription> viewed = new HashSet<>();
        IntStream.range(0, TOPICS)
                .forEach(n ->
                        viewed.addAll(instance.stores().subscriptions().view().of("topic-" + n)));
        return viewed;
    }
}
