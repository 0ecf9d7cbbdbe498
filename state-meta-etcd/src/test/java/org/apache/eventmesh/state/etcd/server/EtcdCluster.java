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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.tck.fault.TcpProxy;

/** Some members of etcd on this machine, each behind a proxy. All of it ends with this JVM at the latest. */
public final class EtcdCluster implements AutoCloseable {
    private static final Map<Integer, EtcdCluster> SHARED = new ConcurrentHashMap<>();

    private final Path directory = EtcdPlaces.newDirectory();
    private final List<EtcdServer> members;

    private EtcdCluster(Path binary, int size, EtcdOptions options) {
        members = IntStream.rangeClosed(1, size)
                .mapToObj(i -> new EtcdServer(binary, "m" + i, directory, options))
                .toList();
        List<String> peers = members.stream().map(EtcdServer::peer).toList();
        members.forEach(member -> member.joins(peers));
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "end of etcd"));
    }

    /** The cluster of this size that the tests of this JVM share; nobody may harm it for longer than a test lasts. */
    public static EtcdCluster shared(int size) {
        return SHARED.computeIfAbsent(size, members -> start(members, EtcdOptions.PLAIN));
    }

    /** A healthy cluster of one's own, of the first binary. */
    public static EtcdCluster start(int size, EtcdOptions options) {
        return start(EtcdBinaries.first(), size, options);
    }

    /** A healthy cluster of one's own. */
    public static EtcdCluster start(Path binary, int size, EtcdOptions options) {
        EtcdCluster cluster = new EtcdCluster(binary, size, options);
        try {
            cluster.members.forEach(EtcdServer::start);
            cluster.awaitHealthy();
            return cluster;
        } catch (AssertionError | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    public List<EtcdServer> members() {
        return members;
    }

    /** The only member, or the first. */
    public EtcdServer member() {
        return members.get(0);
    }

    /** Waits until there is one. */
    public EtcdServer leader() {
        EtcdPlaces.await("no member leads", () -> members.stream().anyMatch(EtcdServer::leads));
        return members.stream().filter(EtcdServer::leads).findFirst().orElseGet(this::leader);
    }

    /** One that does not lead; needs more than one member. */
    public EtcdServer follower() {
        EtcdServer leader = leader();
        return members.stream().filter(member -> member != leader).findFirst().orElseThrow();
    }

    public void awaitHealthy() {
        members.forEach(EtcdServer::awaitHealthy);
    }

    /** What a store set opens, by way of the proxies. */
    public String uri(String prefix) {
        return "etcd://" + endpoints() + "/" + prefix;
    }

    /** Host and port of each proxy. */
    public String endpoints() {
        return members.stream().map(EtcdServer::endpoint).collect(Collectors.joining(","));
    }

    /** Does the same to what stands before each member. */
    public void proxies(Consumer<TcpProxy> change) {
        members.forEach(member -> change.accept(member.proxy()));
    }

    /** Kills all members and throws their data away. May be called twice. */
    @Override
    public void close() {
        members.forEach(EtcdServer::close);
        if (Files.exists(directory)) {
            EtcdPlaces.delete(directory);
        }
    }
}
