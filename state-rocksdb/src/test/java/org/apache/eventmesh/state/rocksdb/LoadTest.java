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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Many deliveries in flight over many lives of a process with a small heap, each ended by SIGKILL. 5,000 of them and 30,000
 * settled; {@code -Dload.open=…} and {@code -Dload.settled=…} change it, and {@code tools/soak load} holds 100,000 and
 * settles a million and more.
 */
class LoadTest {
    private static final Logger LOG = LoggerFactory.getLogger(LoadTest.class);

    private static final int OPEN = Integer.getInteger("load.open", 5_000);
    private static final int SETTLED = Integer.getInteger("load.settled", 30_000);
    private static final int LIVES = 3;
    private static final int MIB = 1 << 10;

    /**
     * The heap, all of it resident from the start; the cache of 16 MiB; three memtables and their successors, 56 MiB; and
     * what a JVM has beside its heap: code, classes, stacks, what the collector keeps, and malloc's slack.
     */
    private static final int MOST = (256 + 16 + 56 + 200) * MIB;

    /** Of the same point in two lives, or of two points in one: memtables may be full or empty, and malloc keeps some. */
    private static final int MORE = (56 + 24) * MIB;

    @TempDir
    Path temporary;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void required_D07_D10_deliveries_in_flight_survive_kills_and_memory_does_not_grow_with_what_was_settled()
            throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/status")), "needs /proc, to see how much memory a process has");
        Random random = Seeds.next(this);
        LoadLedger ledger = new LoadLedger();
        Rounds lives = Rounds.of("load.lives", LIVES);
        int ended = 0;
        while (lives.next() || ledger.settled() < SETTLED) {
            live(ledger, random);
            ended++;
        }
        // one more, that finds what the last kill left
        live(ledger, random);
        assertThat(ledger.settled()).isGreaterThanOrEqualTo(SETTLED);
        for (int point = 0; point <= 4; point++) {
            List<Integer> resident = ledger.memory(point);
            assertThat(resident).hasSize(ended + 1);
            assertThat(Collections.max(resident))
                    .as("kB at point %d: %s", point, resident)
                    .isLessThan(MOST);
            // the first life begins with nothing to take up
            List<Integer> warm = resident.subList(1, resident.size());
            assertThat(warm.get(warm.size() - 1))
                    .as("kB at point %d of each life: %s", point, resident)
                    .isLessThan(warm.get(0) + MORE);
        }
        for (int life = 0; life <= ended; life++) {
            assertThat(ledger.memory(4).get(life))
                    .as("kB at the end of a life")
                    .isLessThan(ledger.memory(2).get(life) + MORE);
        }
        Figures figures = new Figures();
        figures.add("kills", ended + 1);
        figures.add("opened", ledger.openings());
        figures.add("settled", ledger.settled());
        figures.add("in flight", OPEN);
        figures.add("most resident MiB", Collections.max(ledger.memory(4)) / MIB);
        figures.add("last resident MiB", ledger.memory(4).get(ended) / MIB);
        figures.add("longest claim ms", Collections.max(ledger.claimed()));
        figures.log(this);
        LOG.info(
                "life by life: claimed within {} ms, resident {} kB at the beginning and {} kB at the end",
                ledger.claimed(),
                ledger.memory(0),
                ledger.memory(4));
    }

    /** Up to a moment after its work is done. */
    private void live(LoadLedger ledger, Random random) throws IOException, InterruptedException {
        List<String> arguments = List.of(
                Engines.uri(temporary.resolve("state")),
                Integer.toString(OPEN),
                Integer.toString(SETTLED / LIVES),
                Long.toString(random.nextLong()));
        ProcessBuilder child = ChildJvm.command(
                List.of(), LoadChild.class, List.of("-Xms256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC"), arguments);
        Process process = child.start();
        ledger.begins();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            int more = random.nextInt(40);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                ledger.read(line);
                if (ledger.done() && more-- == 0) {
                    // by its handle: the process itself would close what it said, too
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertThat(ledger.done())
                .as("it worked until it was killed: %s", ledger.otherwise())
                .isTrue();
    }
}
