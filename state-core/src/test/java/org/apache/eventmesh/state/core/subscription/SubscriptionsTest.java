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
package org.apache.eventmesh.state.core.subscription;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.owner.Instance;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.subscription.SubscriptionListener;
import org.apache.eventmesh.state.value.Attributes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SubscriptionsTest {
    private static final RegisterResult CHANGED = new RegisterResult.Done(true);
    private static final RegisterResult AS_IT_WAS = new RegisterResult.Done(false);
    private static final ClientId CAROL = new ClientId("carol");

    private final SharedMap map = new SharedMap();
    private final Instance a = new Instance(map);
    private final Instance b = new Instance(map);
    private final Member alice = a.join("alice");
    private final Member bob = b.join("bob");
    private final Subscriptions atA = new Subscriptions(a.backend(), a.mesh(), map.clock(), 1_000);
    private final Subscriptions atB = new Subscriptions(b.backend(), b.mesh(), map.clock(), 1_000);

    @AfterEach
    void close() {
        atA.close();
        atB.close();
        a.close();
        b.close();
        map.close();
    }

    @Test
    void a_registration_comes_back_exactly_and_is_found_from_every_side() {
        OwnedClient carol = Await.result(atA.connect(alice, CAROL));
        Interest odd = new Interest(
                "a\u0000b/\n",
                Interest.Mode.MULTICAST,
                Subscriber.single("x"),
                Optional.of(""),
                Attributes.of("tenant", ""));
        assertThat(Await.result(carol.register(odd))).isEqualTo(CHANGED);
        assertThat(Await.result(carol.register(odd))).isEqualTo(AS_IT_WAS);
        Subscription expected = new Subscription(odd, carol.receiver());
        for (SubscriptionFilter filter : List.of(
                SubscriptionFilter.topic(odd.topic()),
                SubscriptionFilter.client(CAROL),
                SubscriptionFilter.instance("alice"))) {
            assertThat(list(atB, filter)).containsExactly(expected);
        }
        assertThat(list(atB, SubscriptionFilter.topic("a"))).isEmpty();
        Awaitility.await().until(() -> atB.view().of(odd.topic()).contains(expected));
        assertThat(carol.receiver().sessionEpoch()).isEqualTo(carol.token().epoch());
    }

    @Test
    void the_instance_that_a_client_left_removes_nothing() {
        OwnedClient before = Await.result(atA.connect(alice, CAROL));
        Await.result(before.register(wants("moved")));
        Await.result(before.register(wants("left")));
        OwnedClient now = Await.result(atB.connect(bob, CAROL));
        assertThat(Await.result(now.register(wants("moved")))).isEqualTo(CHANGED);

        assertThat(Await.result(before.unregister("moved"))).isInstanceOf(Fenced.class);
        assertThat(Await.result(before.register(wants("more")))).isInstanceOf(Fenced.class);
        Await.result(before.release());
        assertThat(Await.result(before.lost()).current()).isPresent();

        assertThat(list(atA, SubscriptionFilter.client(CAROL)))
                .extracting(each -> each.receiver().instance())
                .containsExactly("alice", "bob");
        assertThat(list(atA, SubscriptionFilter.instance("alice"))).hasSize(1);
        // whoever made it
        assertThat(Await.result(now.unregister("left"))).isEqualTo(CHANGED);
        assertThat(Await.result(now.unregister("left"))).isEqualTo(AS_IT_WAS);
    }

    @Test
    void releasing_a_client_removes_all_of_many_registrations() {
        OwnedClient carol = Await.result(atA.connect(alice, CAROL));
        int many = 700;
        IntStream.range(0, many)
                .mapToObj(i -> carol.register(wants("topic " + i)))
                .toList()
                .forEach(Await::result);
        assertThat(all(atA, SubscriptionFilter.client(CAROL))).hasSize(many);
        Await.result(carol.release());
        assertThat(all(atA, SubscriptionFilter.client(CAROL))).isEmpty();
        assertThat(all(atA, SubscriptionFilter.instance("alice"))).isEmpty();
        assertThat(Await.result(atA.topics(PageRequest.first(10))).items()).isEmpty();
        assertThat(Await.result(carol.register(wants("late")))).isEqualTo(new Fenced(Optional.empty()));
    }

    @Test
    void registrations_end_with_the_lease_and_a_lapsed_member_is_renewed_to_register_again() {
        OwnedClient carol = Await.result(atA.connect(alice, CAROL));
        Await.result(carol.register(wants("t")));
        Heard heard = new Heard();
        atB.watch(heard);
        Awaitility.await().until(() -> heard.now().size() == 1);
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        assertThat(list(atB, SubscriptionFilter.client(CAROL))).isEmpty();
        assertThat(list(atB, SubscriptionFilter.instance("alice"))).isEmpty();
        Awaitility.await().until(() -> heard.now().isEmpty());
        // nobody took over: writes still apply
        assertThat(Await.result(carol.register(wants("t")))).isEqualTo(CHANGED);
        assertThat(alice.live()).isTrue();
        Awaitility.await().until(() -> heard.now().size() == 1);
    }

    @Test
    void a_token_of_a_process_that_is_gone_registers_nothing() {
        OwnedClient carol = Await.result(atA.connect(alice, CAROL));
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(atB.client(carol.token()).register(wants("t"))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("claim anew");
    }

    @Test
    void topics_are_listed_once_and_pages_skip_what_lies_between() {
        for (int client = 0; client < 40; client++) {
            OwnedClient each = Await.result(atA.connect(alice, new ClientId("client " + client)));
            for (String topic : List.of("a", "a\u0000", "ab", "b", "c", "d")) {
                Await.result(each.register(wants(topic)));
            }
        }
        List<String> topics = new ArrayList<>();
        Page<String> page = Await.result(atB.topics(PageRequest.first(2)));
        topics.addAll(page.items());
        while (page.next().isPresent()) {
            page = Await.result(atB.topics(page.next().get()));
            topics.addAll(page.items());
        }
        assertThat(topics).containsExactly("a", "a\u0000", "ab", "b", "c", "d");
    }

    @Test
    void views_and_watches_converge_after_a_storm() {
        Heard heardA = new Heard();
        Heard heardB = new Heard();
        atA.watch(heardA);
        atB.watch(heardB);
        Random random = new Random(7);
        List<CompletionStage<?>> storm = new ArrayList<>();
        List<OwnedClient> clients = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            clients.add(Await.result(atA.connect(alice, new ClientId("client " + i))));
        }
        for (int i = 0; i < 1_000; i++) {
            int which = random.nextInt(clients.size());
            String topic = "topic " + random.nextInt(5);
            switch (random.nextInt(10)) {
                case 0 ->
                    clients.set(
                            which,
                            Await.result(atA.connect(
                                    alice, clients.get(which).token().scope())));
                case 1 ->
                    clients.set(
                            which,
                            Await.result(
                                    atB.connect(bob, clients.get(which).token().scope())));
                case 2, 3, 4 -> storm.add(clients.get(which).unregister(topic));
                case 5 -> storm.add(clients.get(which).release());
                default -> storm.add(clients.get(which).register(wants(topic, "filter " + i)));
            }
        }
        storm.forEach(Await::result);
        Set<Subscription> stored = new HashSet<>();
        IntStream.range(0, 5).forEach(i -> stored.addAll(all(atA, SubscriptionFilter.topic("topic " + i))));
        Awaitility.await().untilAsserted(() -> {
            assertThat(viewed(atA)).isEqualTo(stored);
            assertThat(viewed(atB)).isEqualTo(stored);
            assertThat(heardA.now()).isEqualTo(stored);
            assertThat(heardB.now()).isEqualTo(stored);
        });
        Set<Subscription> byClient = new HashSet<>();
        IntStream.range(0, 10)
                .forEach(i -> byClient.addAll(all(atB, SubscriptionFilter.client(new ClientId("client " + i)))));
        assertThat(byClient).isEqualTo(stored);
    }

    @Test
    void a_listener_that_blocks_or_throws_harms_only_itself() {
        CountDownLatch gate = new CountDownLatch(1);
        Heard blocked = new Heard() {
            @Override
            public synchronized void added(Subscription now) {
                Await.result(CompletableFuture.runAsync(() -> await(gate)));
                super.added(now);
            }
        };
        Heard throwing = new Heard() {
            @Override
            public synchronized void added(Subscription now) {
                throw new IllegalStateException("thrown on purpose");
            }
        };
        Heard good = new Heard();
        atA.watch(throwing);
        atA.watch(good);
        OwnedClient carol = Await.result(atB.connect(bob, CAROL));
        Await.result(carol.register(wants("t")));
        Awaitility.await().until(() -> good.now().size() == 1);
        atB.watch(blocked);
        Await.result(carol.register(wants("u")));
        Await.result(carol.register(wants("v")));
        Awaitility.await().until(() -> good.now().size() == 3);
        gate.countDown();
        Awaitility.await().until(() -> blocked.now().equals(good.now()));
    }

    @Test
    void what_is_too_large_is_refused_with_both_sizes() {
        OwnedClient carol = Await.result(atA.connect(alice, CAROL));
        assertThatThrownBy(() -> Await.result(carol.register(wants("t", "x".repeat(1_001)))))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("1001")
                .hasMessageContaining("1000");
        assertThat(list(atA, SubscriptionFilter.client(CAROL))).isEmpty();
    }

    @Test
    void after_close_everything_is_refused() {
        OwnedClient carol = Await.result(atA.connect(alice, CAROL));
        var view = atA.view();
        a.close();
        List<Runnable> calls = List.of(
                () -> Await.result(atA.connect(alice, CAROL)),
                () -> Await.result(carol.register(wants("t"))),
                () -> Await.result(carol.unregister("t")),
                () -> Await.result(carol.release()),
                () -> Await.result(atA.list(SubscriptionFilter.topic("t"), PageRequest.first(1))),
                () -> Await.result(atA.topics(PageRequest.first(1))),
                () -> Await.result(alice.renew()),
                () -> Await.result(alice.leave()),
                () -> Await.result(a.mesh().members().join("x", Duration.ofSeconds(1))),
                () -> Await.result(a.mesh().reading().owner(CAROL)),
                () -> atA.watch(new Heard()),
                () -> view.of("t"),
                atA::view);
        assertThat(calls)
                .allSatisfy(call -> assertThatThrownBy(call::run)
                        .isInstanceOf(StoreClosedException.class)
                        .isInstanceOf(StateStoreException.class));
        assertThat(alice.live()).isFalse();
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Interest wants(String topic) {
        return wants(topic, "all");
    }

    private static Interest wants(String topic, String filter) {
        return new Interest(
                topic, Interest.Mode.LOAD_BALANCE, Subscriber.group("billing"), Optional.of(filter), Attributes.NONE);
    }

    private static List<Subscription> list(Subscriptions store, SubscriptionFilter filter) {
        return Await.result(store.list(filter, PageRequest.first(100))).items();
    }

    private static List<Subscription> all(Subscriptions store, SubscriptionFilter filter) {
        List<Subscription> all = new ArrayList<>();
        Page<Subscription> page = Await.result(store.list(filter, PageRequest.first(100)));
        all.addAll(page.items());
        while (page.next().isPresent()) {
            page = Await.result(store.list(filter, page.next().get()));
            all.addAll(page.items());
        }
        return all;
    }

    private static Set<Subscription> viewed(Subscriptions store) {
        Set<Subscription> viewed = new HashSet<>();
        IntStream.range(0, 5).forEach(i -> viewed.addAll(store.view().of("topic " + i)));
        return viewed;
    }

    /** What a listener knows. */
    private static class Heard implements SubscriptionListener {
        private final Set<Subscription> all = new HashSet<>();

        synchronized Set<Subscription> now() {
            return Set.copyOf(all);
        }

        @Override
        public synchronized void resynchronised(List<Subscription> now) {
            all.clear();
            all.addAll(now);
        }

        @Override
        public synchronized void added(Subscription now) {
            all.removeIf(each -> each.interest().topic().equals(now.interest().topic())
                    && each.receiver().client().equals(now.receiver().client()));
            all.add(now);
        }

        @Override
        public synchronized void removed(Subscription was) {
            all.remove(was);
        }
    }
}
