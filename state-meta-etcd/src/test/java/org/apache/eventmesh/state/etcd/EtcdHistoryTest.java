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
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.etcd.ScriptedEtcd.Fate;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Header;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
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
    void required_ENG_what_waited_when_the_engine_stopped_is_never_sent() {
        try (ScriptedEngine scripted = new ScriptedEngine(1)) {
            for (int i = 0; i < 10; i++) {
                answer(scripted.commit(put("k", "v" + i)));
            }
            scripted.etcd.next(new Fate.Held());
            CompletionStage<CommitResult> underWay = scripted.commit(put("a", "1"));
            CompletionStage<CommitResult> waiting = scripted.commit(put("b", "2"));
            int sent = scripted.etcd.written().size();
            scripted.etcd.moveBack(4);

            scripted.etcd.arrive();

            assertThat(failure(underWay)).isInstanceOf(CorruptStateException.class);
            assertThat(failure(waiting))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("moved back");
            assertThat(scripted.etcd.written()).hasSize(sent);
        }
    }

    @Test
    void required_ENG_a_stopped_engine_looks_into_no_slot_and_sends_nothing_again() {
        try (ScriptedEngine scripted = new ScriptedEngine(2)) {
            for (int i = 0; i < 10; i++) {
                answer(scripted.commit(put("k", "v" + i)));
            }
            scripted.etcd.next(new Fate.Refused(Failure.NOT_SENT), new Fate.LostBefore(), new Fate.LostBefore());
            CompletionStage<CommitResult> again = scripted.commit(put("a", "1"));
            CompletionStage<CommitResult> lost = scripted.commit(put("b", "2"));
            int sent = scripted.etcd.written().size();
            scripted.etcd.moveBack(4);
            assertThat(failure(scripted.engine.read(List.of(key("k"))))).isInstanceOf(CorruptStateException.class);

            assertThat(failure(again)).isInstanceOf(CorruptStateException.class);
            assertThat(failure(lost))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("moved back");
            assertThat(scripted.etcd.written()).hasSize(sent);
        }
    }

    @Test
    void required_ENG_the_watches_of_an_engine_that_stops_are_lost_and_their_streams_closed() {
        try (ScriptedEngine scripted = new ScriptedEngine(2)) {
            for (int i = 0; i < 10; i++) {
                answer(scripted.commit(put("k", "v" + i)));
            }
            List<WatchEvent> heard = new CopyOnWriteArrayList<>();
            scripted.engine.watch(new KeyRange(key("k"), key("l")), 1, heard::add);
            scripted.etcd.moveBack(4);

            assertThat(failure(scripted.engine.read(List.of(key("k"))))).isInstanceOf(CorruptStateException.class);

            lost(heard);
            Awaitility.await().until(() -> scripted.etcd.streams().isEmpty());
        }
    }

    @Test
    void required_ENG_a_watch_that_hears_another_cluster_stops_the_engine_and_tells_nothing_of_it() {
        try (ScriptedEngine scripted = new ScriptedEngine(2)) {
            List<WatchEvent> heard = new CopyOnWriteArrayList<>();
            scripted.engine.watch(new KeyRange(key("k"), key("l")), 1, heard::add);
            Bytes changed = Bytes.utf8("/test/k/k");

            scripted.etcd
                    .streams()
                    .get(0)
                    .changes(
                            new Header(8, 1, 50, 1),
                            List.of(new WatchEvent.Changed(50, changed, Optional.empty())),
                            false);

            lost(heard);
            assertThat(scripted.engine.health().up()).isFalse();
            assertThat(scripted.engine.health().advice()).contains("another id");
            assertThatThrownBy(() -> scripted.commit(put("k", "w"))).isInstanceOf(CorruptStateException.class);
        }
    }

    private static void lost(List<WatchEvent> heard) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(heard)
                        .singleElement()
                        .isInstanceOfSatisfying(
                                WatchEvent.Lost.class,
                                lost -> assertThat(lost.reason()).contains("moved back or replaced")));
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
    void required_G04_servers_that_tell_their_version_to_administrators_alone_are_taken() {
        ScriptedEtcd etcd = new ScriptedEtcd();
        etcd.statusFails(Failure.PERMISSION);

        ScriptedEngine.open(etcd, Map.of(), Duration.ofSeconds(5), EngineListener.NONE)
                .close();
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
