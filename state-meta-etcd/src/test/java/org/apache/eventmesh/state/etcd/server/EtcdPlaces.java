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
package org.apache.eventmesh.state.etcd.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Where servers of tests keep their data and their logs. */
final class EtcdPlaces {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private EtcdPlaces() {}

    /** In memory where the system has a place for that: a sync costs nothing then. */
    static Path newDirectory() {
        try {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory)
                    ? Files.createTempDirectory(memory, "eventmesh-etcd-")
                    : Files.createTempDirectory("eventmesh-etcd-");
        } catch (IOException e) {
            throw new UncheckedIOException("making a directory for etcd", e);
        }
    }

    /** Stays when the tests have ended. */
    static Path log(String name) {
        try {
            Path logs = Files.createDirectories(Path.of("target", "etcd-logs"));
            Path log = logs.resolve(name).toAbsolutePath();
            Files.deleteIfExists(log);
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException("making a place for the logs of etcd", e);
        }
    }

    static void delete(Path directory) {
        try (Stream<Path> below = Files.walk(directory)) {
            for (Path path : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + directory, e);
        }
    }

    static void await(String otherwise, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(otherwise);
            }
            try {
                if (new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException("a latch opened that nobody opens");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted: " + otherwise, e);
            }
        }
    }
}
