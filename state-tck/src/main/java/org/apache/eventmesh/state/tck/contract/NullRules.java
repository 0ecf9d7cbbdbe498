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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.DeadLetterStore;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.DeliveryStateStore;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.OffsetStore;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Ownership;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.AgentView;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.session.SessionStore;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.subscription.SubscriptionStore;
import org.apache.eventmesh.state.subscription.SubscriptionView;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TaskStore;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** G05: a null is refused at the call that gives it, by the argument's name, and nothing comes of it. */
public interface NullRules extends Rules {
    @Test
    default void required_G05_null_is_refused_by_every_method_of_stores_and_handles() {
        Instance a = open("A");
        Scene scene = new Scene("scene", a);
        Map<String, Object> before = Digest.of(scene, a.stores());
        Map<Class<?>, Object> given = arguments(scene);
        SoftAssertions soft = new SoftAssertions();

        int refused = 0;
        for (Map.Entry<Class<?>, Object> target : targets(scene).entrySet()) {
            for (Method method : target.getKey().getMethods()) {
                if (!Modifier.isStatic(method.getModifiers())) {
                    refused += refusesEach(method, target.getValue(), given, soft);
                }
            }
        }

        soft.assertAll();
        assertThat(refused).isGreaterThan(90);
        assertThat(Digest.of(scene, a.stores())).isEqualTo(before);
        assertThat(get(scene.shard.ack(scene.ack(0)))).isNotNull();
    }

    private static int refusesEach(Method method, Object target, Map<Class<?>, Object> given, SoftAssertions soft) {
        Class<?>[] types = method.getParameterTypes();
        int refused = 0;
        for (int i = 0; i < types.length; i++) {
            if (types[i].isPrimitive()) {
                continue;
            }
            refused++;
            refuses(method, target, with(types, given, i, null), "#" + i, soft);
            if (types[i] == Collection.class) {
                List<@Nullable Object> missing = Collections.singletonList(null);
                refuses(method, target, with(types, given, i, missing), "#" + i + " of null", soft);
            }
        }
        return refused;
    }

    private static @Nullable Object[] with(
            Class<?>[] types, Map<Class<?>, Object> given, int at, @Nullable Object instead) {
        @Nullable Object[] arguments = new @Nullable Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = i == at ? instead : given.get(types[i]);
            assertThat(i == at || arguments[i] != null)
                    .as("an example of %s is known", types[i])
                    .isTrue();
        }
        return arguments;
    }

    private static void refuses(
            Method method, Object target, @Nullable Object[] arguments, String what, SoftAssertions soft) {
        soft.assertThatThrownBy(() -> {
                    try {
                        method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                })
                .as(
                        "%s.%s(%s) %s",
                        method.getDeclaringClass().getSimpleName(),
                        method.getName(),
                        Arrays.toString(method.getParameterTypes()),
                        what)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(?s).*(must not be null|is empty|offset is null); .+");
    }

    private static Map<Class<?>, Object> targets(Scene scene) {
        StateStores stores = scene.stores();
        Map<Class<?>, Object> targets = new LinkedHashMap<>();
        targets.put(StateStores.class, stores);
        targets.put(Ownership.class, stores.ownership());
        targets.put(OffsetStore.class, stores.offsets());
        targets.put(SubscriptionStore.class, stores.subscriptions());
        targets.put(DeliveryStateStore.class, stores.deliveries());
        targets.put(SessionStore.class, stores.sessions());
        targets.put(DeadLetterStore.class, stores.deadLetters());
        targets.put(TaskStore.class, stores.tasks());
        targets.put(Shard.class, scene.shard);
        targets.put(OwnedClient.class, scene.client);
        targets.put(OwnedAgent.class, scene.agent);
        targets.put(OwnedTask.class, scene.ownedTask);
        targets.put(SubscriptionView.class, stores.subscriptions().view());
        targets.put(AgentView.class, stores.sessions().view());
        return targets;
    }

    /** What stands beside the null: all of it good. */
    private static Map<Class<?>, Object> arguments(Scene scene) {
        Map<Class<?>, Object> given = new LinkedHashMap<>();
        given.put(int.class, 1);
        given.put(long.class, 1L);
        given.put(boolean.class, true);
        given.put(String.class, "text");
        given.put(Duration.class, Scene.AGENT_LEASE);
        given.put(Instant.class, Instant.EPOCH);
        given.put(Collection.class, List.of());
        given.put(Map.class, Map.of());
        given.put(PageRequest.class, PageRequest.first(10));
        given.put(Member.class, scene.at.member());
        given.put(Partition.class, scene.partition);
        given.put(ClientId.class, scene.client.token().scope());
        given.put(TaskId.class, scene.task.id());
        given.put(SessionId.class, scene.session);
        given.put(Subscriber.class, scene.reader);
        given.put(RequestKey.class, RequestKey.of("request"));
        given.put(AgentSpec.class, scene.agentSpec());
        given.put(Agent.class, scene.agentAsRead);
        given.put(Shard.class, scene.shard);
        given.put(Receipt.class, scene.held.get(0).receipt());
        given.put(
                Nack.class,
                new Nack(scene.held.get(0).receipt(), scene.client.token().scope(), "reason"));
        given.put(Retry.class, new Retry(3, Duration.ofSeconds(1), Duration.ofSeconds(2)));
        given.put(Route.class, (Route) delivery -> Optional.empty());
        given.put(Reset.class, new Reset(OptionalLong.of(5), 0, Optional.empty()));
        given.put(DeadLetter.class, scene.letter);
        given.put(NewTask.class, scene.newTask("another"));
        given.put(Carrier.class, scene.carrier());
        given.put(Task.class, scene.task);
        given.put(TaskChange.class, TaskChange.to(TaskState.WORKING));
        given.put(ProgressFilter.class, ProgressFilter.topic(scene.partition.topic()));
        given.put(SubscriptionFilter.class, SubscriptionFilter.topic(scene.partition.topic()));
        given.put(DeliveryFilter.class, DeliveryFilter.of(scene.partition));
        given.put(DeadLetterFilter.class, DeadLetterFilter.topic(scene.partition.topic()));
        given.put(TaskFilter.class, TaskFilter.context("context"));
        return given;
    }
}
