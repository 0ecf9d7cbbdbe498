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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Each is refused with its name and a remedy, and nothing is written there. */
class BadPlacesTest {
    @TempDir
    Path temporary;

    @Test
    void aFile() throws IOException {
        Path file = Files.writeString(temporary.resolve("file"), "mine");
        refused(file, StoreUnavailableException.class, "is a file", "name a directory");
        refused(file.resolve("below"), StoreUnavailableException.class, "is a file", "name a directory");
    }

    @Test
    void aDirectoryThatMayNotBeWritten() throws IOException {
        assumeFalse(System.getProperty("user.name").equals("root"), "root may write everywhere: see the next test");
        Path directory = Files.createDirectory(
                temporary.resolve("locked"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-xr-xr-x")));
        refused(directory, StoreUnavailableException.class, "cannot be read and written", "grant that");
        refused(directory.resolve("below"), StoreUnavailableException.class, "cannot be read and written", "grant");
    }

    @Test
    void aFileSystemThatMayNotBeWritten() throws Exception {
        try (Mount mount = Mount.tmpfs(Files.createDirectory(temporary.resolve("mount")), "ro")) {
            refused(mount.directory(), StoreUnavailableException.class, "cannot be read and written", "mount");
            refused(
                    mount.directory().resolve("below"),
                    StoreUnavailableException.class,
                    "cannot be read and written",
                    "mount");
        }
    }

    @Test
    void aDirectoryThatIsNotEmpty() throws IOException {
        Path directory = Files.createDirectory(temporary.resolve("home"));
        Files.writeString(directory.resolve("letter.txt"), "mine");
        refused(directory, IncompatibleFormatException.class, "letter.txt", "an empty or a new directory");
    }

    @Test
    void aRocksDbDirectoryOfSomebodyElse() throws Exception {
        Path directory = temporary.resolve("foreign");
        NativeLibrary.load();
        try (Options options = new Options().setCreateIfMissing(true);
                RocksDB foreign = RocksDB.open(options, directory.toString())) {
            foreign.put(new byte[] {1}, new byte[] {2});
        }
        refused(directory, IncompatibleFormatException.class, "did not create", "an empty or a new directory");
    }

    @Test
    void aDirectoryOfAnotherFormat() throws IOException {
        Path directory = temporary.resolve("newer");
        Engines.open(directory).close();
        Path marker = directory.resolve(Marker.NAME);
        Files.writeString(marker, Files.readString(marker).replace("format=1", "format=2"));
        refused(directory, IncompatibleFormatException.class, "format 2", "the version that wrote it");
    }

    @Test
    void aMissingParentIsNoBadPlace() {
        Path directory = temporary.resolve("a").resolve("b").resolve("c");
        try (RocksEngine engine = Engines.open(directory)) {
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
        }
        assertThat(directory).isDirectory();
    }

    @Test
    void aFreshFileSystemIsNoBadPlace() throws IOException {
        Files.createDirectory(temporary.resolve("lost+found"));
        Engines.open(temporary).close();
    }

    private void refused(Path place, Class<? extends StateStoreException> failure, String... words) throws IOException {
        Map<String, String> before = contents();
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> Engines.open(place))
                    .isInstanceOf(failure)
                    .hasMessageContaining(Engines.uri(place))
                    .hasMessageContainingAll(words);
        }
        assertThat(contents()).isEqualTo(before);
    }

    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(temporary)) {
            for (Path file : files.toList()) {
                boolean readable = Files.isRegularFile(file) && !file.endsWith("LOCK");
                contents.put(
                        file.toString(), readable ? Files.readString(file, StandardCharsets.ISO_8859_1) : "no content");
            }
        }
        return contents;
    }
}
