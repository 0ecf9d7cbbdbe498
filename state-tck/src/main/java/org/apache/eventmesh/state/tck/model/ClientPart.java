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
package org.apache.eventmesh.state.tck.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.value.Attributes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** One client that connects here and there, and what it wants. */
public final class ClientPart {
    static final int TOPICS = 3;

    private final World world;
    private final Owned<OwnedClient> owned = new Owned<>();

    /** By topic, who made the registration, and the epoch of the client's session in it. */
    private final Map<Integer, Registered> registered = new HashMap<>();

    /** Topics of those who were killed: a registration goes when its maker's lease ends, which is not what this is about. */
    private final Set<Integer> unsure = new HashSet<>();

    private record Registered(int life, long epoch) {}

    ClientPart(World world) {
        this.world = world;
    }

    private String topic(int topic) {
        return world.name("topic-" + topic);
    }

    private ClientId client() {
        return new ClientId(world.name("client"));
    }

    public void connect(int at) {
        owned.claimed(world.life(at), get(world.stores(at).subscriptions().connect(world.member(at), client())));
    }

    public void register(int at, int topic) {
        owned.handle(world.life(at)).ifPresent(client -> {
            Interest interest = new Interest(
                    topic(topic),
                    Interest.Mode.LOAD_BALANCE,
                    Subscriber.group("group"),
                    Optional.empty(),
                    Attributes.NONE);
            String told = String.valueOf(Answers.of(get(client.register(interest))));
            Registered mine = new Registered(world.life(at), client.receiver().sessionEpoch());
            if (owned.isFenced(world.life(at))) {
                assertThat(told).isEqualTo(Answers.FENCED);
            } else {
                if (!unsure.remove(topic)) {
                    assertThat(told).isEqualTo("Done[changed=" + !mine.equals(registered.get(topic)) + "]");
                }
                registered.put(topic, mine);
            }
        });
    }

    public void unregister(int at, int topic) {
        owned.handle(world.life(at)).ifPresent(client -> {
            String told = String.valueOf(Answers.of(get(client.unregister(topic(topic)))));
            if (owned.isFenced(world.life(at))) {
                assertThat(told).isEqualTo(Answers.FENCED);
            } else {
                if (!unsure.remove(topic)) {
                    assertThat(told).isEqualTo("Done[changed=" + registered.containsKey(topic) + "]");
                }
                registered.remove(topic);
            }
        });
    }

    void died(int life) {
        registered.forEach((topic, by) -> {
            if (by.life() == life) {
                unsure.add(topic);
            }
        });
    }

    void compare() {
        List<Subscription> found = get(world.stores(0)
                        .subscriptions()
                        .list(SubscriptionFilter.client(client()), PageRequest.first(100)))
                .items();
        List<String> told = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int topic = 0; topic < TOPICS; topic++) {
            String name = topic(topic);
            if (!unsure.contains(topic)) {
                found.stream()
                        .filter(each -> each.interest().topic().equals(name))
                        .forEach(each ->
                                told.add(name + " in session " + each.receiver().sessionEpoch()));
                Registered by = registered.get(topic);
                if (by != null) {
                    expected.add(name + " in session " + by.epoch());
                }
            }
        }
        assertThat(told).as("registrations").isEqualTo(expected);
    }
}
