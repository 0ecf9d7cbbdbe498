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
package org.apache.eventmesh.state.etcd.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A snapshot that comes back: noticed where it was restored plainly, and a new life where it was restored as the guide says. */
@Timeout(120)
class RestoreFaultTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    /** As in the guide. */
    private static final List<String> SUPPORTED =
            List.of("--bump-revision=1000000000", "--mark-compacted", "--initial-cluster-token=restored");

    private EtcdCluster cluster;
    private EtcdServer server;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.start(1, EtcdOptions.PLAIN);
        server = cluster.member();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void restore(Path snapshot, String... flags) throws IOException {
        server.kill();
        server.restore(snapshot, flags);
        server.start();
        server.awaitHealthy();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--initial-cluster-token=etcd-cluster", "--initial-cluster-token=another"})
    void required_ENG_a_snapshot_that_is_restored_plainly_stops_the_engine_for_good(String token) throws Exception {
        try (RealEngine engine = RealEngine.open(cluster)) {
            get(engine.put("a", "1"));
            Path snapshot = server.snapshot();
            for (int i = 2; i < 10; i++) {
                get(engine.put("a", String.valueOf(i)));
            }
            restore(snapshot, token);

            // without anybody asking
            Eventually.holds(() -> assertThat(engine.engine().health().advice())
                    .contains("moved back or replaced")
                    .contains("close all runtimes")
                    .contains("restore as the guide says"));
            assertThat(engine.engine().health().up()).isFalse();
            assertThatThrownBy(() -> get(engine.put("a", "x"))).isInstanceOf(CorruptStateException.class);
            assertThatThrownBy(() -> engine.text("a")).isInstanceOf(CorruptStateException.class);
            assertThat(server.etcdctl("get", "--prefix", "--print-value-only", "/faults/"))
                    .doesNotContain("x");
        }
    }

    private StateStores open() {
        return Possessions.open(List.of(cluster.uri("restored")));
    }

    private static Ack ack(HandOut given) {
        return Ack.of(given.receipt(), Possessions.ALICE.client());
    }

    @Test
    void required_E01_the_supported_restore_begins_a_new_life_in_which_no_token_of_the_old_one_counts()
            throws Exception {
        Path snapshot;
        Token<Partition> before;
        Token<Partition> after;
        List<HandOut> given;
        StateStores forgotten = open();
        try (StateStores stores = open()) {
            Member member = get(stores.join("A", LEASE));
            Shard shard = get(stores.deliveries().claim(member, Possessions.ORDERS))
                    .claimed()
                    .orElseThrow();
            before = shard.token();
            given = get(shard.open(Possessions.messages(0, 3))).handOuts().toList();
            get(shard.ack(ack(given.get(0))));
            snapshot = server.snapshot();
            assertThat(get(shard.ack(ack(given.get(1))))).isInstanceOf(AckResult.Acked.class);
            // an epoch that the snapshot does not know
            after = get(stores.deliveries().takeOver(get(stores.join("B", LEASE)), Possessions.ORDERS))
                    .token();
            assertThat(after.epoch()).isGreaterThan(before.epoch());
        }

        restore(snapshot, SUPPORTED.toArray(new String[0]));
        server.etcdctl("del", "/restored/incarnation");

        try (StateStores stores = open()) {
            Member member = get(stores.join("A", LEASE));
            Shard shard = get(stores.deliveries().takeOver(member, Possessions.ORDERS));
            assertThat(shard.token().incarnation()).isNotEqualTo(before.incarnation());
            for (Token<Partition> old : List.of(before, after)) {
                assertThat(get(stores.deliveries().shard(old).ack(ack(given.get(2)))))
                        .as("under a token of the former life")
                        .isInstanceOf(Fenced.class);
            }
            assertThat(shard.view().all().open())
                    .as("settled after the snapshot, so open again")
                    .isEqualTo(2);
            assertThat(get(shard.open(Possessions.messages(3, 4))).handOuts()).hasSize(1);
            // a runtime that nobody stopped
            Eventually.holds(() -> assertThat(
                            forgotten.health().get(StoreName.DELIVERIES).up())
                    .isFalse());
            assertThatThrownBy(() -> get(forgotten.join("C", LEASE))).isInstanceOf(CorruptStateException.class);
        } finally {
            forgotten.close();
        }
    }
}
