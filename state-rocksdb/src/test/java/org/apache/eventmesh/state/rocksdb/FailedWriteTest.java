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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FailedWriteTest {
    @TempDir
    Path directory;

    @Test
    void aSyncThatFailsIsUnknownUntilTheDatabaseWasOpenedAgain() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            child.send("put DISK before");
            child.await(line -> line.startsWith("1 applied"));
            try (Strace strace = Strace.attach(child.pid(), "-e", "inject=fdatasync:error=EIO")) {
                child.send("put DISK doubtful");
                child.await(line -> line.startsWith("unknown"));
                child.send("put DISK refused");
                child.await(line -> line.startsWith("3 failed StoreUnavailableException"));
                assertThat(child.has(line -> line.startsWith("2 "))).isFalse();
            }
            String fate = child.await(line -> line.startsWith("2 "));
            child.await("health up"::equals);
            child.send("put DISK after");
            child.await(line -> line.startsWith("4 applied"));
            child.kill();
            try (RocksEngine engine = Engines.open(directory)) {
                assertThat(Engines.text(engine, Engines.inFlight("before"))).contains("before");
                assertThat(Engines.text(engine, Engines.inFlight("after"))).contains("after");
                assertThat(Engines.text(engine, Engines.inFlight("refused"))).isEmpty();
                assertThat(Engines.text(engine, Engines.inFlight("doubtful")).isPresent())
                        .isEqualTo(fate.startsWith("2 applied"));
            }
        }
    }

    @Test
    void aWriteThatFailsIsUnknownUntilTheDatabaseWasOpenedAgain() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            child.send("put PROCESS before");
            child.await(line -> line.startsWith("1 applied"));
            try (Strace strace =
                    Strace.attach(child.pid(), "-P", log().toString(), "-e", "inject=write:error=ENOSPC")) {
                child.send("put PROCESS doubtful");
                child.await(line -> line.startsWith("unknown"));
                String fate = child.await(line -> line.startsWith("2 "));
                assertThat(fate).startsWith("2 failed StoreUnavailableException");
            }
            child.await("health up"::equals);
            child.send("put PROCESS after");
            child.await(line -> line.startsWith("3 applied"));
            child.kill();
            try (RocksEngine engine = Engines.open(directory)) {
                assertThat(Engines.text(engine, Engines.inFlight("before"))).contains("before");
                assertThat(Engines.text(engine, Engines.inFlight("after"))).contains("after");
                assertThat(Engines.text(engine, Engines.inFlight("doubtful"))).isEmpty();
            }
        }
    }

    @Test
    void aBackgroundSyncThatFailsLosesNothing() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            try (Strace strace =
                    Strace.attach(child.pid(), "-P", log().toString(), "-e", "inject=fdatasync:error=EIO")) {
                child.send("put PROCESS first");
                child.await(line -> line.startsWith("1 applied"));
                child.await("health down"::equals);
                child.await("health up"::equals);
            }
            child.send("put DISK second");
            child.await(line -> line.startsWith("2 applied"));
            child.kill();
            try (RocksEngine engine = Engines.open(directory)) {
                assertThat(Engines.text(engine, Engines.inFlight("first"))).contains("first");
                assertThat(Engines.text(engine, Engines.inFlight("second"))).contains("second");
            }
        }
    }

    @Test
    void whatIsNotKnownAtTheCloseIsSaidToBeUnknown() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(3));
                Strace strace = Strace.attach(child.pid(), "-e", "inject=fdatasync,fsync:error=EIO")) {
            child.send("put DISK doubtful");
            child.await(line -> line.startsWith("unknown"));
            child.send("close");
            child.await(line -> line.startsWith("1 failed OutcomeUnknownException"));
            child.await("2 closed"::equals);
        }
    }

    @Test
    void whatTheDiskLostIsSaidAndNothingIsBuiltOnIt() throws Exception {
        try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
            child.send("put DISK kept");
            child.await(line -> line.startsWith("1 applied"));
            Path log = log();
            long synced = Files.size(log);
            try (Strace strace = Strace.attach(child.pid(), "-e", "inject=fdatasync,fsync:error=EIO")) {
                child.send("put PROCESS lost");
                child.await(line -> line.startsWith("2 applied"));
                child.await("health down"::equals);
                // A disk that could not sync may give back what it had before.
                try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
                    channel.truncate(synced);
                }
            }
            child.await(line -> line.contains("the disk lost revisions"));
            child.send("put DISK refused");
            assertThat(child.await(line -> line.startsWith("3 ")))
                    .startsWith("3 failed StoreUnavailableException")
                    .contains("the disk lost revisions")
                    .contains("open it again");
            child.send("close");
            child.await("4 closed"::equals);
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Engines.text(engine, Engines.inFlight("kept"))).contains("kept");
            assertThat(Engines.text(engine, Engines.inFlight("lost"))).isEmpty();
        }
    }

    /** A write that had no room for all of itself leaves a part of a record, or the first of its records without the last. */
    @Test
    void required_G04_a_strict_engine_is_opened_again_behind_the_write_that_tore_its_log() throws Exception {
        Map<String, String> options = Map.of("rocksdb.strictRecovery", "true");
        RocksSettings strict = RocksSettings.of(options);
        for (byte[] torn : List.of(Arrays.copyOf(firstRecord(), 3), firstRecord())) {
            Path place = directory.resolve(torn.length + " bytes");
            long revision;
            try (RocksEngine engine = Engines.open(place, options)) {
                revision = Engines.applied(engine, Durability.DISK, Engines.put(Engines.inFlight("before"), "v"));
            }
            Files.write(place.resolve(Remains.of(place).named(".log")), torn, StandardOpenOption.APPEND);

            assertThatThrownBy(() -> Engines.open(place, options))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("open it once without rocksdb.strictRecovery");
            OpenDatabase again = EngineOpening.openAgain(Engines.uri(place), strict, place);
            try {
                assertThat(again.lastCommitted()).isEqualTo(revision);
                assertThat(again.database().entry(Engines.inFlight("before"))).isPresent();
            } finally {
                assertThat(again.database().close(Duration.ofSeconds(10))).isTrue();
            }
            // what was torn is gone, so that the strict one opens it too
            Engines.open(place, options).close();
        }
    }

    /** The form of RocksDB's logs: checksum, length, type, content. */
    private static byte[] firstRecord() {
        byte[] typeAndContent = {2, 7};
        CRC32C crc = new CRC32C();
        crc.update(typeAndContent);
        return ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8)
                .putShort((short) 1)
                .put(typeAndContent)
                .array();
    }

    private Path log() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".log"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
