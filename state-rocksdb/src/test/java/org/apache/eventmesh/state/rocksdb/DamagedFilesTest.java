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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DamagedFilesTest {
    private enum Damage {
        DELETED,
        EMPTIED,
        HALVED,
        FLIPPED
    }

    @TempDir
    Path temporary;

    private Path left;

    /** As a kill leaves it, with tables and a log. */
    @BeforeEach
    void leaveADirectory() throws IOException {
        Path directory = temporary.resolve("live");
        left = temporary.resolve("left");
        for (int opening = 0; opening < 2; opening++) {
            try (RocksEngine engine = Engines.open(directory)) {
                write(engine, opening);
            }
        }
        try (RocksEngine engine = Engines.open(directory)) {
            write(engine, 2);
            PowerLossTest.copy(directory, left);
        }
    }

    private static void write(RocksEngine engine, int opening) {
        for (int i = 0; i < 50; i++) {
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.inFlight(opening + "-" + i), "v".repeat(200)));
        }
    }

    @Test
    void aDamagedTableOrManifestRefusesToOpenAndSaysWhatToDo() throws IOException {
        int tried = 0;
        for (Path file : files(left)) {
            String name = file.getFileName().toString();
            if (!name.endsWith(".sst") && !name.startsWith("MANIFEST") && !name.equals("CURRENT")) {
                continue;
            }
            for (Damage damage : Damage.values()) {
                Path copy = temporary.resolve("copy-" + ++tried);
                PowerLossTest.copy(left, copy);
                apply(damage, copy.resolve(name));
                assertThatThrownBy(() -> Engines.open(copy))
                        .as("%s %s", name, damage)
                        .isInstanceOf(CorruptStateException.class)
                        .hasMessageContaining(copy.toString())
                        .hasMessageContaining("restore a checkpoint");
            }
        }
        assertThat(tried).isGreaterThanOrEqualTo(16);
    }

    @Test
    void aMissingLogRefusesToOpen() throws IOException {
        Files.delete(log());
        assertThatThrownBy(() -> Engines.open(left))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("log");
    }

    @Test
    void aFlippedBitInTheLogDropsWhatStandsBehindItUnlessRecoveryIsStrict() throws IOException {
        apply(Damage.FLIPPED, log());
        assertThatThrownBy(() -> Engines.open(left, Map.of("rocksdb.strictRecovery", "true")))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("checksum");
        try (RocksEngine engine = Engines.open(left)) {
            assertThat(Engines.text(engine, Engines.inFlight("2-0"))).isPresent();
            assertThat(Engines.text(engine, Engines.inFlight("2-49"))).isEmpty();
            assertThat(Engines.text(engine, Engines.inFlight("1-49"))).isPresent();
        }
    }

    @Test
    void aFlippedBitInATableIsFoundByTheDeepCheck() throws IOException {
        try (RocksEngine engine = Engines.open(left)) {
            Await.result(engine.verify());
            Path table = files(left).stream()
                    .filter(file -> file.toString().endsWith(".sst"))
                    .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                    .orElseThrow();
            byte[] content = Files.readAllBytes(table);
            content[20] ^= 0x10;
            Files.write(table, content);
            assertThatThrownBy(() -> Await.result(engine.verify())).isInstanceOf(CorruptStateException.class);
        }
    }

    @Test
    void aCheckpointIsACopyWithALifeOfItsOwn() {
        Path copy = temporary.resolve("checkpoint");
        String incarnation;
        long revision;
        try (RocksEngine engine = Engines.open(left)) {
            revision = Engines.applied(engine, Durability.PROCESS, Engines.put(Engines.small("k"), "v"));
            Await.result(engine.checkpoint(copy));
            Engines.applied(engine, Durability.PROCESS, Engines.put(Engines.small("k"), "later"));
            incarnation = engine.incarnation();
        }
        String restored;
        try (RocksEngine engine = Engines.open(copy)) {
            restored = engine.incarnation();
            assertThat(restored).isNotEqualTo(incarnation);
            assertThat(Engines.text(engine, Engines.small("k"))).contains("v");
            assertThat(Engines.text(engine, Engines.inFlight("0-0"))).isPresent();
            assertThat(Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "new")))
                    .isGreaterThan(revision);
        }
        try (RocksEngine engine = Engines.open(copy)) {
            assertThat(engine.incarnation()).isEqualTo(restored);
        }
    }

    private Path log() throws IOException {
        return files(left).stream()
                .filter(file -> file.toString().endsWith(".log"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    private static void apply(Damage damage, Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        switch (damage) {
            case DELETED -> Files.delete(file);
            case EMPTIED -> Files.write(file, new byte[0]);
            case HALVED -> Files.write(file, Arrays.copyOf(content, content.length / 2));
            case FLIPPED -> {
                content[content.length / 2] ^= 0x10;
                Files.write(file, content);
            }
        }
    }
}
