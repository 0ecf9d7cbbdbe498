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
package org.apache.eventmesh.state.rocksdb;

import java.nio.file.Path;
import java.util.Map;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AddressTest {
    @Test
    void bothFormsNameADirectory() {
        assertThat(RocksAddress.parse("rocksdb:///var/lib/em/state").directory())
                .isEqualTo(Path.of("/var/lib/em/state"));
        assertThat(RocksAddress.parse("rocksdb:/var/lib/em/state/").directory())
                .isEqualTo(Path.of("/var/lib/em/state"));
        assertThat(RocksAddress.parse("rocksdb:///usr/bin/../x").real()).isEqualTo(Path.of("/usr/x"));
        assertThat(RocksAddress.parse("rocksdb:///a%20b/%25/%3F%23").directory())
                .isEqualTo(Path.of("/a b/%/?#"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rocksdb:",
                "rocksdb:relative",
                "rocksdb://host/path",
                "rocksdb:///path?x=y",
                "rocksdb:///path#x",
                "rocksdb:///a b",
                "rocksdb:///a%2",
                "rocksdb:///a%00b",
                "rocksdb:///a%FFb",
                "rocksdb:///a%F0%9F%98%80b",
                "etcd:///path"
            })
    void aMalformedOneIsRefusedAndShown(String uri) {
        assertThatThrownBy(() -> RocksAddress.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(uri)
                .hasMessageContaining("rocksdb:///");
    }

    @Test
    void oddPathsWork(@TempDir Path temporary) {
        Path directory = temporary.resolve("with space, 100%, ?#[]é").resolve("x");
        try (RocksEngine engine = Engines.open(directory)) {
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
        }
        assertThat(directory.resolve("CURRENT")).exists();
        assertThat(directory.resolve(Marker.NAME)).exists();
    }

    @Test
    void anUnknownOptionIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> RocksSettings.of(Map.of("rocksdb.sync", "off")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rocksdb.sync")
                .hasMessageContaining("rocksdb.strictRecovery")
                .hasMessageContaining("rocksdb.readThreads");
    }

    @Test
    void anOptionsValueIsChecked() {
        assertThat(RocksSettings.of(Map.of("rocksdb.readThreads", "7", "rocksdb.strictRecovery", "true")))
                .isEqualTo(new RocksSettings(true, 7, false));
        for (String bad : new String[] {"0", "65", "-1", "x", "", "99999999999"}) {
            assertThatThrownBy(() -> RocksSettings.of(Map.of("rocksdb.readThreads", bad)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 to 64");
        }
        assertThatThrownBy(() -> RocksSettings.of(Map.of("rocksdb.strictRecovery", "yes")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
