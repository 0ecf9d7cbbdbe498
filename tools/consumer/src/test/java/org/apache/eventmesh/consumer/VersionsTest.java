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
package org.apache.eventmesh.consumer;

import io.netty.util.Version;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.etcd.EtcdEngineProvider;
import org.apache.eventmesh.state.rocksdb.RocksEngineProvider;
import org.apache.eventmesh.state.tck.StateStoreTck;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** What is on the class path is what the runtime has, whatever the published artifacts were built with. */
class VersionsTest {
    @Test
    void all_of_netty_is_of_the_version_of_the_runtime() {
        Map<String, String> versions = Version.identify().entrySet().stream()
                // the native parts have a version line of their own
                .filter(part -> !part.getKey().contains("tcnative"))
                .collect(Collectors.toMap(Map.Entry::getKey, part -> part.getValue().artifactVersion()));

        assertThat(versions).isNotEmpty();
        assertThat(versions.values()).containsOnly(System.getProperty("version.netty"));
    }

    /** Not an installation that the machine may have of its own. */
    @Test
    void the_state_library_is_the_one_that_was_published() {
        Path repository = Path.of("target", "repository").toAbsolutePath();
        assertThat(List.of(StateStores.class, RocksEngineProvider.class, EtcdEngineProvider.class, StateStoreTck.class))
                .allSatisfy(type -> assertThat(source(type)).startsWith(repository));
    }

    @Test
    void logging_goes_to_the_binding_of_the_runtime() {
        assertThat(LoggerFactory.getILoggerFactory().getClass().getName())
                .startsWith("org.apache.logging.slf4j");
    }

    private static Path source(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }
}
