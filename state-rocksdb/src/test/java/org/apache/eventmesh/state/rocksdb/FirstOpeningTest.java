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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A crash during the very first opening leaves a directory that opens. */
class FirstOpeningTest {
    @TempDir
    Path temporary;

    @Test
    void aKillAtAnyStepLeavesADirectoryThatOpens() throws Exception {
        assumeTrue(Strace.isThere(), "needs strace");
        boolean ready = false;
        int step = 1;
        for (; !ready; step++) {
            Path directory = temporary.resolve("killed-" + step);
            try (ChildJvm child = ChildJvm.start(
                    List.of(
                            "strace",
                            "-f",
                            "-o",
                            temporary.resolve("trace").toString(),
                            "-e",
                            "inject=fsync,fdatasync,rename,mkdir:signal=KILL:when=" + step),
                    EngineChild.class,
                    List.of(),
                    List.of(directory.toString(), "20000"))) {
                child.end(Duration.ofMinutes(1));
                ready = child.has("ready"::equals);
            }
            opens(directory);
        }
        assertThat(step).isGreaterThan(5);
    }

    @Test
    void aTornMarkerIsWrittenAgain() throws Exception {
        Files.writeString(temporary.resolve(Marker.NAME), "form");
        opens(temporary);
    }

    @Test
    void required_E06_those_who_start_a_directory_at_one_moment_find_it_theirs() throws Exception {
        int threads = 4;
        ExecutorService starting = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 300; round++) {
                Path directory = temporary.resolve("new-" + round);
                CyclicBarrier together = new CyclicBarrier(threads);
                Callable<StateDirectory> start = () -> {
                    together.await();
                    return StateDirectory.prepare(Engines.uri(directory), directory);
                };
                for (Future<StateDirectory> started : starting.invokeAll(Collections.nCopies(threads, start))) {
                    assertThat(started.get().life()).isEqualTo(OpenDatabase.Life.BEGINS);
                }
            }
        } finally {
            starting.shutdownNow();
        }
    }

    private static void opens(Path directory) {
        String incarnation;
        try (RocksEngine engine = Engines.open(directory)) {
            Engines.applied(engine, Durability.DISK, Engines.put(Engines.small("k"), "v"));
            incarnation = engine.incarnation();
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(Engines.text(engine, Engines.small("k"))).contains("v");
            assertThat(engine.incarnation()).isEqualTo(incarnation);
        }
    }
}
