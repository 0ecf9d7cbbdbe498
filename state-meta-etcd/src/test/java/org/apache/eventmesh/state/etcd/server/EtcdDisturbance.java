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
package org.apache.eventmesh.state.etcd.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.eventmesh.state.tck.fault.TcpProxy;
import org.apache.eventmesh.state.tck.kit.StoreFixture.Disturbance;

/** What happens to the members of a cluster and to the network before them; the cluster is well when it is over. */
record EtcdDisturbance(String name, EtcdCluster cluster, BiFunction<EtcdCluster, Random, Runnable> fault)
        implements Disturbance {
    private static final Pattern REVISION = Pattern.compile("\"revision\":(\\d+)");

    /** One of each kind that a cluster of this size can suffer. */
    static List<Disturbance> of(EtcdCluster cluster) {
        List<EtcdDisturbance> all = new ArrayList<>(List.of(
                kind("member killed", cluster, (them, random) -> kill(List.of(any(them, random)))),
                kind("leader killed", cluster, (them, random) -> kill(List.of(them.leader()))),
                kind("all members killed", cluster, (them, random) -> kill(them.members())),
                kind("member restarted", cluster, (them, random) -> {
                    EtcdServer member = any(them, random);
                    member.terminate();
                    return member::start;
                }),
                kind("member stopped", cluster, (them, random) -> pause(List.of(any(them, random)))),
                kind("leader stopped", cluster, (them, random) -> pause(List.of(them.leader()))),
                kind("all members stopped", cluster, (them, random) -> pause(them.members())),
                kind("cut", cluster, (them, random) -> network(them, random, TcpProxy::cut)),
                kind("black hole", cluster, (them, random) -> network(them, random, TcpProxy::blackHole)),
                kind("replies dropped", cluster, (them, random) -> network(them, random, TcpProxy::dropReplies)),
                kind("delay", cluster, (them, random) -> {
                    Duration delay = Duration.ofMillis(1 + random.nextInt(300));
                    them.proxies(proxy -> proxy.delay(delay));
                    return () -> them.proxies(proxy -> proxy.delay(Duration.ZERO));
                }),
                kind("connections reset", cluster, (them, random) -> {
                    them.proxies(TcpProxy::cutOnce);
                    return () -> them.proxies(TcpProxy::cutOnce);
                }),
                kind("compaction", cluster, (them, random) -> {
                    compact(them);
                    return () -> compact(them);
                }),
                kind("compaction while cut off", cluster, (them, random) -> {
                    Runnable healed = network(them, random, TcpProxy::blackHole);
                    return () -> {
                        compact(them);
                        healed.run();
                    };
                }),
                kind("defragmentation", cluster, (them, random) -> {
                    any(them, random).etcdctl("defrag");
                    return () -> {};
                })));
        if (cluster.members().size() > 2) {
            all.add(kind("quorum killed", cluster, (them, random) -> kill(most(them, random))));
            all.add(kind("quorum stopped", cluster, (them, random) -> pause(most(them, random))));
            all.add(kind("leader moved", cluster, (them, random) -> {
                moveLeader(them);
                return () -> moveLeader(them);
            }));
        }
        return List.copyOf(all);
    }

    private static EtcdDisturbance kind(
            String name, EtcdCluster cluster, BiFunction<EtcdCluster, Random, Runnable> fault) {
        return new EtcdDisturbance(name, cluster, fault);
    }

    @Override
    public Runnable begin(Random random) {
        Runnable end = fault.apply(cluster, random);
        return () -> {
            end.run();
            cluster.awaitHealthy();
        };
    }

    @Override
    public String toString() {
        return name;
    }

    private static EtcdServer any(EtcdCluster cluster, Random random) {
        return cluster.members().get(random.nextInt(cluster.members().size()));
    }

    /** All but one. */
    private static List<EtcdServer> most(EtcdCluster cluster, Random random) {
        EtcdServer spared = any(cluster, random);
        return cluster.members().stream().filter(member -> member != spared).toList();
    }

    private static Runnable kill(List<EtcdServer> members) {
        members.forEach(EtcdServer::kill);
        return () -> members.forEach(EtcdServer::start);
    }

    private static Runnable pause(List<EtcdServer> members) {
        members.forEach(EtcdServer::pause);
        return () -> members.forEach(EtcdServer::resume);
    }

    /** Before one member, or before all. */
    private static Runnable network(EtcdCluster cluster, Random random, Consumer<TcpProxy> change) {
        if (random.nextBoolean()) {
            cluster.proxies(change);
        } else {
            change.accept(any(cluster, random).proxy());
        }
        return () -> cluster.proxies(TcpProxy::heal);
    }

    /** Up to the latest revision that a member knows. */
    private static void compact(EtcdCluster cluster) {
        EtcdServer leader = cluster.leader();
        String status = leader.etcdctl("endpoint", "status", "--write-out=json");
        Matcher revision = REVISION.matcher(status);
        if (!revision.find()) {
            throw new AssertionError("no revision in " + status);
        }
        try {
            leader.etcdctl("compact", revision.group(1));
        } catch (AssertionError refused) {
            if (!String.valueOf(refused.getMessage()).contains("has been compacted")) {
                throw refused;
            }
        }
    }

    private static void moveLeader(EtcdCluster cluster) {
        EtcdServer leader = cluster.leader();
        String id = leader.etcdctl("member", "list")
                .lines()
                .map(line -> line.split(", ", -1))
                .filter(parts -> parts.length > 2 && !parts[2].equals(leader.name()))
                .map(parts -> parts[0])
                .findFirst()
                .orElseThrow();
        leader.etcdctl("move-leader", id);
    }
}
