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
package org.apache.eventmesh.state.etcd.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A server that shows a certificate, and wants one from its clients: whatever does not fit is told at once, by its cause. */
@Timeout(60)
class TlsFaultTest {
    private static final String NAME = "etcd.test";

    /** Far above what an opening takes, so that failing at once and giving up are told apart. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    @TempDir
    static Path directory;

    private static Certificate server;
    private static Certificate client;
    private static EtcdCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        server = Certificate.of(NAME, directory);
        client = Certificate.of("client.test", directory);
        EtcdOptions options = new EtcdOptions(
                "https",
                List.of(
                        "--cert-file=" + server.certificate(),
                        "--key-file=" + server.key(),
                        "--client-cert-auth",
                        "--trusted-ca-file=" + client.certificate()),
                List.of());
        cluster = EtcdCluster.start(1, options);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** What fits, but for some options. */
    private static Map<String, String> options(String... changes) {
        Map<String, String> options = new HashMap<>(Map.of(
                "etcd.tls",
                "true",
                "etcd.caFile",
                server.certificate().toString(),
                "etcd.certFile",
                client.certificate().toString(),
                "etcd.keyFile",
                client.key().toString(),
                "etcd.authority",
                NAME));
        for (String change : changes) {
            String[] parts = change.split("=", 2);
            if (parts[1].isEmpty()) {
                options.remove(parts[0]);
            } else {
                options.put(parts[0], parts[1]);
            }
        }
        return options;
    }

    private static void refused(Map<String, String> options, String... told) {
        refused(cluster, options, told);
    }

    private static void refused(EtcdCluster at, Map<String, String> options, String... told) {
        // where the machine has too much to do, a connection may be given up before its handshake has failed
        Eventually.holds(() -> refusedNow(at, options, told));
    }

    private static void refusedNow(EtcdCluster at, Map<String, String> options, String... told) {
        long began = System.nanoTime();
        var refusal = assertThatThrownBy(() -> RealEngine.open(at.uri("faults"), options, DEADLINE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("cannot be opened")
                .hasMessageNotContaining(directory.toString());
        for (String each : told) {
            refusal.hasMessageContaining(each);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .as("told at once")
                .isLessThan(DEADLINE.dividedBy(2));
    }

    @Test
    void required_G04_with_the_right_certificates_on_both_sides_it_opens() {
        try (RealEngine engine = RealEngine.open(cluster, options())) {
            Stages.get(engine.put("a", "1"));
            assertThat(engine.text("a")).hasValue("1");
        }
    }

    @Test
    void required_G04_a_server_that_another_has_signed_fails_the_opening_at_once_and_names_the_option() {
        refused(options("etcd.caFile=" + client.certificate()), "etcd.caFile", "certification path");
        refused(options("etcd.caFile="), "etcd.caFile", "certification path");
    }

    @Test
    void required_G04_a_server_of_another_name_fails_the_opening_at_once_and_names_both() {
        refused(options("etcd.authority=other.test"), "etcd.authority", "other.test");
        refused(options("etcd.authority="), "etcd.authority", "127.0.0.1");
    }

    @Test
    void required_G04_a_client_without_a_certificate_fails_the_opening_at_once_and_names_the_option() {
        refused(options("etcd.certFile=", "etcd.keyFile="), "etcd.certFile", "certificate");
    }

    @Test
    void required_G04_a_client_with_a_certificate_that_the_server_does_not_trust_fails_the_opening_at_once() {
        refused(
                options("etcd.certFile=" + server.certificate(), "etcd.keyFile=" + server.key()),
                "etcd.certFile",
                "certificate");
    }

    @Test
    void required_G04_a_client_without_tls_fails_the_opening_at_once_and_names_the_option() {
        refused(Map.of(), "etcd.tls");
    }

    @Test
    void required_G04_a_server_without_tls_fails_the_opening_at_once_and_names_the_option() {
        try (EtcdCluster plain = EtcdCluster.start(1, EtcdOptions.PLAIN)) {
            refused(plain, options(), "etcd.tls");
        }
    }
}
