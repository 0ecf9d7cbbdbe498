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
package org.apache.eventmesh.state.etcd.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.tck.fault.TcpProxy;
import org.awaitility.Awaitility;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** One member in a container, behind a proxy. It ends with this JVM. */
final class EtcdContainer {
    private static final int CLIENTS = 2379;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Map<String, EtcdContainer> SHARED = new ConcurrentHashMap<>();

    private final GenericContainer<?> container;
    private final EtcdGateway gateway;
    private final TcpProxy proxy;

    private EtcdContainer(String image) {
        int port = freePort();
        container = new GenericContainer<>(DockerImageName.parse(image))
                .withCommand(
                        "etcd",
                        "--name=m1",
                        "--data-dir=/etcd-data",
                        "--listen-client-urls=http://0.0.0.0:" + CLIENTS,
                        "--advertise-client-urls=http://127.0.0.1:" + port,
                        // as short as those of the servers without a container, so that leases are the same
                        "--heartbeat-interval=60",
                        "--election-timeout=600",
                        // no power fails here, and the disk of a container engine may be slow
                        "--unsafe-no-fsync",
                        "--logger=zap",
                        "--log-level=warn")
                .withExposedPorts(CLIENTS)
                .waitingFor(Wait.forHttp("/health")
                        .forPort(CLIENTS)
                        .forResponsePredicate(EtcdContainer::healthy)
                        .withStartupTimeout(PATIENCE));
        // one that stays when it is started again
        container.setPortBindings(List.of(port + ":" + CLIENTS));
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop, "end of " + image));
        gateway = new EtcdGateway("http://127.0.0.1:" + port);
        proxy = TcpProxy.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** The server of an image that the tests of this JVM share. */
    static EtcdContainer shared(String image) {
        return SHARED.computeIfAbsent(image, EtcdContainer::new);
    }

    /** Where clients connect to. */
    String endpoint() {
        return "127.0.0.1:" + proxy.port();
    }

    /** What stands between it and its clients. */
    TcpProxy proxy() {
        return proxy;
    }

    /** Past the proxy. */
    EtcdGateway gateway() {
        return gateway;
    }

    /** SIGKILL. */
    void kill() {
        container
                .getDockerClient()
                .killContainerCmd(container.getContainerId())
                .withSignal("KILL")
                .exec();
        Awaitility.await().atMost(PATIENCE).until(() -> !container.isRunning());
    }

    /** Again, on the data and at the address that it had. */
    void start() {
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> healthy(gateway.get("/health")));
    }

    private static boolean healthy(String answer) {
        return answer.contains("\"true\"");
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("looking for a free port", e);
        }
    }
}
