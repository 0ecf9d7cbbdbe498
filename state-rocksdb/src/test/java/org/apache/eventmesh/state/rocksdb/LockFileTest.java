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
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is done to RocksDB's lock file while a process has the directory open: nobody else gets in. */
class LockFileTest {
    @TempDir
    Path temporary;

    private Path directory;
    private Path lock;

    @BeforeEach
    void choosePlace() {
        directory = temporary.resolve("data");
        lock = directory.resolve("LOCK");
    }

    @Test
    void required_E06_a_deleted_lock_lets_no_second_process_in() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            Files.delete(lock);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> Engines.open(directory))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(directory.toString())
                        .hasMessageContaining("process " + child.pid());
            }
            child.send("put DISK k");
            child.await(line -> line.startsWith("1 applied"));
            child.kill();
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Engines.text(engine, Engines.inFlight("k"))).contains("k");
        }
    }

    @Test
    void required_E06_a_lock_that_was_read_in_its_own_process_lets_no_second_one_in() throws Exception {
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Files.readAllBytes(lock)).isEmpty();
            refusedInAnotherProcess(directory);
            Files.delete(lock);
            assertThatThrownBy(() -> Engines.open(directory))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
            refusedInAnotherProcess(directory);
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Engines.text(engine, Engines.small("k"))).contains("v");
        }
    }

    @Test
    void required_E06_a_lock_that_another_process_reads_holds() throws Exception {
        try (RocksEngine engine = Engines.open(directory)) {
            Process reader = new ProcessBuilder("cat", lock.toString()).start();
            assertThat(reader.waitFor()).isZero();
            refusedInAnotherProcess(directory);
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
        }
    }

    @Test
    void required_E06_a_lock_that_is_a_link_is_refused_and_harms_not_whom_it_leads_to() throws Exception {
        Path other = temporary.resolve("other");
        Engines.open(other).close();
        for (boolean symbolic : new boolean[] {true, false}) {
            try (RocksEngine engine = Engines.open(directory)) {
                Path link = other.resolve("LOCK");
                Files.deleteIfExists(link);
                if (symbolic) {
                    Files.createSymbolicLink(link, lock);
                } else {
                    Files.createLink(link, lock);
                }
                assertThatThrownBy(() -> Engines.open(other))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(link.toString())
                        .hasMessageContaining("Delete it");
                // to look at the link would have dropped both
                Files.delete(link);
                refusedInAnotherProcess(directory);
                Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
            }
        }
        Engines.open(other).close();
    }

    @Test
    void required_E06_a_lock_that_leads_to_nothing_is_refused() throws IOException {
        Engines.open(directory).close();
        Files.delete(lock);
        Files.createSymbolicLink(lock, temporary.resolve("nothing"));
        assertThatThrownBy(() -> Engines.open(directory))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(lock.toString());
        assertThat(temporary.resolve("nothing")).doesNotExist();
    }

    @Test
    void required_G08_files_that_cannot_be_looked_at_are_not_opened_unseen() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            Path manifest = directory.resolve(
                    Files.readString(directory.resolve("CURRENT")).strip());
            try (FileChannel file = FileChannel.open(manifest, StandardOpenOption.WRITE)) {
                file.truncate(file.size() / 2);
            }
            assertThatThrownBy(() -> UnseenDamage.treat(directory, false))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("process " + child.pid())
                    .hasMessageContaining("open it again");
            child.kill();
        }
        try (FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE);
                FileLock held = file.lock()) {
            assertThat(held.isValid()).isTrue();
            assertThatThrownBy(() -> UnseenDamage.treat(directory, false))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("open it again");
        }
        assertThatThrownBy(() -> UnseenDamage.treat(directory, false)).isInstanceOf(CorruptStateException.class);
    }

    private static void refusedInAnotherProcess(Path directory) throws Exception {
        try (ChildJvm child = ChildJvm.start(EngineChild.class, List.of(), List.of(directory.toString(), "10000"))) {
            assertThat(child.await(line -> line.startsWith("refused") || line.equals("ready")))
                    .startsWith("refused StoreUnavailableException")
                    .contains(directory.toString())
                    .contains("process " + ProcessHandle.current().pid());
        }
    }
}
