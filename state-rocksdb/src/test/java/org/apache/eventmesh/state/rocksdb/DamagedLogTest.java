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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * A log that was cut at, or has a bit flipped in, a byte of its last commits: at every one of these bytes with
 * {@code -Dlog.bytes=all}, at some of them otherwise.
 */
class DamagedLogTest {
    private static final int COMMITS = 12;
    private static final int LAST = 4;
    /** Where the type of a record stands in it. */
    private static final int KIND = 6;

    private static final String BYTES = System.getProperty("log.bytes", "16");

    private final NumberedCommits commits = new NumberedCommits(3, 90);
    private final Random random = Seeds.next(this);
    /** Where each commit ends in the log. */
    private final int[] ends = new int[COMMITS + 1];

    @TempDir
    Path temporary;

    private Path directory;
    private Remains left;
    private String log;
    private List<String> dropped = List.of();

    @BeforeEach
    void leaveALog() throws IOException {
        Path live = temporary.resolve("live");
        directory = temporary.resolve("damaged");
        try (RocksEngine engine = Engines.open(live)) {
            log = Remains.of(live).named(".log");
            ends[0] = (int) Files.size(live.resolve(log));
            for (int number = 1; number <= COMMITS; number++) {
                Engines.applied(engine, Durability.DISK, commits.commit(number));
                ends[number] = (int) Files.size(live.resolve(log));
            }
            left = Remains.of(live);
        }
    }

    @Test
    void required_G08_a_log_cut_at_any_byte_keeps_every_commit_before_the_cut() {
        for (int cut : positions()) {
            left.with(log, Arrays.copyOf(left.content(log), cut)).layOut(directory);
            assertThat(foundTwice())
                    .as("cut at %d of %s", cut, Arrays.toString(ends))
                    .isEqualTo(wholeBefore(cut));
            assertThat(dropped.isEmpty())
                    .as("reported: %s", dropped)
                    .isEqualTo(Arrays.stream(ends).anyMatch(end -> end == cut));
        }
    }

    @Test
    void required_G08_a_bit_flipped_in_any_byte_of_a_log_keeps_every_commit_before_it() {
        for (Flip flip : flips()) {
            left.with(log, flip.of(left.content(log))).layOut(directory);
            assertThat(foundTwice()).as("%s of %s", flip, Arrays.toString(ends)).isEqualTo(wholeBefore(flip.at()));
        }
    }

    @Test
    void required_G08_strict_recovery_refuses_a_log_with_any_bit_flipped_or_a_commit_torn() {
        for (int cut : positions()) {
            if (Arrays.stream(ends).noneMatch(end -> end == cut)) {
                left.with(log, Arrays.copyOf(left.content(log), cut)).layOut(directory);
                refused("cut at " + cut, "open it once without rocksdb.strictRecovery");
            }
        }
        for (Flip flip : flips()) {
            left.with(log, flip.of(left.content(log))).layOut(directory);
            refused(flip.toString(), "Keep a copy of the directory");
        }
    }

    @Test
    void required_G08_a_log_without_what_its_opening_had_synced_is_refused() {
        for (int cut : List.of(0, 1, ends[0] - 1)) {
            left.with(log, Arrays.copyOf(left.content(log), cut)).layOut(directory);
            assertThatThrownBy(() -> Engines.open(directory))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining(directory.resolve(log).toString())
                    .hasMessageContaining("restore a checkpoint");
        }
    }

    private void refused(String what, String remedy) {
        Remains before = read();
        assertThatThrownBy(() -> Engines.open(directory, Map.of("rocksdb.strictRecovery", "true")))
                .as(what)
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining(remedy)
                .hasMessageContaining("restore a checkpoint");
        assertThat(read().content(log)).as("the log, for whoever looks at it").isEqualTo(before.content(log));
    }

    private Remains read() {
        try {
            return Remains.of(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What was dropped must not come back, and what is written after it stays. */
    private int foundTwice() {
        int found;
        try (RocksEngine engine = Engines.open(directory)) {
            found = commits.found(engine);
            dropped = RecoveryReport.dropped(directory);
            Engines.applied(engine, Durability.DISK, commits.commit(found + 1));
        }
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(commits.found(engine)).isEqualTo(found + 1);
        }
        return found;
    }

    /** How many commits end at or before it. */
    private int wholeBefore(int position) {
        return (int) Arrays.stream(ends, 1, ends.length)
                .filter(end -> end <= position)
                .count();
    }

    private record Flip(int at, int bit) {
        byte[] of(byte[] content) {
            content[at] ^= (byte) (1 << bit);
            return content;
        }
    }

    /** Of the bytes that say what kind of record follows, every bit: RocksDB takes some of them for no record at all. */
    private List<Flip> flips() {
        List<Flip> flips = new ArrayList<>();
        for (int number = COMMITS - 2; number < COMMITS; number++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                flips.add(new Flip(ends[number] + KIND, bit));
            }
        }
        for (int position : positions()) {
            flips.add(new Flip(position, random.nextInt(Byte.SIZE)));
        }
        return flips;
    }

    private List<Integer> positions() {
        List<Integer> all = IntStream.range(ends[COMMITS - LAST], ends[COMMITS])
                .boxed()
                .collect(Collectors.toCollection(ArrayList::new));
        assertThat(all).hasSizeGreaterThan(LAST * 50);
        if (BYTES.equals("all")) {
            return all;
        }
        Collections.shuffle(all, random);
        return all.subList(0, Integer.parseInt(BYTES));
    }
}
