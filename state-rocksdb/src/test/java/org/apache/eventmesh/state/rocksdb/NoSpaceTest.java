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
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.EngineListener;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class NoSpaceTest {
    @TempDir
    Path temporary;

    private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();

    @Test
    void aFullDiskIsToldAndTheEngineGoesOnWhenThereIsRoom() throws Exception {
        goesOnWhenThereIsRoom(false, 1 << 20);
    }

    /** RocksDB writes a log by the MiB, so that the disk may have room for a part of a commit: that was answered to nobody. */
    @Test
    void required_G04_a_strict_engine_goes_on_too_behind_the_write_that_the_full_disk_tore() throws Exception {
        goesOnWhenThereIsRoom(true, 12 << 20);
    }

    private void goesOnWhenThereIsRoom(boolean strict, int size) throws Exception {
        try (Mount mount = Mount.tmpfs(Files.createDirectory(temporary.resolve("mount")), "size=160m")) {
            Path ballast = mount.directory().resolve("ballast");
            try (RocksEngine engine = open(mount.directory().resolve("data"), strict)) {
                Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("before"), "v"));
                fill(ballast);
                int number = 0;
                CompletableFuture<CommitResult> doubtful = put(engine, number, size);
                while (doubtful.isDone()) {
                    assertThat(doubtful).isCompleted();
                    doubtful = put(engine, ++number, size);
                }
                Awaitility.await().until(() -> heard.stream().anyMatch(what -> what.startsWith("unknown")));
                // what failed gave its room back, so that a small write may fit: it is refused, or it is there
                // afterwards
                boolean refused = refused(engine, Engines.put(Engines.small("small"), "v"));
                Awaitility.await()
                        .until(() -> heard.stream()
                                .anyMatch(what -> what.startsWith("down") && what.contains("No space left on device")));

                Files.delete(ballast);
                CompletableFuture<CommitResult> settled = doubtful;
                Awaitility.await().until(settled::isDone);
                Awaitility.await().until(() -> engine.health().up());
                boolean applied = !settled.isCompletedExceptionally();
                assertThat(Engines.read(engine, key(number)).isPresent()).isEqualTo(applied);
                for (int i = 0; i < number; i++) {
                    assertThat(Engines.read(engine, key(i))).isPresent();
                }
                assertThat(Engines.text(engine, Engines.small("before"))).contains("v");
                assertThat(Engines.text(engine, Engines.small("small")).isEmpty())
                        .isEqualTo(refused);
                Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("after"), "v"));
                Awaitility.await().untilAsserted(() -> assertThat(heard).endsWith("up"));
            }
        }
    }

    private static boolean refused(RocksEngine engine, Commit commit) {
        try {
            Engines.applied(engine, Durability.DISK, commit);
            return false;
        } catch (StoreUnavailableException e) {
            assertThat(e).hasMessageContaining("No space left on device");
            return true;
        }
    }

    private RocksEngine open(Path directory, boolean strict) {
        Map<String, String> options = Map.of("rocksdb.strictRecovery", Boolean.toString(strict));
        return new RocksEngineProvider().open(Engines.config(directory, options, new EngineListener() {
            @Override
            public void healthChanged(EngineHealth now) {
                heard.add(now.up() ? "up" : "down: " + now.advice());
            }

            @Override
            public void unknown(String what) {
                heard.add("unknown " + what);
            }
        }));
    }

    private static CompletableFuture<CommitResult> put(RocksEngine engine, int number, int size) {
        Commit commit = new Commit(List.of(), List.of(Change.put(key(number), Bytes.of(new byte[size]))));
        return engine.commit(List.of(commit), Durability.DISK).get(0).toCompletableFuture();
    }

    private static Bytes key(int number) {
        return Engines.inFlight("large" + number);
    }

    private static void fill(Path ballast) throws IOException {
        byte[] block = new byte[64 << 10];
        try (OutputStream file = Files.newOutputStream(ballast)) {
            while (true) {
                file.write(block);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }
}
