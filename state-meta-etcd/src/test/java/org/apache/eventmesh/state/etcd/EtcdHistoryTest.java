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
package org.apache.eventmesh.state.etcd;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.apache.eventmesh.state.etcd.ScriptedEngine.answer;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.failure;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.key;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What an engine makes of a cluster that is not what it was. */
@Timeout(60)
class EtcdHistoryTest {
    @Test
    void a_revision_below_one_that_was_seen_stops_the_engine() {
        try (ScriptedEngine scripted = new ScriptedEngine(2)) {
            for (int i = 0; i < 10; i++) {
                answer(scripted.commit(put("k", "v" + i)));
            }
            scripted.etcd.moveBack(4);

            assertThat(failure(scripted.engine.read(List.of(key("k")))))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("moved back");

            assertThat(scripted.engine.health().up()).isFalse();
            assertThatThrownBy(() -> scripted.commit(put("k", "w"))).isInstanceOf(CorruptStateException.class);
            assertThatThrownBy(() -> scripted.engine.read(List.of(key("k")))).isInstanceOf(CorruptStateException.class);
        }
    }

    @Test
    void a_commit_after_a_restore_is_not_applied() {
        try (ScriptedEngine scripted = new ScriptedEngine(1)) {
            for (int i = 0; i < 10; i++) {
                answer(scripted.commit(put("k", "v" + i)));
            }
            scripted.etcd.moveBack(4);

            assertThat(failure(scripted.commit(put("k", "w")))).isInstanceOf(CorruptStateException.class);
            assertThat(scripted.etcd.keys()).isNotEmpty();
        }
    }

    @Test
    void another_incarnation_stops_the_engine_without_anybody_asking() {
        try (ScriptedEngine scripted = new ScriptedEngine(1)) {
            scripted.etcd.put(Bytes.utf8("/test/incarnation"), Bytes.utf8("another"));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> !scripted.engine.health().up());
            assertThat(scripted.engine.health().advice()).contains("incarnation");
        }
    }

    @Test
    void opening_again_finds_the_same_incarnation() {
        ScriptedEtcd etcd = new ScriptedEtcd();
        EtcdEngine first = ScriptedEngine.open(etcd, Map.of(), Duration.ofSeconds(5), EngineListener.NONE);
        EtcdEngine second = ScriptedEngine.open(etcd, Map.of(), Duration.ofSeconds(5), EngineListener.NONE);

        assertThat(first.incarnation()).hasSize(32).isEqualTo(second.incarnation());
        first.close();
        second.close();
    }

    @Test
    void an_old_server_is_refused_unless_allowed() {
        ScriptedEtcd etcd = new ScriptedEtcd();
        etcd.versionIs("3.5.9");

        assertThatThrownBy(() -> ScriptedEngine.open(etcd, Map.of(), Duration.ofSeconds(5), EngineListener.NONE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("3.5.9")
                .hasMessageContaining("3.5.16")
                .hasMessageContaining("etcd.allowOldServer=true");
        assertThat(etcd.isClosed()).isTrue();

        ScriptedEngine.open(etcd, Map.of("etcd.allowOldServer", "true"), Duration.ofSeconds(5), EngineListener.NONE)
                .close();
    }
}
