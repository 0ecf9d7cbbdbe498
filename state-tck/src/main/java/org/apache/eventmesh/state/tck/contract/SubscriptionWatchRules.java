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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionWatch;
import org.apache.eventmesh.state.tck.kit.Events;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** S04: what one who watches the registrations hears. */
public interface SubscriptionWatchRules extends Rules {
    private static Interest wants(String topic, int n) {
        return new Interest(
                topic, Interest.Mode.LOAD_BALANCE, BILLING, Optional.of(Integer.toString(n)), Attributes.NONE);
    }

    @Test
    default void required_S04_a_watch_starts_with_a_snapshot_and_goes_on_in_order() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedClient alice = a.client("alice");
        get(alice.register(wants("before", 0)));
        Mirror mirror = new Mirror();
        b.stores().subscriptions().watch(mirror);
        // a snapshot is consistent, and may be of a moment ago
        eventually(() -> assertThat(mirror.now()).hasSize(1));
        assertThat(mirror.heard()).first().asString().startsWith("=");
        int begun = mirror.heard().size();

        get(alice.register(wants("t", 1)));
        get(alice.register(wants("u", 2)));
        get(alice.unregister("t"));
        get(alice.register(wants("u", 3)));
        get(alice.unregister("before"));

        eventually(() -> assertThat(mirror.heard().subList(begun, mirror.heard().size()))
                .containsExactly("+ alice t", "+ alice u", "- alice t", "+ alice u", "- alice before"));
        assertThat(mirror.now()).containsExactly(new Subscription(wants("u", 3), alice.receiver()));
    }

    @Test
    default void required_S04_no_change_is_left_out_while_many_write() {
        Instance a = open("A");
        Instance b = open("B");
        List<Integer> numbers = new ArrayList<>();
        CompletableFuture<Void> first = new CompletableFuture<>();
        b.stores().subscriptions().watch(new Mirror() {
            @Override
            public synchronized void resynchronised(List<Subscription> all) {
                super.resynchronised(all);
                first.complete(null);
            }

            @Override
            void beforeAdded(Subscription now) {
                numbers.add(Integer.valueOf(now.interest().filter().orElseThrow()));
            }
        });
        get(first);
        OwnedClient alice = a.client("alice");
        List<Integer> written = new ArrayList<>();

        for (int n = 0; n < 300; n++) {
            get(alice.register(wants("topic-" + n % 7, n)));
            written.add(n);
        }

        eventually(() -> assertThat(List.copyOf(numbers)).isEqualTo(written));
    }

    @Test
    default void required_S04_changes_during_a_lost_connection_come_as_a_resynchronisation() {
        Instance a = open("A");
        Instance b = open("B");
        OwnedClient alice = a.client("alice");
        get(alice.register(wants("before", 0)));
        Mirror mirror = new Mirror();
        b.stores().subscriptions().watch(mirror);
        eventually(() -> assertThat(mirror.now()).hasSize(1));

        b.cutOff();
        get(alice.register(wants("during", 1)));
        get(alice.unregister("before"));
        b.heal();

        eventually(
                () -> assertThat(mirror.now()).containsExactly(new Subscription(wants("during", 1), alice.receiver())));
        assertThat(mirror.resynchronisations()).isGreaterThanOrEqualTo(2);
        eventually(() -> assertThat(b.events().of(Events.Resynchronised.class)).isNotEmpty());
        get(alice.register(wants("after", 2)));
        eventually(() -> assertThat(mirror.now()).hasSize(2));
    }

    @Test
    default void required_S04_a_listener_that_throws_harms_only_itself_and_is_reported() {
        Instance a = open("A");
        Mirror bad = new Mirror() {
            @Override
            void beforeAdded(Subscription now) {
                throw new IllegalStateException("thrown by a listener, on purpose");
            }
        };
        Mirror good = new Mirror();
        a.stores().subscriptions().watch(bad);
        a.stores().subscriptions().watch(good);
        // what its snapshot shows is not added
        eventually(() -> assertThat(bad.resynchronisations()).isOne());
        OwnedClient alice = a.client("alice");

        get(alice.register(wants("t", 1)));
        get(alice.register(wants("u", 2)));

        eventually(() -> assertThat(good.now()).hasSize(2));
        eventually(() -> assertThat(a.events().of(Events.ListenerFailed.class))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.failure()).hasMessageContaining("on purpose")));
        eventually(() -> assertThat(a.stores().subscriptions().view().of("u")).hasSize(1));
    }

    @Test
    default void required_S04_a_listener_that_blocks_is_brought_up_to_date_and_delays_nobody() {
        Instance a = open("A");
        CompletableFuture<Void> gate = new CompletableFuture<>();
        Mirror slow = new Mirror() {
            @Override
            void beforeAdded(Subscription now) {
                get(gate);
            }
        };
        Mirror quick = new Mirror();
        a.stores().subscriptions().watch(slow);
        a.stores().subscriptions().watch(quick);
        // what its snapshot shows is not added
        eventually(() -> assertThat(slow.resynchronisations()).isOne());
        OwnedClient alice = a.client("alice");

        for (int n = 0; n < 200; n++) {
            get(alice.register(wants("topic-" + n % 3, n)));
        }
        get(alice.unregister("topic-0"));
        eventually(() -> assertThat(quick.now()).isEqualTo(Mirror.stored(a.stores())));
        gate.complete(null);

        eventually(() -> assertThat(slow.now()).isEqualTo(quick.now()));
        boolean all =
                slow.heard().stream().filter(event -> event.startsWith("+")).count() == 200;
        assertThat(all || slow.resynchronisations() > 1)
                .as("it hears everything, or that it did not")
                .isTrue();
    }

    @Test
    default void required_S04_listeners_that_block_for_ever_hold_up_no_stage_and_no_other_listener() {
        Instance a = open("A");
        CompletableFuture<Void> gate = new CompletableFuture<>();
        AtomicInteger blocked = new AtomicInteger();
        // more than any pool that is as large as the machine
        int many = Runtime.getRuntime().availableProcessors() + 2;
        for (int n = 0; n < many; n++) {
            a.stores().subscriptions().watch(new Mirror() {
                @Override
                public synchronized void resynchronised(List<Subscription> all) {
                    blocked.incrementAndGet();
                    get(gate);
                }
            });
        }
        try {
            eventually(() -> assertThat(blocked).hasValue(many));
            Mirror healthy = new Mirror();
            a.stores().subscriptions().watch(healthy);
            eventually(() -> assertThat(healthy.resynchronisations()).isOne());
            OwnedClient alice = a.client("alice");

            get(alice.register(wants("t", 1)));
            get(alice.register(wants("u", 2)));

            eventually(() -> assertThat(healthy.now()).hasSize(2));
        } finally {
            gate.complete(null);
        }
    }

    @Test
    default void required_S04_a_closed_watch_hears_nothing_more() {
        Instance a = open("A");
        Mirror closed = new Mirror();
        Mirror open = new Mirror();
        SubscriptionWatch watch = a.stores().subscriptions().watch(closed);
        a.stores().subscriptions().watch(open);
        eventually(() -> assertThat(closed.heard()).hasSize(1));

        watch.close();
        watch.close();
        get(a.client("alice").register(wants("t", 1)));

        eventually(() -> assertThat(open.now()).hasSize(1));
        assertThat(closed.heard()).hasSize(1);
    }
}
