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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.subscription.SubscriptionView;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** Group S: who wants what. */
public interface SubscriptionRules extends SubscriptionStormRules, SubscriptionWatchRules {
    private List<Subscription> list(Instance at, SubscriptionFilter filter) {
        return get(at.stores().subscriptions().list(filter, PageRequest.first(100)))
                .items();
    }

    private static Interest wants(String topic, String filter) {
        return new Interest(topic, Interest.Mode.LOAD_BALANCE, BILLING, Optional.of(filter), Attributes.NONE);
    }

    @Test
    default void required_S01_a_registration_comes_back_exactly() {
        Instance a = open("A");
        OwnedClient alice = a.client("alice");
        List<Interest> interests = List.of(
                new Interest(
                        "load", Interest.Mode.LOAD_BALANCE, BILLING, Optional.empty(), Attributes.of("tenant", "t")),
                new Interest(
                        "broad", Interest.Mode.BROADCAST, Subscriber.single("alice"), Optional.of(""), Attributes.NONE),
                new Interest(
                        "multi",
                        Interest.Mode.MULTICAST,
                        Subscriber.single("someone else"),
                        Optional.of("amount > 3 AND note = '\u0000\n'"),
                        Attributes.of("k", "")));

        interests.forEach(
                interest -> assertThat(get(alice.register(interest))).isEqualTo(new RegisterResult.Done(true)));

        for (Interest interest : interests) {
            assertThat(list(open("B"), SubscriptionFilter.topic(interest.topic())))
                    .containsExactly(new Subscription(interest, alice.receiver()));
        }
        assertThat(alice.receiver().client()).isEqualTo(new ClientId("alice"));
        assertThat(alice.receiver().instance()).isEqualTo("A");
        assertThat(alice.receiver().sessionEpoch()).isEqualTo(alice.token().epoch());
    }

    @Test
    default void required_S02_a_registration_replaces_and_a_repeat_changes_nothing() {
        Instance a = open("A");
        OwnedClient alice = a.client("alice");

        assertThat(get(alice.register(wants("t", "1")))).isEqualTo(new RegisterResult.Done(true));
        assertThat(get(alice.register(wants("t", "1")))).isEqualTo(new RegisterResult.Done(false));
        assertThat(get(alice.register(wants("t", "2")))).isEqualTo(new RegisterResult.Done(true));

        assertThat(list(a, SubscriptionFilter.topic("t")))
                .containsExactly(new Subscription(wants("t", "2"), alice.receiver()));
        assertThat(get(alice.unregister("t"))).isEqualTo(new RegisterResult.Done(true));
        assertThat(get(alice.unregister("t"))).isEqualTo(new RegisterResult.Done(false));
        assertThat(list(a, SubscriptionFilter.client(new ClientId("alice")))).isEmpty();
    }

    @Test
    default void required_S02_the_instance_that_a_client_has_left_neither_adds_nor_removes() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedClient before = a.client("alice");
        get(before.register(wants("old", "a")));
        get(before.register(wants("t", "a")));
        OwnedClient now = b.client("alice");
        get(now.register(wants("t", "b")));

        assertThat(get(before.register(wants("t", "late")))).isInstanceOf(Fenced.class);
        assertThat(get(before.unregister("t"))).isInstanceOf(Fenced.class);
        get(before.release());

        assertThat(now.token().epoch()).isGreaterThan(before.token().epoch());
        assertThat(list(a, SubscriptionFilter.topic("t")))
                .containsExactly(new Subscription(wants("t", "b"), now.receiver()));
        assertThat(list(b, SubscriptionFilter.topic("old")))
                .as("stays until it is replaced, removed, or its instance's lease ends")
                .containsExactly(new Subscription(wants("old", "a"), before.receiver()));
        assertThat(get(now.unregister("old"))).isEqualTo(new RegisterResult.Done(true));
        assertThat(list(b, SubscriptionFilter.topic("old"))).isEmpty();
    }

    @Test
    default void required_S02_releasing_a_client_removes_its_registrations_in_the_same_step() {
        Instance a = open("A");
        OwnedClient alice = a.client("alice");
        get(alice.register(wants("t", "1")));
        get(alice.register(wants("u", "1")));
        OwnedClient bob = a.client("bob");
        get(bob.register(wants("t", "1")));

        get(alice.release());

        assertThat(list(a, SubscriptionFilter.client(new ClientId("alice")))).isEmpty();
        assertThat(list(a, SubscriptionFilter.topic("u"))).isEmpty();
        assertThat(list(a, SubscriptionFilter.topic("t")))
                .containsExactly(new Subscription(wants("t", "1"), bob.receiver()));
        assertThat(get(alice.register(wants("t", "2")))).isInstanceOf(Fenced.class);
    }

    @Test
    default void required_S05_registrations_of_an_instance_whose_lease_ended_disappear_with_events() {
        Instance a = open("A");
        Instance b = open("B");
        Mirror mirror = new Mirror();
        b.stores().subscriptions().watch(mirror);
        b.member();
        get(a.client("alice").register(wants("t", "1")));
        get(b.client("bob").register(wants("t", "1")));
        eventually(() -> assertThat(mirror.now()).hasSize(2));

        a.pause();
        passTime(Instance.LEASE.plusSeconds(1));

        for (SubscriptionFilter gone :
                List.of(SubscriptionFilter.client(new ClientId("alice")), SubscriptionFilter.instance("A"))) {
            assertThat(list(b, gone)).as(gone.toString()).isEmpty();
        }
        assertThat(list(b, SubscriptionFilter.topic("t")))
                .extracting(found -> found.receiver().client().value())
                .containsExactly("bob");
        eventually(() -> assertThat(mirror.heard()).contains("- alice t").doesNotContain("- bob t"));
        eventually(() -> assertThat(b.stores().subscriptions().view().of("t")).hasSize(1));
    }

    @Test
    default void required_S05_a_member_that_leaves_takes_its_registrations_along() {
        Instance a = open("A");
        Instance b = open("B");
        get(a.client("alice").register(wants("t", "1")));

        get(a.member().leave());

        assertThat(list(b, SubscriptionFilter.topic("t"))).isEmpty();
        assertThat(get(b.stores().subscriptions().topics(PageRequest.first(10))).items())
                .isEmpty();
    }

    @Test
    default void required_S06_registrations_are_found_by_topic_client_and_instance() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedClient alice = a.client("alice");
        OwnedClient bob = b.client("bob");
        get(alice.register(wants("t", "1")));
        get(alice.register(wants("u", "1")));
        get(bob.register(wants("t", "2")));
        Subscription aliceT = new Subscription(wants("t", "1"), alice.receiver());
        Subscription aliceU = new Subscription(wants("u", "1"), alice.receiver());
        Subscription bobT = new Subscription(wants("t", "2"), bob.receiver());

        assertThat(list(a, SubscriptionFilter.topic("t"))).containsExactly(aliceT, bobT);
        assertThat(list(b, SubscriptionFilter.client(new ClientId("alice")))).containsExactly(aliceT, aliceU);
        assertThat(list(a, SubscriptionFilter.instance("B"))).containsExactly(bobT);
        assertThat(get(b.stores().subscriptions().topics(PageRequest.first(10))).items())
                .containsExactly("t", "u");
    }

    @Test
    default void required_S06_the_view_answers_without_the_backend_and_says_how_old_it_is() {
        Instance a = open("A");
        get(a.client("alice").register(wants("t", "1")));
        StateStores stores = a.stores();
        SubscriptionView view = stores.subscriptions().view();
        eventually(() -> assertThat(view.of("t")).hasSize(1));
        eventually(() -> assertThat(view.age()).isLessThan(Duration.ofSeconds(1)));

        a.pause();
        kit().time().pass(Duration.ofMinutes(3));

        assertThat(view.of("t")).hasSize(1);
        assertThat(view.of("nothing")).isEmpty();
        assertThat(view.age()).isGreaterThanOrEqualTo(Duration.ofMinutes(3));
        a.resume();
        eventually(() -> assertThat(view.age()).isLessThan(Duration.ofSeconds(1)));
    }

    @Test
    default void required_S06_what_a_view_gave_does_not_change_later() {
        Instance a = open("A");
        OwnedClient alice = a.client("alice");
        get(alice.register(wants("t", "1")));
        SubscriptionView view = a.stores().subscriptions().view();
        eventually(() -> assertThat(view.of("t")).hasSize(1));
        Collection<Subscription> before = view.of("t");

        get(alice.unregister("t"));
        eventually(() -> assertThat(view.of("t")).isEmpty());

        assertThat(before).hasSize(1);
    }
}
