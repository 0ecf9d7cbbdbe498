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
package org.apache.eventmesh.state.dispatcher.backend;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.tck.fault.TcpProxy;
import org.apache.eventmesh.state.tck.kit.StoreFixture.ServerTime;

/** A real server, of the program that {@code -Detcd.binaries=…} or {@code ETCD_BINARY} names. It ends with this JVM. */
public final class EtcdServer implements ServerTime {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static final EtcdServer SHARED = new EtcdServer();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;
    private final Process process;
    final TcpProxy proxy;

    private EtcdServer() {
        String binary = named();
        try {
            int port = freePort();
            address = "http://127.0.0.1:" + port;
            String peer = "http://127.0.0.1:" + freePort();
            process = new ProcessBuilder(List.of(
                            binary,
                            "--name=m1",
                            "--data-dir=" + Path.of("target", "etcd-" + port),
                            "--listen-client-urls=" + address,
                            "--advertise-client-urls=" + address,
                            "--listen-peer-urls=" + peer,
                            "--initial-advertise-peer-urls=" + peer,
                            "--initial-cluster=m1=" + peer,
                            "--heartbeat-interval=60",
                            "--election-timeout=600",
                            "--unsafe-no-fsync",
                            "--log-level=warn"))
                    .redirectErrorStream(true)
                    .redirectOutput(Path.of("target", "etcd-" + port + ".log").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            proxy = TcpProxy.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new AssertionError("etcd could not be started", e);
        }
        awaitHealthy();
    }

    /** The first of those that are named. */
    private static String named() {
        String all = System.getProperty("etcd.binaries", System.getenv().getOrDefault("ETCD_BINARY", ""));
        if (all.isBlank()) {
            throw new AssertionError("no server to test with: name an etcd of 3.5.16 or newer by -Detcd.binaries=PATH;"
                    + " tools/etcd-server.sh fetches one and prints its path");
        }
        return all.split(File.pathSeparator, -1)[0];
    }

    String uri(String prefix) {
        return "etcd://127.0.0.1:" + proxy.port() + "/" + prefix;
    }

    @Override
    public boolean keepAlive(long leaseId) {
        return ask("/v3/lease/keepalive", "{\"ID\":\"" + leaseId + "\"}").contains("\"TTL\"");
    }

    @Override
    public void end(long leaseId) {
        ask("/v3/lease/revoke", "{\"ID\":\"" + leaseId + "\"}");
    }

    private void awaitHealthy() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!healthy()) {
            if (System.nanoTime() > end || !process.isAlive()) {
                throw new AssertionError("etcd does not become healthy; see its log in target");
            }
            Thread.onSpinWait();
        }
    }

    private boolean healthy() {
        try {
            return send(HttpRequest.newBuilder(URI.create(address + "/health"))).contains("\"true\"");
        } catch (IOException notYet) {
            return false;
        }
    }

    private String ask(String path, String json) {
        try {
            return send(HttpRequest.newBuilder(URI.create(address + path)).POST(BodyPublishers.ofString(json)));
        } catch (IOException e) {
            throw new AssertionError("etcd does not answer " + path, e);
        }
    }

    private String send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.timeout(Duration.ofSeconds(10)).build(), BodyHandlers.ofString())
                    .body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
