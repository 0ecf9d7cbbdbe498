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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** G12: listings come in pages, in order, and nothing that stays is left out or told twice. */
public interface PagingRules extends Rules {
    /** Not divisible by the sizes of pages below, but by one of them. */
    int MANY = 14;

    private static List<String> numbered(String prefix) {
        return IntStream.range(0, MANY)
                .mapToObj(n -> prefix + String.format("%02d", n))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 14, 15, PageRequest.MAX_LIMIT})
    default void required_G12_progress_is_listed_in_order_and_once(int limit) {
        Instance a = open("A");
        Map<Subscriber, Long> to = new HashMap<>();
        numbered("g").forEach(name -> to.put(Subscriber.group(name), 1L));
        get(a.stores().offsets().advance(a.shard(ORDERS_0), to));
        for (int partition = 1; partition < MANY; partition++) {
            get(a.stores()
                    .offsets()
                    .advance(a.shard(new Partition("orders", partition)), Map.of(Subscriber.group("g00"), 1L)));
        }

        List<Progress> ofTopic =
                Listing.all(limit, page -> a.stores().offsets().list(ProgressFilter.topic("orders"), page));
        List<Progress> ofSubscriber = Listing.all(
                limit, page -> a.stores().offsets().list(ProgressFilter.subscriber(Subscriber.group("g00")), page));

        assertThat(ofTopic).hasSize(2 * MANY - 1).doesNotHaveDuplicates();
        assertThat(ofTopic.subList(0, MANY))
                .extracting(Progress::subscriber)
                .isEqualTo(numbered("g").stream().map(Subscriber::group).toList());
        assertThat(ofTopic.subList(MANY, 2 * MANY - 1))
                .extracting(found -> found.partition().number())
                .isSorted();
        assertThat(ofSubscriber)
                .extracting(found -> found.partition().number())
                .isEqualTo(IntStream.range(0, MANY).boxed().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 100})
    default void required_G12_registrations_and_topics_are_listed_in_order_and_once(int limit) {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        for (String client : numbered("c")) {
            get(a.client(client).register(scene.interest("shared")));
        }
        for (String topic : numbered("t")) {
            get(a.client("c00").register(scene.interest(topic)));
        }

        List<Subscription> ofTopic =
                Listing.all(limit, page -> a.stores().subscriptions().list(SubscriptionFilter.topic("shared"), page));
        List<Subscription> ofClient = Listing.all(
                limit, page -> a.stores().subscriptions().list(SubscriptionFilter.client(new ClientId("c00")), page));
        List<Subscription> ofInstance =
                Listing.all(limit, page -> a.stores().subscriptions().list(SubscriptionFilter.instance("A"), page));
        List<String> topics =
                Listing.all(limit, page -> a.stores().subscriptions().topics(page));

        assertThat(ofTopic)
                .extracting(found -> found.receiver().client().value())
                .isEqualTo(numbered("c"));
        assertThat(ofClient)
                .extracting(found -> found.interest().topic())
                .isSorted()
                .hasSize(MANY + 1);
        assertThat(ofInstance).hasSize(2 * MANY + 1).doesNotHaveDuplicates();
        assertThat(topics).isSorted().doesNotHaveDuplicates().hasSize(MANY + 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 100})
    default void required_G12_deliveries_and_dead_letters_are_listed_in_order_and_once(int limit) {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given = get(shard.open(Examples.range(0, 2 * MANY, BILLING, ALICE)))
                .handOuts()
                .toList();
        for (HandOut dead : given.subList(0, MANY)) {
            get(shard.deadLetter(dead.receipt(), "no"));
            kit().time().jump(Duration.ofMillis(1));
        }

        List<Delivery> open =
                Listing.all(limit, page -> a.stores().deliveries().list(DeliveryFilter.of(ORDERS_0), page));
        List<Delivery> everywhere =
                Listing.all(limit, page -> a.stores().deliveries().list(DeliveryFilter.all(), page));
        List<Delivery> held = Listing.all(
                limit, page -> a.stores().deliveries().list(DeliveryFilter.all().heldBy(ALICE.client()), page));
        for (DeadLetterFilter filter : List.of(
                DeadLetterFilter.all(), DeadLetterFilter.topic("orders"), DeadLetterFilter.subscriber(BILLING))) {
            List<DeadLetter> dead =
                    Listing.all(limit, page -> a.stores().deadLetters().list(filter, page));
            assertThat(dead)
                    .as(filter.toString())
                    .extracting(letter -> letter.id().offset())
                    .isSorted()
                    .doesNotHaveDuplicates()
                    .hasSize(MANY);
        }

        assertThat(open)
                .extracting(Delivery::offset)
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(MANY);
        assertThat(everywhere).isEqualTo(open);
        assertThat(held).isEqualTo(open);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 100})
    default void required_G12_tasks_and_agents_are_listed_in_order_and_once(int limit) {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        for (String name : numbered("x")) {
            get(a.stores().tasks().create(scene.shard, scene.newTask(name), scene.carrier()));
            get(a.stores()
                    .sessions()
                    .register(
                            a.member(),
                            new AgentSpec(new AgentId(name), "kind", 1, Attributes.NONE),
                            Scene.AGENT_LEASE));
        }
        StateStores stores = a.stores();
        List<String> expected = new ArrayList<>(List.of("s-task"));
        numbered("s-x").forEach(expected::add);

        for (TaskFilter filter : List.of(
                TaskFilter.all(),
                TaskFilter.agent(scene.task.agent()),
                TaskFilter.context("s-context"),
                TaskFilter.all().in(TaskState.SUBMITTED),
                TaskFilter.context("s-context").in(TaskState.SUBMITTED))) {
            assertThat(Listing.all(limit, page -> stores.tasks().list(filter, page)))
                    .as(filter.toString())
                    .extracting(task -> task.id().value())
                    .isEqualTo(expected);
        }
        assertThat(Listing.all(limit, page -> stores.sessions().agents(page)))
                .extracting(agent -> agent.spec().id().value())
                .isSorted()
                .doesNotHaveDuplicates()
                .hasSize(MANY + 1);
        assertThat(Listing.all(limit, page -> stores.ownership().ownedBy("A", page)))
                .as("shard, client, and every agent and task")
                .doesNotHaveDuplicates()
                .hasSize(2 + 2 * (MANY + 1));
    }

    @Test
    default void required_G12_what_stays_is_listed_once_while_others_come_and_go() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        for (String name : numbered("stays")) {
            get(a.stores().tasks().create(scene.shard, scene.newTask(name), scene.carrier()));
            get(a.stores().tasks().create(scene.shard, scene.newTask("goes-" + name), scene.carrier()));
        }
        AtomicInteger round = new AtomicInteger();
        List<Task> goes = Listing.all(100, page -> a.stores().tasks().list(TaskFilter.all(), page)).stream()
                .filter(task -> task.id().value().startsWith("s-goes"))
                .toList();

        List<Task> found = Listing.all(3, page -> a.stores().tasks().list(TaskFilter.all(), page), () -> {
            int n = round.getAndIncrement();
            get(a.stores().tasks().create(scene.shard, scene.newTask("a-new-" + n), scene.carrier()));
            // no more than that: the listing would go on for ever
            if (n < 10) {
                get(a.stores().tasks().create(scene.shard, scene.newTask("zz-new-" + n), scene.carrier()));
            }
            if (n < goes.size()) {
                kit().time().jump(Duration.ofSeconds(1));
                get(a.stores().tasks().cancel(goes.get(n).id(), goes.get(n).version(), "goes"));
                get(a.stores().tasks().purge(kit().time().now().plusMillis(1), 1));
            }
        });

        Set<String> stays = Set.copyOf(numbered("s-stays"));
        assertThat(found.stream().map(task -> task.id().value()).filter(stays::contains))
                .isEqualTo(numbered("s-stays"));
        assertThat(found).extracting(Task::id).doesNotHaveDuplicates();
    }

    @Test
    default void required_G12_a_continuation_is_a_place_that_any_instance_can_go_on_from() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        for (String name : numbered("x")) {
            get(a.stores().tasks().create(scene.shard, scene.newTask(name), scene.carrier()));
        }
        Function<StateStores, Function<PageRequest, CompletionStage<Page<Task>>>> list =
                stores -> page -> stores.tasks().list(TaskFilter.all(), page);
        Page<Task> first = get(list.apply(a.stores()).apply(PageRequest.first(5)));
        String position = first.next().orElseThrow().position().orElseThrow();
        Instance b = open("B");
        a.close();

        List<TaskId> rest = get(list.apply(b.stores()).apply(PageRequest.from(position, 100))).items().stream()
                .map(Task::id)
                .toList();

        assertThat(rest)
                .hasSize(MANY + 1 - 5)
                .doesNotContainAnyElementsOf(
                        first.items().stream().map(Task::id).toList());
        assertThat(position).matches("\\p{Print}+");
    }

    @Test
    default void required_G12_the_size_of_a_page_is_bounded() {
        for (int limit : new int[] {0, -1, PageRequest.MAX_LIMIT + 1}) {
            assertThatThrownBy(() -> PageRequest.first(limit))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(Integer.toString(limit))
                    .hasMessageContaining(Integer.toString(PageRequest.MAX_LIMIT));
        }
    }
}
