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
package org.apache.eventmesh.state.tck.fault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The proxy in front of a server that says back each byte, plus one. */
@Timeout(30)
class TcpProxyTest {
    private static final int SHORT = 150;

    private final AtomicLong heard = new AtomicLong();
    private ServerSocket server;
    private Thread accepting;
    private TcpProxy proxy;

    @BeforeEach
    void start() throws IOException {
        startServer(0);
        proxy = TcpProxy.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
    }

    private void startServer(int port) throws IOException {
        ServerSocket listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        server = listening;
        accepting = new Thread(
                () -> {
                    while (!listening.isClosed()) {
                        try {
                            Socket accepted = listening.accept();
                            ProxyConnection.run("test echo", () -> echo(accepted));
                        } catch (IOException closed) {
                            return;
                        }
                    }
                },
                "test server");
        accepting.setDaemon(true);
        accepting.start();
    }

    /** Waits for the accepting thread: while it is in its call, the kernel lets connections in to a closed socket. */
    private void stopServer() throws IOException, InterruptedException {
        server.close();
        accepting.join();
    }

    private void echo(Socket socket) {
        try (socket) {
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                heard.incrementAndGet();
                socket.getOutputStream().write(next + 1);
            }
        } catch (IOException reset) {
            // as a server that shrugs
        }
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        proxy.close();
        stopServer();
        Eventually.holds(() -> assertThat(Thread.getAllStackTraces().keySet())
                .as("threads of the proxy")
                .noneMatch(thread -> thread.getName().startsWith("proxy ")));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static int ask(Socket socket, int number) throws IOException {
        socket.getOutputStream().write(number);
        return socket.getInputStream().read();
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SHORT);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(20_000);
    }

    private static void assertReset(Socket socket) {
        assertThatThrownBy(() -> {
                    if (socket.getInputStream().read() < 0) {
                        throw new IOException("ended");
                    }
                })
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void bytes_get_through_and_are_counted() throws IOException {
        try (Socket socket = connect()) {
            assertThat(ask(socket, 7)).isEqualTo(8);
            assertThat(ask(socket, 8)).isEqualTo(9);
            // a byte is counted when it has got through, and may be answered before it is
            Eventually.holds(() -> assertThat(proxy.sent()).isEqualTo(2));
            Eventually.holds(() -> assertThat(proxy.received()).isEqualTo(2));
            assertThat(proxy.open()).isEqualTo(1);
        }
        Eventually.holds(() -> assertThat(proxy.open()).isZero());
        assertThat(proxy.accepted()).isEqualTo(1);
    }

    @Test
    void the_end_of_one_direction_is_passed_on_after_the_last_byte() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(1);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(2);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void a_cut_resets_what_is_connected_and_what_connects_until_it_heals() throws IOException {
        try (Socket before = connect()) {
            ask(before, 1);
            proxy.cut();
            assertReset(before);
            try (Socket during = connect()) {
                assertReset(during);
            }
        }
        proxy.heal();
        try (Socket after = connect()) {
            assertThat(ask(after, 1)).isEqualTo(2);
        }
    }

    @Test
    void a_single_cut_spares_the_next_connection() throws IOException {
        try (Socket before = connect()) {
            ask(before, 1);
            proxy.cutOnce();
            assertReset(before);
        }
        try (Socket after = connect()) {
            assertThat(ask(after, 1)).isEqualTo(2);
        }
    }

    @Test
    void a_black_hole_is_silent_and_what_was_sent_into_it_arrives_afterwards() throws IOException {
        try (Socket socket = connect()) {
            ask(socket, 1);
            proxy.blackHole();
            socket.getOutputStream().write(2);
            assertSilent(socket);
            assertThat(heard).hasValue(1);
            proxy.heal();
            assertThat(socket.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void a_connection_into_a_black_hole_is_silent_too() throws IOException {
        proxy.blackHole();
        try (Socket socket = connect()) {
            socket.getOutputStream().write(2);
            assertSilent(socket);
            proxy.heal();
            assertThat(socket.getInputStream().read()).isEqualTo(3);
        }
    }

    @Test
    void dropped_replies_belong_to_requests_that_arrived_and_never_come() throws IOException {
        try (Socket socket = connect()) {
            ask(socket, 1);
            proxy.dropReplies();
            socket.getOutputStream().write(2);
            Eventually.holds(() -> assertThat(proxy.dropped()).isEqualTo(1));
            assertThat(heard).hasValue(2);
            assertSilent(socket);
            proxy.heal();
            assertReset(socket);
        }
        try (Socket socket = connect()) {
            assertThat(ask(socket, 1)).isEqualTo(2);
        }
    }

    @Test
    void delayed_bytes_arrive_later_and_in_order() throws IOException {
        proxy.delay(Duration.ofMillis(SHORT));
        try (Socket socket = connect()) {
            long began = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                socket.getOutputStream().write(i);
            }
            for (int i = 0; i < 50; i++) {
                assertThat(socket.getInputStream().read()).isEqualTo(i + 1);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(2 * SHORT));
        }
    }

    @Test
    void a_server_that_is_away_shows_as_a_reset_and_may_come_back() throws IOException, InterruptedException {
        int port = server.getLocalPort();
        stopServer();
        try (Socket socket = connect()) {
            assertReset(socket);
        }
        startServer(port);
        try (Socket socket = connect()) {
            assertThat(ask(socket, 1)).isEqualTo(2);
        }
    }
}
