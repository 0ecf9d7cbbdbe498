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

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** G05: any name is a good name, and no two of them are one. */
public interface IdentifierRules extends Rules {
    @Test
    default void scenario_10_names_with_separators_and_colliding_pairs_stay_apart_in_every_store() {
        Instance a = open("A");
        OddNames odd = new OddNames(a);

        Names.ODD.forEach(odd::writeInEveryStore);

        Instance b = open("B");
        OddNames seen = new OddNames(b);
        SoftAssertions soft = new SoftAssertions();
        Names.ODD.forEach(name -> seen.checkInEveryStore(name, soft));
        soft.assertAll();
    }

    @Test
    default void required_G05_colliding_pairs_do_not_share_progress() {
        Instance a = open("A");
        each(pair -> {
            Shard shard = a.shard(new Partition(pair.first(), 0));
            get(a.stores().offsets().advance(shard, Map.of(Subscriber.group(pair.second()), 7L)));
        });

        SoftAssertions soft = new SoftAssertions();
        each(pair -> {
            Progress progress = new Progress(new Partition(pair.first(), 0), Subscriber.group(pair.second()), 7);
            soft.assertThat(listed(a.stores(), ProgressFilter.topic(pair.first())))
                    .as("of topic %s", pair)
                    .contains(progress)
                    .allSatisfy(found -> assertThat(found.partition().topic()).isEqualTo(pair.first()));
            soft.assertThat(listed(a.stores(), ProgressFilter.subscriber(progress.subscriber())))
                    .as("of subscriber %s", pair)
                    .contains(progress)
                    .allSatisfy(found -> assertThat(found.subscriber()).isEqualTo(progress.subscriber()));
        });
        soft.assertAll();
    }

    private List<Progress> listed(StateStores stores, ProgressFilter filter) {
        return get(stores.offsets().list(filter, PageRequest.first(1_000))).items();
    }

    @Test
    default void required_G05_colliding_pairs_do_not_share_registrations() {
        Instance a = open("A");
        each(pair -> get(a.client(pair.first()).register(interest(pair.second()))));

        SoftAssertions soft = new SoftAssertions();
        each(pair -> {
            soft.assertThat(registrations(a.stores(), SubscriptionFilter.client(new ClientId(pair.first()))))
                    .as("of client %s", pair)
                    .anySatisfy(found -> assertThat(found.interest()).isEqualTo(interest(pair.second())))
                    .allSatisfy(found ->
                            assertThat(found.receiver().client().value()).isEqualTo(pair.first()));
            soft.assertThat(registrations(a.stores(), SubscriptionFilter.topic(pair.second())))
                    .as("of topic %s", pair)
                    .anySatisfy(found ->
                            assertThat(found.receiver().client().value()).isEqualTo(pair.first()))
                    .allSatisfy(found -> assertThat(found.interest().topic()).isEqualTo(pair.second()));
        });
        soft.assertAll();
    }

    private List<Subscription> registrations(StateStores stores, SubscriptionFilter filter) {
        return get(stores.subscriptions().list(filter, PageRequest.first(1_000)))
                .items();
    }

    private static Interest interest(String topic) {
        return new Interest(topic, Interest.Mode.BROADCAST, Subscriber.group("g"), Optional.empty(), Attributes.NONE);
    }

    private static void each(Consumer<Names.Pair> what) {
        Names.COLLIDING.forEach(colliding -> {
            what.accept(colliding.one());
            what.accept(colliding.other());
        });
    }

    @Test
    default void required_G05_a_group_and_a_client_of_one_name_are_different_subscribers() {
        Instance a = open("A");
        Shard shard = a.shard(Examples.ORDERS_0);

        get(a.stores().offsets().advance(shard, Map.of(Subscriber.group("alice"), 3L)));

        assertThat(get(a.stores().offsets().position(Examples.ORDERS_0, Subscriber.single("alice"))))
                .isEqualTo(OptionalLong.empty());
        assertThat(listed(a.stores(), ProgressFilter.subscriber(Subscriber.single("alice"))))
                .isEmpty();
    }

    @Test
    default void required_G05_a_topic_and_its_number_are_not_one_text() {
        Instance a = open("A");
        get(a.stores().offsets().advance(a.shard(new Partition("t1", 1)), Map.of(Examples.BILLING, 1L)));
        get(a.stores().offsets().advance(a.shard(new Partition("t", 11)), Map.of(Examples.BILLING, 2L)));

        assertThat(listed(a.stores(), ProgressFilter.topic("t")))
                .containsExactly(new Progress(new Partition("t", 11), Examples.BILLING, 2));
        assertThat(listed(a.stores(), ProgressFilter.topic("t1")))
                .containsExactly(new Progress(new Partition("t1", 1), Examples.BILLING, 1));
    }

    @Test
    default void required_G05_names_that_differ_in_case_composition_or_blanks_are_different() {
        List<String> names = List.of(
                "name", "Name", "NAME", "n\u00e4me", "na\u0308me", "name ", " name", "name\u0000", "name\u200b");
        Instance a = open("A");
        Shard shard = a.shard(Examples.ORDERS_0);
        for (int i = 0; i < names.size(); i++) {
            get(a.stores().offsets().advance(shard, Map.of(Subscriber.group(names.get(i)), i + 1L)));
            get(a.stores()
                    .sessions()
                    .open(new SessionSpec(
                            new SessionId(names.get(i)), Duration.ofHours(1), Attributes.of("name", names.get(i)))));
        }

        StateStores peer = open("B").stores();
        SoftAssertions soft = new SoftAssertions();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Progress progress = new Progress(Examples.ORDERS_0, Subscriber.group(name), i + 1);
            soft.assertThat(listed(peer, ProgressFilter.subscriber(Subscriber.group(name))))
                    .as("progress of '%s'", name)
                    .containsExactly(progress);
            soft.assertThat(get(peer.sessions().find(new SessionId(name)))
                            .map(session -> session.spec().attributes()))
                    .as("session '%s'", name)
                    .hasValue(Attributes.of("name", name));
        }
        soft.assertThat(listed(peer, ProgressFilter.topic(Examples.ORDERS_0.topic())))
                .hasSize(names.size());
        soft.assertAll();
    }

    @Test
    default void required_G05_malformed_names_are_refused_on_the_caller() {
        SoftAssertions soft = new SoftAssertions();
        for (String name : Names.MALFORMED) {
            Map<String, Runnable> constructors = Map.of(
                    "topic", () -> new Partition(name, 0),
                    "client", () -> new ClientId(name),
                    "agent", () -> new AgentId(name),
                    "task", () -> new TaskId(name),
                    "session", () -> new SessionId(name),
                    "group", () -> Subscriber.group(name),
                    "request key", () -> RequestKey.of(name));
            constructors.forEach((what, constructor) -> soft.assertThatThrownBy(constructor::run)
                    .as("%s of %d characters", what, name.length())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(what));
        }
        soft.assertThatThrownBy(() -> new Partition("t", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
        soft.assertThatThrownBy(() -> Examples.message(-5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-5");
        soft.assertAll();
    }
}
