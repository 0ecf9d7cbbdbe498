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

import org.apache.eventmesh.state.etcd.client.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EtcdAddressTest {
    @Test
    void hosts_ports_and_prefix_are_taken_apart() {
        EtcdAddress address = EtcdAddress.parse("etcd://One.example:2381,two.example,[::1]:2383/em/blue");

        assertThat(address.endpoints())
                .containsExactly(
                        new Endpoint("one.example", 2381),
                        new Endpoint("two.example", 2379),
                        new Endpoint("::1", 2383));
        assertThat(address.prefix()).isEqualTo("/em/blue/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd://host", "etcd://host/", "etcd://host:2379/"})
    void without_a_prefix_it_is_the_default(String uri) {
        assertThat(EtcdAddress.parse(uri).prefix()).isEqualTo("/eventmesh/state/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://",
                "etcd:///em",
                "etcd:/host/em",
                "etcd://host:/em",
                "etcd://host:0/em",
                "etcd://host:65536/em",
                "etcd://host:x/em",
                "etcd://host,/em",
                "etcd://host,host/em",
                "etcd://ho st/em",
                "etcd://my_host/em",
                "etcd://one,etcd_1:2379/em",
                "etcd://a..b/em",
                "etcd://a-/em",
                "etcd://a.-b/em",
                "etcd://10.0.0/em",
                "etcd://[1.2:3]/em",
                "etcd://::1/em",
                "etcd://[::1/em",
                "etcd://[::1]x/em",
                "etcd://[::1]:/em",
                "etcd://host/a//b",
                "etcd://host/a b",
                "etcd://host/em?user=root",
                "etcd://host/em#x",
                "http://host/em"
            })
    void what_is_malformed_is_refused_with_the_form_to_write(String uri) {
        assertThatThrownBy(() -> EtcdAddress.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + uri + "\"")
                .hasMessageContaining("write etcd://host1:2379,host2:2379/prefix");
    }

    @Test
    void a_password_in_an_address_is_refused_and_not_shown() {
        assertThatThrownBy(() -> EtcdAddress.parse("etcd://root:hunter2@host:2379/em"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("etcd.password")
                .hasMessageNotContaining("hunter2")
                .hasMessageNotContaining("root");
    }

    @Test
    void a_prefix_that_makes_every_key_long_is_refused() {
        assertThatThrownBy(() -> EtcdAddress.parse("etcd://host/" + "p".repeat(300)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("302 characters, at most 200");
    }
}
