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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.eventmesh.state.engine.EngineConfig;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SamePlaceTest {
    @TempDir
    Path temporary;

    @Test
    void everyWayToWriteADirectoryIsSharedUnderOneName() throws IOException {
        Path directory = temporary.resolve("data");
        Files.createDirectory(temporary.resolve("real"));
        Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("real"));
        Optional<String> name = shared(temporary.resolve("real").resolve("data"));
        assertThat(shared(link.resolve("data"))).isEqualTo(name);
        assertThat(shared(link.resolve("x").resolve("..").resolve("data"))).isEqualTo(name);
        assertThat(shared(directory)).isNotEqualTo(name);
        // Also when it exists.
        Files.createDirectory(temporary.resolve("real").resolve("data"));
        assertThat(shared(link.resolve("data"))).isEqualTo(name);
        assertThat(new RocksEngineProvider().sharedUnder(config("rocksdb:" + link + "/data")))
                .isEqualTo(name);
    }

    @Test
    void aSecondOpeningInTheSameProcessIsRefusedAlsoByALink() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("data"));
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        try (RocksEngine engine = Engines.open(directory)) {
            for (Path again : new Path[] {directory, link}) {
                assertThatThrownBy(() -> Engines.open(again))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(directory.toRealPath().toString())
                        .hasMessageContaining(
                                Long.toString(ProcessHandle.current().pid()));
            }
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
        }
        try (RocksEngine engine = Engines.open(link)) {
            assertThat(Engines.text(engine, Engines.small("k"))).contains("v");
        }
    }

    @Test
    void aSecondProcessIsRefusedAndToldWhoHoldsIt() throws Exception {
        Path directory = temporary.resolve("data");
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            Set<Path> before = files(directory);
            assertThatThrownBy(() -> Engines.open(directory))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("process " + child.pid());
            assertThat(files(directory)).as("the files of the owner").isEqualTo(before);
            child.send("put DISK k");
            child.await(line -> line.startsWith("1 applied"));
            child.kill();
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Engines.text(engine, Engines.inFlight("k"))).contains("k");
        }
    }

    private static Set<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.collect(Collectors.toSet());
        }
    }

    private static Optional<String> shared(Path directory) {
        return new RocksEngineProvider().sharedUnder(config(Engines.uri(directory)));
    }

    private static EngineConfig config(String uri) {
        return Engines.config(uri, Map.of(), EngineListener.NONE, Duration.ofSeconds(10));
    }
}
