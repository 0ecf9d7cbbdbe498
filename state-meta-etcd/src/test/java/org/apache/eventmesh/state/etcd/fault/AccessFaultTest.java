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

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.engine.Watch;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.etcd.server.EtcdBinaries;
import org.apache.eventmesh.state.etcd.server.EtcdCluster;
import org.apache.eventmesh.state.etcd.server.EtcdOptions;
import org.apache.eventmesh.state.etcd.server.EtcdServer;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Servers that know users: whoever may not do something is told so, and whoever may again goes on. */
@Timeout(120)
class AccessFaultTest {
    private static final String PASSWORD = "keep-this-to-yourself";
    private static final Map<String, String> LOGIN = Map.of("etcd.user", "runtime", "etcd.password", PASSWORD);
    private static final List<String> ROOT = List.of("--user=root:root");

    /** What a server writes down when it refuses a login that it does not know any more. */
    private static final String FORGOTTEN = "invalid auth token";

    private EtcdCluster cluster;
    private EtcdServer server;

    @TempDir
    Path directory;

    /** As the guide says: one role for the prefix, one user with that role. */
    private void start(String... flags) {
        start(1, flags);
    }

    private void start(int members, String... flags) {
        start(EtcdBinaries.first(), members, flags);
    }

    private void start(Path binary, int members, String... flags) {
        cluster =
                EtcdCluster.start(binary, members, EtcdOptions.PLAIN.with(flags).with("--bcrypt-cost=4"));
        server = cluster.member();
        server.etcdctl("user", "add", "root:root");
        server.etcdctl("user", "grant-role", "root", "root");
        server.etcdctl("role", "add", "eventmesh");
        server.etcdctl("role", "grant-permission", "eventmesh", "readwrite", "--prefix=true", "/faults/");
        server.etcdctl("user", "add", "runtime:" + PASSWORD);
        server.etcdctl("user", "grant-role", "runtime", "eventmesh");
        server.etcdctl("auth", "enable");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private String asRoot(String... command) {
        List<String> all = new ArrayList<>(ROOT);
        all.addAll(List.of(command));
        return server.etcdctl(all.toArray(new String[0]));
    }

    @Test
    void required_G04_a_wrong_password_an_unknown_user_and_none_fail_the_opening_at_once_and_show_no_password() {
        start();
        for (Map<String, String> login : List.<Map<String, String>>of(
                Map.of("etcd.user", "runtime", "etcd.password", PASSWORD + "?"),
                Map.of("etcd.user", "nobody", "etcd.password", PASSWORD),
                Map.of())) {
            long began = System.nanoTime();
            assertThatThrownBy(() -> RealEngine.open(cluster.uri("faults"), login, Duration.ofSeconds(30)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("cannot be opened")
                    .hasMessageContaining("etcd.user")
                    .hasMessageContaining("etcd.password")
                    .hasMessageNotContaining(PASSWORD)
                    .satisfies(refused -> assertThat(whole(refused)).doesNotContain(PASSWORD));
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(15));
        }
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void required_X03_an_opening_logs_in_at_another_member_while_the_first_of_its_address_is_down(Path binary) {
        start(binary, 3);
        cluster.members().get(0).kill();
        cluster.leader();
        try (RealEngine engine = RealEngine.open(cluster, LOGIN)) {
            Stages.get(engine.put("a", "1"));
            assertThat(engine.text("a")).hasValue("1");
        }
    }

    private static String whole(Throwable failure) {
        StringWriter written = new StringWriter();
        failure.printStackTrace(new PrintWriter(written));
        return written.toString();
    }

    /** Newer servers keep more to administrators than older ones. */
    static List<Path> binaries() {
        return EtcdBinaries.all();
    }

    @ParameterizedTest
    @MethodSource("binaries")
    void required_G04_a_role_for_the_prefix_is_enough_and_another_prefix_is_refused_with_what_to_grant(Path binary) {
        start(binary, 1);
        try (RealEngine engine = RealEngine.open(cluster, LOGIN)) {
            Stages.get(engine.put("a", "1"));
            assertThat(engine.text("a")).hasValue("1");
            Lease lease = Stages.get(engine.engine().lease(Duration.ofSeconds(30)));
            Stages.get(engine.commit(
                    new Commit(List.of(), List.of(Change.put(RealEngine.key("leased"), Bytes.utf8("1"), lease.id())))));
            assertThat(Stages.get(lease.renew())).isTrue();
            Stages.get(lease.revoke());
            assertThat(engine.text("leased")).isEmpty();
        }
        assertThatThrownBy(() -> RealEngine.open(cluster.uri("others"), LOGIN, RealEngine.DEADLINE))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("permission denied")
                .hasMessageContaining("etcdctl role grant-permission");
        assertThat(asRoot("get", "--prefix", "/others/")).isEmpty();
    }

    @Test
    void required_G02_a_login_that_was_forgotten_after_its_time_is_made_again_by_itself() throws Exception {
        start("--auth-token-ttl=1");
        goesOnWithoutItsLogin();
    }

    @Test
    void required_G02_a_signed_login_whose_time_has_passed_is_made_again_by_itself() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        Path open = Certificate.pem(
                directory.resolve("public.pem"), "PUBLIC KEY", keys.getPublic().getEncoded());
        Path secret = Certificate.pem(
                directory.resolve("private.pem"),
                "PRIVATE KEY",
                keys.getPrivate().getEncoded());
        start("--auth-token=jwt,pub-key=" + open + ",priv-key=" + secret + ",sign-method=RS256,ttl=1s");
        goesOnWithoutItsLogin();
    }

    private void goesOnWithoutItsLogin() throws IOException {
        List<WatchEvent> heard = new CopyOnWriteArrayList<>();
        try (RealEngine engine = RealEngine.open(cluster, LOGIN)) {
            Stages.get(engine.put("a", "1"));
            try (Watch watch = engine.watch(heard::add)) {
                Stages.get(engine.put("a", "2"));
                Eventually.holds(
                        () -> assertThat(RealEngine.changes(heard, "a")).containsExactly("2"));
                Eventually.passes(Duration.ofSeconds(3));
                Stages.get(engine.put("a", "3"));
                assertThat(Files.readString(server.log()))
                        .as("the server's log")
                        .contains(FORGOTTEN);
                // the watch needs a login as well
                Eventually.passes(Duration.ofSeconds(3));
                server.proxy().cutOnce();
                engine.awaitWritable();
                assertThat(engine.text("a")).hasValue("3");
                Stages.get(engine.put("a", "4"));
                Eventually.holds(
                        () -> assertThat(RealEngine.changes(heard, "a")).containsExactly("2", "3", "4"));
                assertThat(watch).isNotNull();
            }
            assertThat(engine.engine().health().up()).isTrue();
        }
    }

    @Test
    void required_G04_a_role_that_is_revoked_refuses_clearly_and_when_it_is_granted_all_goes_on_by_itself() {
        start();
        try (RealEngine engine = RealEngine.open(cluster, LOGIN)) {
            Stages.get(engine.put("a", "1"));
            asRoot("user", "revoke-role", "runtime", "eventmesh");

            assertThatThrownBy(() -> Stages.get(engine.put("a", "2")))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("permission denied")
                    .hasMessageContaining("nothing was applied")
                    .hasMessageContaining("etcdctl role grant-permission");
            assertThatThrownBy(() -> engine.text("a"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("permission denied");
            Eventually.holds(
                    () -> assertThat(engine.engine().health().advice()).contains("etcdctl role grant-permission"));

            asRoot("user", "grant-role", "runtime", "eventmesh");
            Eventually.holds(() -> assertThat(engine.engine().health().up()).isTrue());
            assertThat(engine.text("a")).hasValue("1");
            Stages.get(engine.put("a", "3"));
            assertThat(engine.text("a")).hasValue("3");
        }
    }
}
