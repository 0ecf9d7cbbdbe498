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
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdFixture;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.tck.history.FaultTck;
import org.apache.eventmesh.state.tck.kit.RunsOn;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/** Random faults on three members of its own; afterwards no thread, stream or lease is left. */
@RunsOn("etcd, three members")
@Isolated("it counts the threads of this JVM, and faults on a busy machine last longer than they should")
class EtcdFaultTest extends FaultTck {
    /** Longer than threads stay that nobody needs. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final EtcdCluster CLUSTER = EtcdCluster.start(3, EtcdOptions.PLAIN);

    /** Threads that the JDK and the tools of the tests start when they please, and keep. */
    private static final Pattern OTHERS = Pattern.compile(
            "CompletableFutureDelayScheduler|HttpClient-.*|process reaper.*|awaitility.*|junit.*|surefire.*|ForkJoinPool.*");

    private static Map<String, Long> before = Map.of();

    @BeforeAll
    static void count() {
        before = threads();
    }

    @Override
    protected StoreFixture fixture() {
        return new EtcdFixture(CLUSTER);
    }

    @AfterAll
    static void nothing_is_left() {
        try {
            Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
                for (EtcdServer member : CLUSTER.members()) {
                    assertThat(member.metric("etcd_debugging_mvcc_watch_stream_total"))
                            .as("watch streams of %s", member.name())
                            .hasValue(0);
                    assertThat(member.metric("etcd_debugging_mvcc_watcher_total"))
                            .as("watchers of %s", member.name())
                            .hasValue(0);
                }
                assertThat(leases()).as("leases").isEmpty();
                assertThat(more(threads()))
                        .as("threads that were not there before")
                        .isEmpty();
            });
        } finally {
            CLUSTER.close();
        }
    }

    /**
     * Each with its time and its keys. Commit slots of who was closed while all members were away stay for a week: what
     * was sent through them may still be under way.
     */
    private static List<String> leases() {
        EtcdServer leader = CLUSTER.leader();
        return leader.etcdctl("lease", "list")
                .lines()
                .skip(1)
                .map(lease -> leader.etcdctl("lease", "timetolive", lease, "--keys"))
                .filter(lease -> !lease.contains("TTL(604800s)"))
                .toList();
    }

    /** How many there are of each name, numbers left out. */
    private static Map<String, Long> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .filter(thread -> !OTHERS.matcher(thread.getName()).matches())
                .collect(Collectors.groupingBy(
                        thread -> thread.getName().replaceAll("[0-9]+", "#"), TreeMap::new, Collectors.counting()));
    }

    private static Map<String, Long> more(Map<String, Long> now) {
        Map<String, Long> more = new TreeMap<>();
        now.forEach((name, count) -> {
            long grown = count - before.getOrDefault(name, 0L);
            if (grown > 0) {
                more.put(name, grown);
            }
        });
        return more;
    }
}
