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
package org.apache.eventmesh.state.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.eventmesh.state.value.Durability;

/**
 * {@code Bench [seconds [rounds [outstanding]]]}: how many deliveries a second are opened and acknowledged in one shard on
 * RocksDB, and how many are written by plain RocksDB with the same number and size of changes; in turn, so that both meet
 * the same machine.
 */
public final class Bench {
    private Bench() {}

    public static void main(String[] args) throws Exception {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
        int outstanding = args.length > 2 ? Integer.parseInt(args[2]) : 256;
        System.out.printf(
                "open+ack cycles a second, one shard, %d outstanding, PROCESS; %d rounds of %d s%n%n",
                outstanding, rounds, seconds);
        System.out.printf("%8s %14s %14s %8s%n", "round", "state stores", "plain rocksdb", "ratio");
        for (int round = 0; round <= rounds; round++) {
            long stores = inDirectory(place -> new OpenAndAck(place, Durability.PROCESS, outstanding).run(seconds));
            long plain = inDirectory(place -> new PlainRocks(place).run(seconds, outstanding));
            // the first one warms up
            String name = round == 0 ? "warm-up" : String.valueOf(round);
            System.out.printf(Locale.ROOT, "%8s %14d %14d %8.2f%n", name, stores, plain, (double) stores / plain);
        }
    }

    private interface Measurement {
        long in(Path place) throws Exception;
    }

    private static long inDirectory(Measurement measurement) throws Exception {
        Path place = Files.createTempDirectory("state-bench");
        try {
            return measurement.in(place);
        } finally {
            delete(place);
        }
    }

    private static void delete(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + root, e);
        }
    }
}
