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

import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.Health;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A server whose database has reached its quota of 20 MiB. */
@Timeout(120)
class QuotaFaultTest {
    private static final Bytes MEBIBYTE = Bytes.of(new byte[1 << 20]);

    /** Far more than there is room for: a server looks at the size of its database now and then. */
    private static final int MOST = 60;

    private EtcdCluster cluster;
    private EtcdServer server;
    private RealEngine engine;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.start(1, EtcdOptions.PLAIN.with("--quota-backend-bytes=" + (20 << 20)));
        server = cluster.member();
        engine = RealEngine.open(cluster);
    }

    @AfterEach
    void stop() {
        engine.close();
        cluster.close();
    }

    /** Writes until nothing more goes in; what was said then. */
    private Throwable fill() {
        for (int i = 0; i < MOST; i++) {
            String key = "k" + i;
            Throwable refused = catchThrowable(() -> Stages.get(engine.put(key, MEBIBYTE)));
            if (refused != null) {
                assertThat(engine.entry(key)).as("what was refused").isEmpty();
                return refused;
            }
        }
        throw new AssertionError(MOST + " MiB went into 20");
    }

    /** As the message says, when something was deleted. */
    private void remedy() {
        for (int i = 0; i < MOST; i++) {
            Stages.get(engine.delete("k" + i));
        }
        server.etcdctl("compact", "--physical", String.valueOf(engine.engine().syncedRevision()));
        server.etcdctl("defrag");
        server.etcdctl("alarm", "disarm");
    }

    @Test
    void required_G04_a_full_quota_is_named_with_its_remedy_and_after_that_remedy_all_goes_on_by_itself() {
        assertThat(fill())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing was applied")
                .hasMessageContaining("quota")
                .hasMessageContaining("etcdctl compact")
                .hasMessageContaining("etcdctl defrag")
                .hasMessageContaining("etcdctl alarm disarm")
                .hasMessageContaining("--quota-backend-bytes");
        assertThat(engine.engine().health().up()).isFalse();
        assertThat(engine.engine().health().advice()).contains("etcdctl alarm disarm");
        assertThat(engine.entry("k0")).as("reads go on").isPresent();

        assertThat(Stages.get(engine.delete("k0"))).as("deletes go on").isInstanceOf(CommitResult.Applied.class);
        assertThat(engine.entry("k0")).isEmpty();
        assertThatThrownBy(() -> Stages.get(engine.put("more", MEBIBYTE)))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> RealEngine.open(cluster))
                .as("another runtime")
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be opened")
                .hasMessageContaining("etcdctl alarm disarm");

        remedy();
        Eventually.holds(() -> assertThat(engine.engine().health().up()).isTrue());
        assertThat(Stages.get(engine.put("more", MEBIBYTE))).isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void required_G04_the_fate_of_a_write_is_found_out_although_the_quota_is_full() throws Exception {
        fill();
        server.proxy().dropReplies();
        var delete = engine.delete("k1");
        Eventually.holds(() -> assertThat(server.proxy().dropped()).isPositive());
        server.proxy().heal();
        server.proxy().cutOnce();

        assertThat(Stages.get(delete)).isInstanceOf(CommitResult.Applied.class);
        assertThat(engine.entry("k1")).isEmpty();
    }

    @Test
    void required_G04_with_a_full_quota_nothing_is_settled_what_is_removed_goes_and_afterwards_all_goes_on() {
        try (StateStores stores = Possessions.open(List.of(cluster.uri("stores")))) {
            Member member = Stages.get(stores.join("A", Duration.ofMinutes(5)));
            Shard shard = Stages.get(stores.deliveries().claim(member, Possessions.ORDERS))
                    .claimed()
                    .orElseThrow();
            List<HandOut> given = Stages.get(shard.open(Possessions.messages(0, 2)))
                    .handOuts()
                    .toList();
            Stages.get(shard.deadLetter(given.get(0).receipt(), "broken"));
            DeadLetter letter = Stages.get(stores.deadLetters().list(DeadLetterFilter.all(), PageRequest.first(1)))
                    .items()
                    .get(0);
            Ack ack = Ack.of(given.get(1).receipt(), Possessions.ALICE.client());
            fill();

            assertThatThrownBy(() -> Stages.get(shard.ack(ack)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("nothing was applied")
                    .hasMessageContaining("etcdctl alarm disarm");
            assertThat(shard.view().all().open()).as("it stays open").isOne();
            assertThat(stores.health().values())
                    .allMatch(health -> health.advice().contains("etcdctl alarm disarm"));
            assertThat(Stages.get(stores.deadLetters().purge(letter))).isInstanceOf(PurgeResult.Purged.class);

            remedy();
            Eventually.holds(() -> assertThat(stores.health().values()).allMatch(Health::up));
            assertThat(Stages.get(shard.ack(ack))).isInstanceOf(AckResult.Acked.class);
            assertThat(shard.view().watermark()).hasValue(2);
        }
    }
}
