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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Pages that a disk lost, and logs that are not the last one: where RocksDB might go on behind a hole. */
class LostPagesTest {
    private static final int SECTOR = 512;
    private static final int BLOCK = 32 << 10;
    private static final int TIMES = 12;

    private final Random random = Seeds.next(this);

    private final NumberedCommits large = new NumberedCommits(3, 400_000);
    /** Of the large commits, in the first log. */
    private final List<Integer> ends = new ArrayList<>();

    private int written;

    @TempDir
    Path temporary;

    private Path live;
    private Path directory;

    @BeforeEach
    void choosePlaces() {
        live = temporary.resolve("live");
        directory = temporary.resolve("damaged");
    }

    @Test
    void required_G08_a_page_of_zeros_in_a_log_ends_it_there_however_much_stands_behind_it() throws IOException {
        NumberedCommits commits = new NumberedCommits(3, 3_000);
        Remains left;
        String log;
        try (RocksEngine engine = Engines.open(live)) {
            log = Remains.of(live).named(".log");
            for (int number = 1; number <= 80; number++) {
                Engines.applied(engine, Durability.PROCESS, commits.commit(number));
                ends.add((int) Files.size(live.resolve(log)));
            }
            left = Remains.of(live);
        }
        int size = left.content(log).length;
        assertThat(size / SECTOR).as("several blocks of 32 KiB").isGreaterThan(200);
        for (int i = 0; i < TIMES; i++) {
            byte[] content = left.content(log);
            // in the middle of a record, and between two of them: zeros seem to be a record there
            int from = i % 2 == 0
                    ? ends.get(random.nextInt(ends.size() - 1))
                    : SECTOR * (2 + random.nextInt(size / SECTOR - 2));
            int to = i < 2
                    ? size
                    : Math.min(size, i < 4 ? (from / BLOCK + 1) * BLOCK : from + SECTOR * (1 + random.nextInt(8)));
            Arrays.fill(content, from, to, (byte) 0);
            Remains damaged = left.with(log, content);
            String what = "zeros from " + from + " to " + to + " of " + content.length;
            damaged.layOut(directory);
            assertThatThrownBy(() -> Engines.open(directory, Map.of("rocksdb.strictRecovery", "true")))
                    .as(what)
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("restore a checkpoint");
            damaged.layOut(directory);
            try (RocksEngine engine = Engines.open(directory)) {
                assertThat(commits.found(engine)).as(what).isEqualTo((int)
                        ends.stream().filter(end -> end <= from).count());
            }
        }
    }

    @Test
    void required_G08_a_log_that_is_not_the_last_is_missed_when_it_was_synced() throws IOException {
        Remains left = twoLogs(Durability.DISK);
        String first = logs(live).get(0);
        byte[] whole = left.content(first);
        Map<String, Remains> damages = Map.of(
                "gone", left.without(first),
                "empty", left.with(first, new byte[0]),
                "halved", left.with(first, Arrays.copyOf(whole, whole.length / 2)),
                "without its last byte", left.with(first, Arrays.copyOf(whole, whole.length - 1)));
        damages.forEach((what, damaged) -> {
            damaged.layOut(directory);
            assertThatThrownBy(() -> Engines.open(directory))
                    .as("%s %s of %s", first, what, left.files().keySet())
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining(directory.toString())
                    .hasMessageContaining("restore a checkpoint");
        });
        left.layOut(directory);
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(large.found(engine)).isEqualTo(written);
        }
    }

    @Test
    void required_G08_behind_a_hole_in_a_log_nothing_of_the_next_log_is_there() throws IOException {
        Remains left = twoLogs(Durability.PROCESS);
        String first = logs(live).get(0);
        byte[] whole = left.content(first);
        int middle = whole.length / 2 / SECTOR * SECTOR;
        byte[] page = left.content(first);
        Arrays.fill(page, middle, middle + SECTOR, (byte) 0);
        byte[] rest = left.content(first);
        Arrays.fill(rest, middle, whole.length, (byte) 0);
        Map<String, byte[]> damages = Map.of(
                "a page of zeros",
                page,
                "zeros to its end",
                rest,
                "a cut in a record",
                Arrays.copyOf(whole, middle),
                "a cut between records",
                Arrays.copyOf(whole, ends.get(ends.size() / 2)));
        damages.forEach((what, content) -> {
            left.with(first, content).layOut(directory);
            assertThatThrownBy(() -> Engines.open(directory, Map.of("rocksdb.strictRecovery", "true")))
                    .as("%s of %d bytes with %s", first, whole.length, what)
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("restore a checkpoint");
            left.with(first, content).layOut(directory);
            try (RocksEngine engine = Engines.open(directory)) {
                int before = what.contains("between") ? ends.get(ends.size() / 2) : middle;
                assertThat(large.found(engine))
                        .as("%s of %d bytes with %s", first, whole.length, what)
                        .isEqualTo(
                                (int) ends.stream().filter(end -> end <= before).count());
            } catch (CorruptStateException e) {
                // a table holds what stood behind the hole already
                assertThat(e).hasMessageContaining(directory.toString()).hasMessageContaining("restore a checkpoint");
            }
        });
    }

    @Test
    void required_G08_a_commit_that_is_missing_between_two_logs_ends_the_first() throws IOException {
        NumberedCommits commits = new NumberedCommits(3, 90);
        Remains left;
        String log;
        try (RocksEngine engine = Engines.open(live)) {
            log = Remains.of(live).named(".log");
            while (written < 60) {
                Engines.applied(engine, Durability.PROCESS, commits.commit(++written));
                ends.add((int) Files.size(live.resolve(log)));
            }
            left = Remains.of(live);
        }
        byte[] all = left.content(log);
        assertThat(all)
                .as("within one block, where records may stand in any place")
                .hasSizeLessThan(BLOCK);
        for (int missing : new int[] {0, 1, 5}) {
            int kept = 20 + random.nextInt(20);
            Remains two = left.with(log, Arrays.copyOf(all, ends.get(kept - 1)))
                    .with("000100.log", Arrays.copyOfRange(all, ends.get(kept + missing - 1), all.length));
            two.layOut(directory);
            try (RocksEngine engine = Engines.open(directory)) {
                assertThat(commits.found(engine)).isEqualTo(missing == 0 ? written : kept);
            }
            if (missing > 0) {
                two.layOut(directory);
                assertThatThrownBy(() -> Engines.open(directory, Map.of("rocksdb.strictRecovery", "true")))
                        .isInstanceOf(CorruptStateException.class)
                        .hasMessageContaining(log)
                        .hasMessageContaining("restore a checkpoint");
            }
        }
    }

    @Test
    void required_G08_the_next_log_goes_on_where_one_that_is_whole_ends() throws IOException {
        twoLogs(Durability.PROCESS);
        LogFile first = LogFile.read(live.resolve(logs(live).get(0)));
        LogFile second = LogFile.read(live.resolve(logs(live).get(1)));
        assertThat(first.end()).isEqualTo(LogFile.End.WHOLE);
        assertThat(first.next()).isPresent().isEqualTo(second.first());
        assertThat(second.end()).isEqualTo(LogFile.End.WHOLE);
    }

    /** Copied when it is closed, as a table is written meanwhile. */
    private Remains twoLogs(Durability last) throws IOException {
        try (RocksEngine engine = Engines.open(live)) {
            Path first = live.resolve(logs(live).get(0));
            while (logs(live).size() < 2) {
                Engines.applied(engine, Durability.PROCESS, large.commit(++written));
                ends.add((int) Files.size(first));
            }
            for (int i = 0; i < 3; i++) {
                Engines.applied(engine, last, large.commit(++written));
            }
        }
        assertThat(logs(live)).hasSize(2);
        return Remains.of(live);
    }

    private static List<String> logs(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".log"))
                    .sorted()
                    .toList();
        }
    }
}
