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
package org.apache.eventmesh.state.etcd;

import java.nio.file.Path;
import java.util.Map;
import org.apache.eventmesh.state.etcd.client.Credentials;
import org.apache.eventmesh.state.etcd.client.Tls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EtcdSettingsTest {
    @Test
    void without_options_it_is_plain_and_has_the_limits_of_a_server_as_it_comes() {
        EtcdSettings settings = EtcdSettings.of(Map.of());

        assertThat(settings.credentials()).isEmpty();
        assertThat(settings.tls()).isEmpty();
        assertThat(settings.allowOldServer()).isFalse();
        assertThat(settings.commitSlots()).isEqualTo(8);
        assertThat(settings.maxTxnOps()).isEqualTo(128);
        assertThat(settings.maxRequestBytes()).isEqualTo(1_572_864);
    }

    @Test
    void everything_can_be_set() {
        EtcdSettings settings = EtcdSettings.of(Map.of(
                "etcd.user", "mesh",
                "etcd.password", "hunter2",
                "etcd.tls", "true",
                "etcd.caFile", "ca.pem",
                "etcd.certFile", "cert.pem",
                "etcd.keyFile", "key.pem",
                "etcd.authority", "etcd.example",
                "etcd.allowOldServer", "true",
                "etcd.commitSlots", "3",
                "etcd.maxTxnOps", "256"));

        assertThat(settings.credentials()).contains(new Credentials("mesh", "hunter2"));
        assertThat(settings.tls()).hasValueSatisfying(tls -> {
            assertThat(tls.ca()).contains(Path.of("ca.pem"));
            assertThat(tls.identity()).contains(new Tls.Identity(Path.of("cert.pem"), Path.of("key.pem")));
            assertThat(tls.authority()).contains("etcd.example");
        });
        assertThat(settings.allowOldServer()).isTrue();
        assertThat(settings.commitSlots()).isEqualTo(3);
        assertThat(settings.maxTxnOps()).isEqualTo(256);
        assertThat(settings.toString()).contains("mesh").doesNotContain("hunter2");
    }

    @Test
    void an_unknown_option_is_refused_by_name_with_those_that_there_are() {
        assertThatThrownBy(() -> EtcdSettings.of(Map.of("etcd.pasword", "hunter2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("etcd.pasword")
                .hasMessageContaining("etcd.password")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "etcd.tls, yes",
        "etcd.commitSlots, 0",
        "etcd.commitSlots, 65",
        "etcd.commitSlots, four",
        "etcd.maxTxnOps, 1",
        "etcd.maxRequestBytes, 10",
        "etcd.user, mesh",
        "etcd.password, hunter2",
        "etcd.caFile, /secret/ca.pem",
        "etcd.authority, secret.example"
    })
    void what_cannot_be_is_refused_by_name_without_its_value(String name, String value) {
        assertThatThrownBy(() -> EtcdSettings.of(Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageNotContaining(value.length() > 4 ? value : "\"" + value + "\"");
    }

    @Test
    void a_certificate_needs_its_key() {
        assertThatThrownBy(() -> EtcdSettings.of(Map.of("etcd.tls", "true", "etcd.certFile", "cert.pem")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("etcd.keyFile");
    }
}
