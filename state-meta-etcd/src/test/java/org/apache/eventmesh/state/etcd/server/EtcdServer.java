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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.eventmesh.state.tck.fault.TcpProxy;

/**
 * One member of a cluster, behind a proxy: clients know only the proxy's address, so it may be killed and started again.
 */
public final class EtcdServer implements AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(2))
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private final Path binary;
    private final String name;
    private final Path data;
    private final Path log;
    private final EtcdOptions options;
    private final int clientPort = freePort();
    private final int peerPort = freePort();
    private final int metricsPort = freePort();
    private final TcpProxy proxy;
    private List<String> cluster = List.of();
    private ServerProcess process;

    EtcdServer(Path binary, String name, Path directory, EtcdOptions options) {
        this.binary = binary;
        this.name = name;
        this.data = directory.resolve(name);
        this.log = EtcdPlaces.log(name + "-" + clientPort + ".log");
        this.options = options;
        this.proxy = TcpProxy.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), clientPort));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("looking for a free port", e);
        }
    }

    /** How the other members know it. */
    String peer() {
        return name + "=http://127.0.0.1:" + peerPort;
    }

    void joins(List<String> peers) {
        cluster = List.copyOf(peers);
    }

    public String name() {
        return name;
    }

    public Path binary() {
        return binary;
    }

    /** Where its data lies; only to be looked at while it does not run. */
    public Path data() {
        return data;
    }

    /** What stands between it and its clients. */
    public TcpProxy proxy() {
        return proxy;
    }

    /** Where clients connect to. */
    public String endpoint() {
        return "127.0.0.1:" + proxy.port();
    }

    /** Past the proxy, for what the test itself wants to know. */
    public String direct() {
        return options.scheme() + "://127.0.0.1:" + clientPort;
    }

    /** Starts it, for the first time or again on the data that it has; {@link #awaitHealthy} waits for it. */
    public void start() {
        String client = options.scheme() + "://127.0.0.1:";
        List<String> command = new ArrayList<>(List.of(
                binary.toString(),
                "--name=" + name,
                "--data-dir=" + data,
                "--listen-client-urls=" + client + clientPort,
                "--advertise-client-urls=" + client + proxy.port(),
                "--listen-peer-urls=http://127.0.0.1:" + peerPort,
                "--initial-advertise-peer-urls=http://127.0.0.1:" + peerPort,
                "--initial-cluster=" + String.join(",", cluster),
                "--initial-cluster-state=new",
                "--listen-metrics-urls=http://127.0.0.1:" + metricsPort,
                // short, so that leases may be: the shortest is one and a half election timeouts, in whole seconds
                "--heartbeat-interval=60",
                "--election-timeout=600",
                "--logger=zap",
                "--log-level=warn"));
        command.addAll(options.flags());
        process = ServerProcess.start(command, log);
    }

    /** SIGKILL. */
    public void kill() {
        process.kill();
    }

    /** SIGTERM: it ends in good order. */
    public void terminate() {
        process.signal("TERM");
        process.awaitEnd();
    }

    /** SIGSTOP: it holds its connections and does nothing. */
    public void pause() {
        process.stop();
    }

    /** SIGCONT. */
    public void resume() {
        process.signal("CONT");
    }

    public boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Whether it answers and has a leader. */
    public boolean isHealthy() {
        try {
            return get("/health").contains("\"true\"");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Waits until it answers and has a leader. */
    public void awaitHealthy() {
        EtcdPlaces.await("etcd member " + name + " does not become healthy, see " + log, () -> {
            if (!process.isAlive()) {
                throw new AssertionError("etcd member " + name + " has ended, see " + log);
            }
            return isHealthy();
        });
    }

    /** Whether it is the leader, as it thinks. */
    public boolean leads() {
        return metric("etcd_server_is_leader").orElse(0) == 1;
    }

    /** A number that the server counts; labels as it writes them. Empty when it does not answer. */
    public OptionalDouble metric(String named) {
        try {
            return get("/metrics")
                    .lines()
                    .filter(line -> line.startsWith(named + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(named.length() + 1)))
                    .findFirst();
        } catch (IOException away) {
            return OptionalDouble.empty();
        }
    }

    private String get(String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + metricsPort + path))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while asking etcd", e);
        }
    }

    /** What the operator's tool prints for a command; past the proxy. */
    public String etcdctl(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--endpoints=" + direct()));
        all.addAll(options.clientFlags());
        all.addAll(List.of(arguments));
        return EtcdBinaries.run(EtcdBinaries.beside(binary, "etcdctl"), all);
    }

    /** Saves what it has as the operator does; past the proxy. */
    public Path snapshot() {
        Path file = data.resolveSibling(name + ".snapshot");
        etcdctl("snapshot", "save", file.toString());
        return file;
    }

    /** Replaces its data by a snapshot's, as the operator does; it must not run. */
    public void restore(Path snapshot, String... flags) throws IOException {
        forget();
        List<String> command = new ArrayList<>(List.of(
                "snapshot",
                "restore",
                snapshot.toString(),
                "--name=" + name,
                "--data-dir=" + data,
                "--initial-cluster=" + String.join(",", cluster),
                "--initial-advertise-peer-urls=http://127.0.0.1:" + peerPort));
        command.addAll(List.of(flags));
        EtcdBinaries.run(EtcdBinaries.beside(binary, "etcdutl"), command);
    }

    /** Throws its data away; it must not run. */
    public void forget() throws IOException {
        EtcdPlaces.delete(data);
    }

    /** Where it writes what it has to say. */
    public Path log() {
        return log;
    }

    @Override
    public void close() {
        if (process != null) {
            process.kill();
        }
        proxy.close();
        if (Files.exists(data)) {
            EtcdPlaces.delete(data);
        }
    }
}
