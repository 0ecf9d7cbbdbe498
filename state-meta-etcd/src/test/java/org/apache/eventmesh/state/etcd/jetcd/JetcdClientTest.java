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

import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveResponse;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.etcd.client.ClientSettings;
import org.apache.eventmesh.state.etcd.client.Endpoint;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Tls;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class JetcdClientTest {
    private static ClientSettings settings(Optional<Tls> tls, Endpoint... endpoints) {
        return new ClientSettings("etcd://test", List.of(endpoints), Optional.empty(), tls, 1 << 20);
    }

    @Test
    void required_G10_a_client_that_cannot_be_made_leaves_no_thread() {
        ClientSettings second = settings(Optional.empty(), new Endpoint("one", 1), new Endpoint("my_host", 1));

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> JetcdClient.connect(second))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("my_host");
        }

        Awaitility.await()
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .extracting(Thread::getName)
                        .noneMatch(name -> name.startsWith("eventmesh-state-etcd")));
    }

    /** A server that ends leases late, as while it is slow, tells how long ago their time was over. */
    @ParameterizedTest
    @CsvSource({"29, 30", "0, 1", "-1, 0", "-7, 0"})
    void required_E04_of_a_lease_whose_time_is_over_nothing_is_left(long told, long left) throws Exception {
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new LeaseGrpc.LeaseImplBase() {
                    @Override
                    public void leaseTimeToLive(
                            LeaseTimeToLiveRequest request, StreamObserver<LeaseTimeToLiveResponse> answer) {
                        answer.onNext(LeaseTimeToLiveResponse.newBuilder()
                                .setID(request.getID())
                                .setTTL(told)
                                .build());
                        answer.onCompleted();
                    }
                })
                .build()
                .start();
        try (EtcdClient client =
                JetcdClient.connect(settings(Optional.empty(), new Endpoint("127.0.0.1", server.getPort())))) {
            assertThat(Stages.get(client.timeToLive(1, Duration.ofSeconds(10)))).isEqualTo(left);
        } finally {
            server.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd_1", "a..b", "a-", "1", "etcd.example:99999"})
    void whatever_name_stands_in_the_certificates_a_client_can_be_made(String authority) {
        Tls tls = new Tls(Optional.empty(), Optional.empty(), Optional.of(authority));

        JetcdClient.connect(settings(Optional.of(tls), new Endpoint("one", 1))).close();
    }
}
