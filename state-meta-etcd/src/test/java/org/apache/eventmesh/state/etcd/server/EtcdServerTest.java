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

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The servers that the tests run on are what the tests take them for. */
@Timeout(120)
class EtcdServerTest {
    @Test
    void a_member_that_was_killed_comes_back_on_its_address_with_its_data() {
        try (EtcdCluster cluster = EtcdCluster.start(1, EtcdOptions.PLAIN)) {
            EtcdServer member = cluster.member();
            String address = member.endpoint();
            member.etcdctl("put", "a", "1");
            member.kill();
            assertThat(member.isAlive()).isFalse();
            assertThat(member.isHealthy()).isFalse();

            member.start();
            member.awaitHealthy();

            assertThat(member.endpoint()).isEqualTo(address);
            assertThat(member.etcdctl("get", "a").lines()).containsExactly("a", "1");
            member.terminate();
            assertThat(member.isAlive()).isFalse();
        }
    }

    @Test
    void a_member_that_is_paused_answers_nobody_until_it_is_resumed() {
        try (EtcdCluster cluster = EtcdCluster.start(1, EtcdOptions.PLAIN)) {
            cluster.member().pause();
            assertThat(cluster.member().isHealthy()).isFalse();
            cluster.member().resume();
            cluster.member().awaitHealthy();
        }
    }

    @Test
    void three_members_elect_another_leader_when_theirs_is_killed() {
        try (EtcdCluster cluster = EtcdCluster.start(3, EtcdOptions.PLAIN)) {
            EtcdServer first = cluster.leader();
            first.kill();
            EtcdPlaces.await("nobody follows " + first.name(), () -> cluster.leader() != first);
            EtcdServer second = cluster.leader();
            second.etcdctl("put", "a", "1");
            first.start();
            first.awaitHealthy();
            assertThat(first.etcdctl("get", "a").lines()).containsExactly("a", "1");
        }
    }

    @Test
    void a_server_ends_when_nobody_holds_its_line() {
        ServerProcess server = ServerProcess.start(List.of("sleep", "1000"), EtcdPlaces.log("line.log"));
        assertThat(server.isAlive()).isTrue();
        server.letGo();
        server.awaitEnd();
    }
}
