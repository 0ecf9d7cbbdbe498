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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.apache.eventmesh.state.rocksdb.Engines.applied;
import static org.apache.eventmesh.state.rocksdb.Engines.inFlight;
import static org.apache.eventmesh.state.rocksdb.Engines.put;
import static org.apache.eventmesh.state.rocksdb.Engines.text;
import static org.assertj.core.api.Assertions.assertThat;

/** A power loss as the disk sees it: of the log only what was synced is left. */
class PowerLossTest {
    @TempDir
    Path temporary;

    @Test
    void revisionsThatWereLostAreNotHandedOutAgain() throws IOException {
        Path directory = temporary.resolve("live");
        Path left = temporary.resolve("left");
        long lost = 0;
        try (RocksEngine engine = Engines.open(directory)) {
            applied(engine, Durability.DISK, put(inFlight("kept"), "1"));
            long synced = Files.size(log(directory));
            for (int i = 0; i < 100; i++) {
                lost = applied(engine, Durability.PROCESS, put(inFlight("lost"), "2"));
            }
            copy(directory, left);
            try (FileChannel log = FileChannel.open(log(left), StandardOpenOption.WRITE)) {
                log.truncate(synced);
            }
        }
        try (RocksEngine engine = Engines.open(left)) {
            assertThat(text(engine, inFlight("kept"))).contains("1");
            assertThat(text(engine, inFlight("lost"))).isEmpty();
            assertThat(applied(engine, Durability.PROCESS, put(inFlight("new"), "3")))
                    .isGreaterThan(lost);
        }
    }

    @Test
    void aCutLogKeepsWhatStandsBeforeTheCut() throws IOException {
        Path directory = temporary.resolve("live");
        Path left = temporary.resolve("left");
        try (RocksEngine engine = Engines.open(directory)) {
            for (int i = 0; i < 100; i++) {
                applied(engine, Durability.PROCESS, put(inFlight("k" + i), "v"));
            }
            copy(directory, left);
            try (FileChannel log = FileChannel.open(log(left), StandardOpenOption.WRITE)) {
                log.truncate(log.size() / 2);
            }
        }
        try (RocksEngine engine = Engines.open(left)) {
            boolean there = true;
            for (int i = 0; i < 100; i++) {
                boolean now = text(engine, inFlight("k" + i)).isPresent();
                assertThat(now && !there).as("a hole before k%d", i).isFalse();
                there = now;
            }
            assertThat(text(engine, inFlight("k0"))).isPresent();
            assertThat(there).isFalse();
        }
    }

    private static Path log(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** All but the lock: reading that one would drop it. */
    static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                if (!file.endsWith("LOCK")) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
    }
}
