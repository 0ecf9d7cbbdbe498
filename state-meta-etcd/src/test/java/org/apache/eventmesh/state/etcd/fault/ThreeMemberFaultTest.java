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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What happens to members of a cluster of three while writers count and a watch looks on: exact, whole, in order. */
@Isolated("faults on a busy machine last longer than they should")
@Timeout(150)
class ThreeMemberFaultTest {
    private static EtcdCluster cluster;
    private final List<RealEngine> engines = new ArrayList<>();
    private RealEngine engine;

    @BeforeAll
    static void startCluster() {
        cluster = EtcdCluster.start(3, EtcdOptions.PLAIN);
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @BeforeEach
    void open() {
        cluster.awaitHealthy();
        for (int i = 0; i < 3; i++) {
            engines.add(RealEngine.open(cluster));
        }
        engine = engines.get(0);
    }

    @AfterEach
    void close() {
        engines.forEach(RealEngine::close);
    }

    /** Counts on three engines while something happens; a watch of a fourth hears each count once. */
    private void countedDuring(String counter, Runnable fault) throws Exception {
        List<WatchEvent> heard = new CopyOnWriteArrayList<>();
        try (RealEngine watching = RealEngine.open(cluster);
                Watch watch = watching.watch(heard::add)) {
            Counting counting = Counting.on(engines, counter);
            fault.run();
            int all = counting.stop();
            Eventually.holds(
                    () -> assertThat(RealEngine.changes(heard, counter)).hasSizeGreaterThanOrEqualTo(all));
            assertThat(RealEngine.changes(heard, counter))
                    .as("each count once, in order")
                    .isEqualTo(IntStream.rangeClosed(1, all)
                            .mapToObj(String::valueOf)
                            .toList());
            assertThat(heard).noneMatch(WatchEvent.Lost.class::isInstance);
            assertThat(watch).isNotNull();
        }
    }

    @Test
    void required_G03_the_leader_is_killed_while_three_writers_count() throws Exception {
        countedDuring("leader-killed", () -> {
            EtcdServer leader = cluster.leader();
            leader.kill();
            Eventually.holds(() -> assertThat(cluster.leader()).isNotSameAs(leader));
            leader.start();
            leader.awaitHealthy();
        });
    }

    @Test
    void required_G03_the_leader_is_paused_while_three_writers_count() throws Exception {
        countedDuring("leader-paused", () -> paused(cluster.leader()));
    }

    @Test
    void required_G03_a_follower_is_paused_while_three_writers_count() throws Exception {
        countedDuring("follower-paused", () -> paused(cluster.follower()));
    }

    private static void paused(EtcdServer member) {
        member.pause();
        try {
            Eventually.passes(OneMemberFaultTest.PAUSE);
        } finally {
            member.resume();
        }
    }

    @Test
    void required_G03_clients_are_cut_off_from_one_member_after_the_other_while_three_writers_count() throws Exception {
        countedDuring("cut-off", () -> {
            for (EtcdServer member : cluster.members()) {
                member.proxy().cut();
                Eventually.passes(Duration.ofMillis(500));
                member.proxy().heal();
            }
        });
    }

    @Test
    void required_G02_an_opening_does_not_wait_for_a_member_that_is_paused() {
        EtcdServer paused = cluster.follower();
        paused.pause();
        try {
            long began = System.nanoTime();
            RealEngine opened = RealEngine.open(cluster);
            engines.add(opened);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(RealEngine.DEADLINE.minusSeconds(3));
            Stages.get(opened.put("opened", "1"));
        } finally {
            paused.resume();
        }
    }

    @Test
    void required_G02_without_a_quorum_calls_fail_in_time_and_with_it_all_goes_on() {
        Stages.get(engine.put("quorum", "1"));
        List<EtcdServer> lost =
                List.of(cluster.members().get(0), cluster.members().get(1));
        lost.forEach(EtcdServer::kill);
        long began = System.nanoTime();
        assertThatThrownBy(() -> engine.text("quorum")).isInstanceOf(StoreUnavailableException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(RealEngine.DEADLINE.plusSeconds(3));

        lost.forEach(EtcdServer::start);
        cluster.awaitHealthy();

        engine.awaitWritable();
        assertThat(engine.text("quorum")).hasValue("1");
    }
}
