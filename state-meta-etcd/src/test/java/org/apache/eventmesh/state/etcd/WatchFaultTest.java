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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.tck.fault.TcpProxy;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Watches of a real server whose connections are cut, swallowed and outlived: nothing lost in silence, nothing twice. */
@Timeout(120)
class WatchFaultTest {
    private static final int CUTS = 70;

    private EtcdCluster cluster;
    private EtcdServer server;
    private TcpProxy proxy;
    private WatchedCluster watched;
    private final HeardEvents heard = new HeardEvents();

    @BeforeEach
    void start() {
        cluster = EtcdCluster.start(1, EtcdOptions.PLAIN);
        server = cluster.member();
        proxy = server.proxy();
        watched = new WatchedCluster(cluster);
    }

    @AfterEach
    void stop() {
        watched.close();
        cluster.close();
    }

    private Watch watchAfter(long revision) {
        return watched.watches().watch(WatchedCluster.ALL, revision, heard);
    }

    @Test
    void required_S04_a_watch_that_is_cut_70_times_at_random_under_load_loses_and_repeats_nothing() throws Exception {
        Random random = Seeds.next(this);
        Watch watch = watchAfter(watched.putElsewhere());
        AtomicBoolean enough = new AtomicBoolean();
        Bytes filler = Bytes.of(new byte[2_000]);
        CompletableFuture<List<Long>> writer = CompletableFuture.supplyAsync(() -> {
            List<Long> revisions = new ArrayList<>();
            while (!enough.get()) {
                // two changes of one revision, so that a stream may end between them
                revisions.add(
                        watched.write(watched.step("k" + revisions.size() % 7, filler), watched.step("other", filler)));
            }
            return revisions;
        });

        for (int cut = 1; cut <= CUTS; cut++) {
            int until = heard.count() + random.nextInt(60);
            Eventually.holds(() -> assertThat(heard.count()).isGreaterThanOrEqualTo(until));
            long connections = proxy.accepted();
            switch (random.nextInt(3)) {
                case 0 -> {
                    proxy.cutOnce();
                    // a cut while nothing is connected would be none
                    Eventually.holds(() -> assertThat(proxy.accepted()).isGreaterThan(connections));
                }
                case 1 -> {
                    proxy.cut();
                    watched.putElsewhere();
                    proxy.heal();
                    Eventually.holds(() -> assertThat(proxy.accepted()).isGreaterThan(connections));
                }
                default -> {
                    proxy.dropReplies();
                    watched.putElsewhere();
                    proxy.heal();
                }
            }
        }
        enough.set(true);
        List<Long> revisions = writer.get(20, TimeUnit.SECONDS);

        heard.awaitReached(revisions.get(revisions.size() - 1));
        List<Long> twice = new ArrayList<>();
        revisions.forEach(revision -> twice.addAll(List.of(revision, revision)));
        assertThat(heard.changed())
                .extracting(WatchEvent.Changed::revision)
                .as("each change once, in order")
                .isEqualTo(twice);
        assertThat(heard.lost()).isEmpty();
        assertThat(proxy.accepted()).isGreaterThan(CUTS / 2);
        watch.close();
    }

    @Test
    void required_S04_a_backlog_of_more_than_4_MiB_arrives_whole_also_when_it_is_cut_short() {
        long before = watched.putElsewhere();
        Bytes large = Bytes.of(new byte[300_000]);
        for (int i = 0; i < 30; i++) {
            watched.write(
                    watched.step("a" + i, large),
                    watched.step("b" + i, large),
                    watched.step("c" + i, large),
                    watched.step("d" + i, large));
        }
        long last = watched.putElsewhere();
        long began = proxy.received();
        Watch watch = watchAfter(before);
        for (int cut = 1; cut <= 3; cut++) {
            long some = began + cut * 5_000_000L;
            Eventually.holds(() -> assertThat(proxy.received()).isGreaterThan(some));
            proxy.cutOnce();
        }
        heard.awaitReached(last);
        assertThat(heard.count()).isEqualTo(120);
        assertThat(heard.changed()).extracting(WatchEvent.Changed::revision).isSorted();
        assertThat(heard.changed()).extracting(WatchEvent.Changed::key).doesNotHaveDuplicates();
        watch.close();
    }

    @Test
    void required_S04_a_watch_in_a_black_hole_goes_on_by_another_connection() {
        Watch watch = watchAfter(watched.putElsewhere());
        watched.put("a", "1");
        Eventually.holds(() -> assertThat(heard.texts()).containsExactly("a=1"));
        long connections = proxy.accepted();

        proxy.blackHole();
        watched.put("a", "2");
        // the old connection stays in the hole
        Eventually.holds(() -> assertThat(proxy.accepted()).isGreaterThan(connections));
        proxy.heal();

        Eventually.holds(() -> assertThat(heard.texts()).containsExactly("a=1", "a=2"));
        watch.close();
    }

    @Test
    void required_S04_a_server_that_is_paused_and_one_that_is_killed_interrupt_no_watch() {
        Watch watch = watchAfter(watched.putElsewhere());
        watched.put("a", "1");
        Eventually.holds(() -> assertThat(heard.texts()).hasSize(1));
        server.pause();
        server.resume();
        watched.put("a", "2");
        Eventually.holds(() -> assertThat(heard.texts()).hasSize(2));
        server.kill();
        server.start();
        server.awaitHealthy();
        watched.put("a", "3");
        watched.delete("a");
        Eventually.holds(() -> assertThat(heard.texts()).containsExactly("a=1", "a=2", "a=3", "-a"));
        watch.close();
    }

    @Test
    void required_S04_progress_comes_within_about_a_second_of_a_commit_to_other_keys() {
        Watch watch = watchAfter(watched.putElsewhere());
        for (int i = 0; i < 5; i++) {
            long revision = watched.putElsewhere();
            long began = System.nanoTime();
            heard.awaitReached(revision);
            assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)).isLessThan(3_000);
        }
        assertThat(heard.count()).isZero();
        watch.close();
    }

    @Test
    void required_S04_a_compaction_while_cut_off_is_a_loss_that_is_told() {
        Watch watch = watchAfter(watched.put("a", "1"));
        heard.awaitReached(watched.putElsewhere());
        proxy.cut();
        watched.put("a", "2");
        server.etcdctl("compact", String.valueOf(watched.putElsewhere()));
        proxy.heal();
        heard.awaitLost("compacted");
        assertThat(heard.texts()).isEmpty();
        watch.close();
    }

    @Test
    void required_S04_a_compaction_at_the_revision_of_a_delete_hides_no_delete() {
        watched.put("a", "1");
        Watch watch = watchAfter(watched.putElsewhere());
        heard.awaitReached(watched.putElsewhere());
        proxy.cut();
        long deleted = watched.delete("a");
        server.etcdctl("compact", String.valueOf(deleted));
        // started again, releases before 3.5.18 have forgotten the deletion
        server.kill();
        server.start();
        server.awaitHealthy();
        long last = watched.putElsewhere();
        proxy.heal();

        // what counts is that nobody takes the copy for complete without the deletion
        Eventually.holds(() -> assertThat(heard.lost().contains("compacted") || heard.reached() >= last)
                .isTrue());
        if (heard.lost().isEmpty()) {
            assertThat(heard.texts()).contains("-a");
        }
        watch.close();
    }

    @Test
    void required_S04_a_watch_from_a_revision_that_was_compacted_is_lost_at_once() {
        long old = watched.put("a", "1");
        watched.put("a", "2");
        server.etcdctl("compact", String.valueOf(watched.putElsewhere()));
        Watch watch = watchAfter(old);
        heard.awaitLost("compacted");
        watch.close();
    }

    @Test
    void required_S04_a_listener_that_is_too_slow_is_told_so_and_nobody_else_waits() {
        CountDownLatch goOn = new CountDownLatch(1);
        HeardEvents slow = new HeardEvents();
        long before = watched.putElsewhere();
        Watch blocked = watched.watches().watch(WatchedCluster.ALL, before, event -> {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            slow.on(event);
        });
        Watch watch = watchAfter(before);
        Step[] hundred = new Step[100];
        for (int i = 0; i < hundred.length; i++) {
            hundred[i] = watched.step("k" + i, Bytes.utf8("1"));
        }
        for (int i = 0; i <= 1_000; i++) {
            watched.write(hundred);
        }
        heard.awaitReached(watched.putElsewhere());
        assertThat(heard.count()).isEqualTo(100_100);
        goOn.countDown();
        slow.awaitLost("too slow");
        blocked.close();
        watch.close();
    }
}
