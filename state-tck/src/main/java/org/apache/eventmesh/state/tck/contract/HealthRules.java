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
import org.apache.eventmesh.state.observe.Health;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.tck.kit.Events;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** X03: a backend that goes away is seen, by everybody who looks and by everybody who listens. */
public interface HealthRules extends Rules {
    @Test
    default void required_X03_every_store_tells_its_health() {
        Instance a = open("A");
        eventually(() -> assertThat(a.stores().health().get(StoreName.SUBSCRIPTIONS))
                .satisfies(health -> assertThat(health.viewAge()).isLessThan(Duration.ofSeconds(5))));

        Map<StoreName, Health> health = a.stores().health();

        assertThat(health).containsOnlyKeys(StoreName.values());
        assertThat(health.values()).allSatisfy(store -> {
            assertThat(store.up()).isTrue();
            assertThat(store.advice()).isEmpty();
            assertThat(store.backend()).isIn((Object[]) kit().uris());
        });
        assertThat(health.get(StoreName.OFFSETS))
                .satisfies(store -> assertThat(store.viewAge()).isEqualTo(Duration.ZERO));
    }

    @Test
    default void required_X03_a_backend_that_goes_away_and_comes_back_is_told_once_each() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);

        a.cutOff();
        eventually(() -> assertThat(a.stores().health().values()).allSatisfy(store -> {
            assertThat(store.up()).isFalse();
            assertThat(store.advice()).isNotBlank();
        }));
        Operation.reads().forEach(read -> Operation.answers(read.on(scene)));
        eventually(() -> assertThat(changes(a, false)).containsExactlyInAnyOrder(StoreName.values()));
        assertThat(changes(a, true)).isEmpty();
        a.heal();

        eventually(() -> assertThat(a.stores().health().values())
                .allSatisfy(store -> assertThat(store.up()).isTrue()));
        eventually(() -> assertThat(changes(a, true)).containsExactlyInAnyOrder(StoreName.values()));
        Operation.reads().forEach(read -> Operation.answers(read.on(scene)));
        assertThat(changes(a, false)).hasSize(StoreName.values().length);
    }

    private static List<StoreName> changes(Instance at, boolean up) {
        return at.events().of(Events.HealthChanged.class).stream()
                .filter(event -> event.now().up() == up)
                .map(Events.HealthChanged::store)
                .toList();
    }

    @Test
    default void required_X03_views_serve_while_the_backend_is_away_and_say_how_old_they_are() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        String topic = scene.partition.topic();
        eventually(() -> assertThat(a.stores().subscriptions().view().of(topic)).hasSize(1));
        eventually(() ->
                assertThat(a.stores().sessions().view().available("s-kind")).hasSize(1));

        a.cutOff();
        kit().time().pass(Duration.ofMinutes(4));

        assertThat(a.stores().subscriptions().view().of(topic)).hasSize(1);
        assertThat(a.stores().sessions().view().available("s-kind")).hasSize(1);
        assertThat(scene.shard.view().all().open()).isEqualTo(Scene.HELD + 3 + 1);
        for (StoreName store : List.of(StoreName.SUBSCRIPTIONS, StoreName.SESSIONS)) {
            assertThat(a.stores().health().get(store))
                    .as(store.name())
                    .satisfies(health -> assertThat(health.viewAge()).isGreaterThanOrEqualTo(Duration.ofMinutes(4)));
        }
    }

    @Test
    default void required_X03_everything_works_again_after_an_outage() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        a.cutOff();
        Operation.all().forEach(operation -> Operation.answers(operation.on(scene)));

        a.heal();

        Operation.owned()
                .filter(operation -> !operation.name().equals("shard.discard"))
                .forEach(operation -> assertThat(Operation.answers(operation.on(scene)))
                        .as(operation.name())
                        .isNotEmpty()
                        .noneMatch(Throwable.class::isInstance));
    }
}
