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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CheckpointTest {
    @TempDir
    Path temporary;

    @Test
    void onAnotherFileSystemItIsWrittenWholeOrNotAtAll() throws Exception {
        try (Mount mount = Mount.tmpfs(Files.createDirectory(temporary.resolve("mount")), "size=8m");
                RocksEngine engine = Engines.open(temporary.resolve("state"))) {
            fill(engine, 0, 3);
            Path first = mount.directory().resolve("first");
            Await.result(engine.checkpoint(first));
            fill(engine, 3, 12);

            assertThatThrownBy(() ->
                            Await.result(engine.checkpoint(mount.directory().resolve("second"))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("No space left on device")
                    .hasMessageContaining("free some space there")
                    .hasMessageContaining(mount.directory().resolve("second").toString());

            assertThat(names(mount.directory())).containsExactly("first");
            fill(engine, 12, 13);
            assertThat(engine.health().up()).isTrue();
            try (RocksEngine restored = Engines.open(first)) {
                assertThat(restored.incarnation()).isNotEqualTo(engine.incarnation());
                assertThat(Engines.read(restored, key(2))).isPresent();
                assertThat(Engines.read(restored, key(3))).isEmpty();
            }
        }
    }

    @Test
    void aDirectoryInThatOfTheStateIsRefused() throws IOException {
        Path state = temporary.resolve("state");
        Path link = temporary.resolve("link");
        try (RocksEngine engine = Engines.open(state)) {
            Files.createSymbolicLink(link, state);
            for (Path inside : List.of(state.resolve("backup"), link.resolve("backup"))) {
                assertThatThrownBy(() -> Await.result(engine.checkpoint(inside)))
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("lies in the directory of the state itself");
                assertThat(Files.exists(inside)).isFalse();
            }
        }
    }

    @Test
    void aDamagedTableIsToldAndNothingIsLeft() throws IOException {
        Path state = temporary.resolve("state");
        try (RocksEngine engine = Engines.open(state)) {
            fill(engine, 0, 1);
            Await.result(engine.checkpoint(temporary.resolve("first")));
            // a table that is gone cannot be linked
            for (String name : names(state)) {
                if (name.endsWith(".sst")) {
                    Files.delete(state.resolve(name));
                }
            }
            assertThatThrownBy(() -> Await.result(engine.checkpoint(temporary.resolve("second"))))
                    .isInstanceOfAny(StoreUnavailableException.class, CorruptStateException.class)
                    .hasMessageContaining(temporary.resolve("second").toString());
            assertThat(names(temporary)).containsExactlyInAnyOrder("state", "first");
        }
    }

    @Test
    void required_G08_a_bit_that_flipped_in_a_table_of_a_checkpoint_is_found_at_opening_by_who_asks_for_it()
            throws IOException {
        Path checkpoint = temporary.resolve("checkpoint");
        try (RocksEngine engine = Engines.open(temporary.resolve("state"))) {
            fill(engine, 0, 1);
            Await.result(engine.checkpoint(checkpoint));
        }
        Path good = temporary.resolve("good");
        PowerLossTest.copy(checkpoint, good);
        Path table = checkpoint.resolve(names(checkpoint).stream()
                .filter(name -> name.endsWith(".sst"))
                .max(Comparator.comparingLong(
                        name -> checkpoint.resolve(name).toFile().length()))
                .orElseThrow());
        byte[] content = Files.readAllBytes(table);
        content[content.length / 2] ^= 0x10;
        // not in place: the state has the same file
        Files.delete(table);
        Files.write(table, content);
        Map<String, String> verifying = Map.of("rocksdb.verifyTables", "true");

        assertThatThrownBy(() -> Engines.open(checkpoint, verifying))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining(table.getFileName().toString())
                .hasMessageContaining("restore a checkpoint");

        assertThat(Marker.read(checkpoint)).map(Marker::stage).contains(Marker.Stage.COPY);
        try (RocksEngine engine = Engines.open(good, verifying)) {
            assertThat(Engines.read(engine, key(0))).isPresent();
        }
    }

    /** The one thing that docs/rocksdb.md has changed by hand. */
    @Test
    void required_E01_a_plain_copy_that_is_marked_as_a_copy_begins_another_life() throws IOException {
        Path state = temporary.resolve("state");
        String life;
        try (RocksEngine engine = Engines.open(state)) {
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
            life = engine.incarnation();
        }
        Path copy = temporary.resolve("copy");
        PowerLossTest.copy(state, copy);
        Path marker = copy.resolve(Marker.NAME);
        Files.writeString(marker, Files.readString(marker).replace("stage=COMPLETE", "stage=COPY"));

        String restored;
        try (RocksEngine engine = Engines.open(copy)) {
            restored = engine.incarnation();
            assertThat(restored).isNotEqualTo(life);
            assertThat(Engines.text(engine, Engines.small("k"))).contains("v");
        }
        try (RocksEngine engine = Engines.open(copy)) {
            assertThat(engine.incarnation()).isEqualTo(restored);
        }
    }

    /** Commits of a mebibyte that cannot be made smaller. */
    private static void fill(RocksEngine engine, int from, int to) {
        for (int i = from; i < to; i++) {
            byte[] noise = new byte[1 << 20];
            new Random(i).nextBytes(noise);
            Engines.applied(
                    engine, Durability.DISK, new Commit(List.of(), List.of(Change.put(key(i), Bytes.of(noise)))));
        }
    }

    private static Bytes key(int number) {
        return Engines.inFlight("noise" + number);
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
