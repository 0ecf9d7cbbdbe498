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
package org.apache.eventmesh.state.tck.engine;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineProvider;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Several instances in one process on one place, and what the provider says of it. */
public interface SharingRules extends EngineRules {
    @Test
    default void required_G01_instances_of_one_process_see_what_each_other_wrote() {
        Engine one = engines().shared();
        Engine other = engines().shared();
        assertThat(other.incarnation()).isEqualTo(one.incarnation());
        WatchLog log = new WatchLog();
        Watch watch = other.watch(ALL, get(other.scan(ALL, 1)).revision(), log);
        Lease lease = get(one.lease(LeaseRules.TTL));
        apply(one, always(put("a", "1", lease)));
        assertThat(text(other, "a")).contains("1");
        assertThat(get(other.remaining(lease.id()))).isPositive();
        get(lease.revoke());
        assertThat(read(other, "a")).isEmpty();
        log.awaitChanges("a=1", "-a");
        watch.close();
    }

    @Test
    default void required_G10_an_instance_that_is_closed_leaves_the_others_alone() {
        Engine kept = engines().shared();
        Engine closed = engines().shared();
        WatchLog lost = new WatchLog();
        Watch watch = closed.watch(ALL, get(closed.scan(ALL, 1)).revision(), lost);
        WatchLog log = new WatchLog();
        Watch keptWatch = kept.watch(ALL, get(kept.scan(ALL, 1)).revision(), log);
        closed.close();
        closed.close();
        lost.awaitLost();
        assertThat(failure(() -> closed.read(List.of(key("a"))))).isInstanceOf(StoreClosedException.class);
        assertThat(failure(() -> closed.commit(List.of(always(put("a", "1"))), Durability.DISK)
                        .get(0)))
                .isInstanceOf(StoreClosedException.class);
        apply(kept, always(put("a", "2")));
        log.awaitChanges("a=2");
        watch.close();
        keptWatch.close();
    }

    @Test
    default void required_G10_a_place_can_be_opened_while_others_close_it() {
        try (Threads threads = new Threads()) {
            for (int i = 0; i < 4; i++) {
                String name = "t" + i;
                threads.run(() -> {
                    for (int round = 0; round < 10; round++) {
                        try (Engine engine = engines().shared()) {
                            apply(engine, always(put(name, String.valueOf(round))));
                            assertThat(text(engine, name)).contains(String.valueOf(round));
                        }
                    }
                });
            }
            threads.await();
        }
    }

    @Test
    default void required_ENG_the_provider_names_a_place_in_one_way() {
        EngineProvider provider = engines().kit().fixture().provider();
        EngineConfig config = engines().config();
        assertThat(config.uri()).startsWith(provider.scheme() + ":");
        Optional<String> name = provider.sharedUnder(config);
        assertThat(provider.sharedUnder(config)).isEqualTo(name);
    }

    @Test
    default void required_ENG_an_unknown_option_is_refused_by_name() {
        EngineConfig config = engines().config();
        EngineConfig mistyped = new EngineConfig(
                config.uri(),
                Map.of("no-such-option", "secret-value"),
                config.deadline(),
                config.clock(),
                config.ticker(),
                config.listener());
        assertThatThrownBy(() ->
                        engines().kit().fixture().provider().open(mistyped).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-such-option")
                .hasMessageNotContaining("secret-value");
    }
}
