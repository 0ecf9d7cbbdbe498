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

import java.util.Set;
import java.util.stream.Stream;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Durability;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** G03: what may wait for its sync at the level of processes, and what is synced at any level. */
public interface SyncRules extends Rules {
    /** Open, ack, nack, hand-out, release, advance and confirm. */
    Set<String> MAY_WAIT = Set.of(
            "shard.open",
            "shard.ack",
            "shard.ackAll",
            "shard.nack",
            "shard.nackAll",
            "shard.handOut",
            "shard.release",
            "shard.releaseInstance",
            "shard.confirm",
            "offsets.advance");

    @Test
    default void required_G03_only_what_may_wait_for_its_sync_does() {
        Instance a = kit().open("A", settings -> settings.durability(Durability.PROCESS));
        Scene scene = new Scene("s", a);

        SoftAssertions soft = new SoftAssertions();
        Stream.concat(Operation.owned(), Operation.free())
                .filter(operation -> !MAY_WAIT.contains(operation.name()))
                .forEach(operation -> {
                    long before = a.faults().unsynced();
                    Operation.answers(operation.on(scene));
                    soft.assertThat(a.faults().unsynced() - before)
                            .as("commits of %s that are not synced", operation)
                            .isZero();
                });
        soft.assertAll();
    }

    @Test
    default void required_G03_what_may_wait_waits_at_the_level_of_processes_alone() {
        for (Durability level : Durability.values()) {
            Instance a = kit().open("at " + level, settings -> settings.durability(level));
            Scene scene = new Scene("s" + level, a);
            long before = a.faults().unsynced();

            Operation.answers(Operation.named("shard.ack").on(scene));

            assertThat(a.faults().unsynced() > before).as("at %s", level).isEqualTo(level == Durability.PROCESS);
        }
    }
}
