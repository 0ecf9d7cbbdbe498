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
package org.apache.eventmesh.state.etcd.jetcd;

import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.eventmesh.state.etcd.client.ClientSettings;
import org.apache.eventmesh.state.etcd.client.Endpoint;
import org.apache.eventmesh.state.etcd.client.Tls;
import org.jspecify.annotations.Nullable;

/** Makes the channels of one client, and has its threads: those of the network and one for names. */
final class Connector {
    /** A host that does not answer at all must not use up the time of a call. */
    private static final int CONNECT_MILLIS = 2_000;
    /** The least that gRPC takes; a stalled member is found sooner by {@link Watchdog}. */
    private static final int PING_SECONDS = 10;

    private static final int PING_ANSWER_SECONDS = 3;
    private static final int NETWORK_THREADS = 2;

    private final ClientSettings settings;
    private final @Nullable SslContext ssl;
    private final EventLoopGroup network;
    private final ExecutorService names;
    private final CallDeadlines deadlines;

    /**
     * @throws IllegalArgumentException when a file of the TLS settings cannot be used
     */
    Connector(ClientSettings settings) {
        this.settings = settings;
        this.ssl = settings.tls().map(Connector::ssl).orElse(null);
        this.network = new NioEventLoopGroup(NETWORK_THREADS, new DefaultThreadFactory("eventmesh-state-etcd", true));
        this.deadlines = new CallDeadlines(network);
        this.names = Executors.newCachedThreadPool(new DefaultThreadFactory("eventmesh-state-etcd-names", true));
    }

    ManagedChannel connect(Endpoint endpoint) {
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .eventLoopGroup(network)
                .channelType(NioSocketChannel.class)
                // answers are handed on where they arrive: one hop of threads less on each call
                .directExecutor()
                .offloadExecutor(names)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .maxInboundMessageSize(settings.maxAnswerBytes())
                .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_ANSWER_SECONDS, TimeUnit.SECONDS)
                // a write that may have been taken must not be sent again
                .disableRetry()
                .intercept(new CallRules());
        if (ssl == null) {
            return builder.usePlaintext().build();
        }
        settings.tls().flatMap(Tls::authority).ifPresent(builder::overrideAuthority);
        return builder.sslContext(ssl).build();
    }

    EventLoopGroup network() {
        return network;
    }

    CallDeadlines deadlines() {
        return deadlines;
    }

    /** Returns when the threads have ended, or after a while. */
    void close() {
        names.shutdownNow();
        network.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }

    private static SslContext ssl(Tls tls) {
        SslContextBuilder builder = GrpcSslContexts.forClient();
        tls.ca()
                .ifPresent(file -> use(
                        "the file of etcd.caFile",
                        "certificates in PEM form",
                        () -> builder.trustManager(file.toFile())));
        Optional<Tls.Identity> identity = tls.identity();
        identity.ifPresent(shown -> use(
                "one of the files of etcd.certFile and etcd.keyFile",
                "a certificate and its PKCS #8 key (BEGIN PRIVATE KEY) in PEM form",
                () -> builder.keyManager(
                        shown.certificate().toFile(), shown.key().toFile())));
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalArgumentException("the TLS settings of etcd cannot be used: " + e.getMessage(), e);
        }
    }

    private static void use(String what, String wanted, Runnable use) {
        try {
            use.run();
        } catch (IllegalArgumentException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException(
                    what + " cannot be used (" + cause.getClass().getSimpleName()
                            + "); it must be there, readable, and hold " + wanted,
                    e);
        }
    }
}
