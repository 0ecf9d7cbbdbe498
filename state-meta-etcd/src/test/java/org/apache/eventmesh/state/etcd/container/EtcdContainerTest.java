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

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The servers in containers are what the tests take them for. */
@Tag("containers")
class EtcdContainerTest {
    @ParameterizedTest
    @MethodSource("org.apache.eventmesh.state.etcd.container.EtcdImages#all")
    void a_server_that_was_killed_comes_back_on_its_address_with_its_data(String image) {
        EtcdContainer server = EtcdContainer.shared(image);
        EtcdGateway proxied = new EtcdGateway("http://" + server.endpoint());
        assertThat(image).as("the version that the image is named for").contains(version(proxied));
        String key = "{\"key\":\"" + base64("container-test") + "\"";
        proxied.post("/v3/kv/put", key + ",\"value\":\"" + base64("still here") + "\"}");

        server.kill();
        server.start();

        assertThat(proxied.post("/v3/kv/range", key + "}")).contains(base64("still here"));
    }

    private static String version(EtcdGateway server) {
        return server.get("/version").replaceAll(".*\"etcdserver\":\"([^\"]*)\".*", "$1");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
