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

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.etcd.client.ClientSettings;
import org.apache.eventmesh.state.etcd.client.Endpoint;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.MemberStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class CallDeadlinesTest {
    private static final Duration DEADLINE = Duration.ofMillis(300);

    @Test
    void required_G02_a_call_to_a_server_that_says_nothing_ends_by_its_deadline_and_not_before() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                EtcdClient client = JetcdClient.connect(new ClientSettings(
                        "silent",
                        List.of(new Endpoint(silent.getInetAddress().getHostAddress(), silent.getLocalPort())),
                        Optional.empty(),
                        Optional.empty(),
                        1 << 20))) {
            long began = System.nanoTime();
            CompletableFuture<MemberStatus> asked = client.status(DEADLINE).toCompletableFuture();

            assertThatThrownBy(() -> asked.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("no answer within")
                    .cause()
                    .isInstanceOfSatisfying(
                            EtcdCallException.class,
                            failure -> assertThat(failure.failure()).isIn(Failure.NOT_SENT, Failure.LOST));
            assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(DEADLINE.toNanos());
        }
    }
}
