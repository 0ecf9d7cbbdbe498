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
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.applied;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.assertj.core.api.Assertions.assertThat;

/** Both levels; that a kill and a power loss lose nothing needs another process and is tested elsewhere. */
public interface DurabilityRules extends EngineRules {
    @Test
    default void required_G03_both_levels_apply_and_are_visible() {
        for (Durability level : Durability.values()) {
            commitAt(engine(), level, level.name());
            assertThat(text(engine(), "a")).contains(level.name());
        }
    }

    @Test
    default void required_G03_a_commit_at_disk_level_is_synced_when_it_is_answered() {
        for (int i = 0; i < 10; i++) {
            commitAt(engine(), Durability.PROCESS, "p" + i);
            long revision = commitAt(engine(), Durability.DISK, "d" + i);
            assertThat(engine().syncedRevision()).isGreaterThanOrEqualTo(revision);
        }
    }

    @Test
    default void required_G03_the_synced_revision_is_never_ahead_and_catches_up_without_traffic() {
        for (int i = 0; i < 50; i++) {
            commitAt(engine(), Durability.PROCESS, "p" + i);
            long synced = engine().syncedRevision();
            assertThat(synced).isLessThanOrEqualTo(get(engine().scan(ALL, 1)).revision());
        }
        long last = commitAt(engine(), Durability.PROCESS, "last");
        Eventually.holds(() -> assertThat(engine().syncedRevision()).isGreaterThanOrEqualTo(last));
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_G03_closing_syncs_what_was_applied_at_process_level() {
        long revision = commitAt(engine(), Durability.PROCESS, "kept");
        engines().reopen();
        assertThat(text(engine(), "a")).contains("kept");
        assertThat(engine().syncedRevision()).isGreaterThanOrEqualTo(revision);
    }

    private long commitAt(Engine engine, Durability level, String value) {
        return applied(get(
                engine.commit(List.of(always(put("a", value))), level).get(0)));
    }
}
