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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Each kind of file that is not a log, gone, empty, cut and with a flipped bit: at every byte with
 * {@code -Dfile.bytes=all}, at some otherwise. Never is anything wrong or missing in silence.
 */
class DamageOfEachKindTest {
    private static final int COMMITS = 45;
    private static final String BYTES = System.getProperty("file.bytes", "6");

    private final NumberedCommits commits = new NumberedCommits(15, 90);
    private final Random random = Seeds.next(this);

    @TempDir
    Path temporary;

    private Path directory;
    private Remains left;

    /** With files of former lives, a table and a change of the MANIFEST of this one, and a log with commits of its own. */
    @BeforeEach
    void leaveADirectory() throws IOException {
        directory = temporary.resolve("damaged");
        Path live = temporary.resolve("live");
        try (RocksEngine engine = Engines.open(live)) {
            write(engine, 1, 15);
        }
        try (RocksEngine engine = Engines.open(live)) {
            write(engine, 16, 30);
            Await.result(engine.checkpoint(temporary.resolve("checkpoint")));
            write(engine, 31, COMMITS);
            left = Remains.of(live);
        }
    }

    private void write(RocksEngine engine, int from, int to) {
        for (int number = from; number <= to; number++) {
            Engines.applied(engine, Durability.DISK, commits.commit(number));
        }
    }

    @Test
    void required_G08_a_damaged_table_manifest_or_name_of_it_is_refused_or_harms_nothing() {
        for (String kind : List.of(".sst", "MANIFEST-", "CURRENT")) {
            every(kind, (name, what) -> {
                // a name of no file is reported as that file, and RocksDB reports some tables as their MANIFEST
                String named = "(" + name + "|MANIFEST)";
                assertThat(refusal(what))
                        .as(what)
                        .satisfiesAnyOf(
                                none -> assertThat(none).isNull(),
                                told -> assertThat(told)
                                        .isInstanceOf(CorruptStateException.class)
                                        .hasMessageContaining(directory.toString())
                                        .hasMessageMatching("(?s).*" + named + ".*restore a checkpoint.*"));
            });
        }
    }

    @Test
    void required_G08_a_damaged_mark_that_the_directory_is_ours_is_refused_or_harms_nothing() {
        every(
                Marker.NAME,
                (name, what) -> assertThat(refusal(what))
                        .as(what)
                        .satisfiesAnyOf(
                                none -> assertThat(none).isNull(),
                                told -> assertThat(told)
                                        .isInstanceOfAny(CorruptStateException.class, IncompatibleFormatException.class)
                                        .hasMessageContaining(Marker.NAME)
                                        .hasMessageMatching(
                                                "(?s).*(restore a checkpoint|the version that wrote it).*")));
    }

    @Test
    void required_G08_no_database_begins_where_one_was_whose_marks_are_damaged() throws IOException {
        Remains unnamed = left.without("CURRENT").with(Marker.NAME, new byte[0]);
        Remains nameless = unnamed.without(manifest());
        for (Remains damaged : List.of(unnamed, nameless, nameless.without(left.named(".log")))) {
            damaged.layOut(directory);
            assertThatThrownBy(() -> Engines.open(directory))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining(Marker.NAME)
                    .hasMessageContaining("restore a checkpoint");
            assertThat(Remains.of(directory).files().keySet())
                    .isEqualTo(damaged.files().keySet());
        }
    }

    @Test
    void required_G08_files_that_hold_no_state_may_be_damaged_or_missing() {
        for (String kind : List.of("OPTIONS-", "IDENTITY", "LOG", "HOLDER", LeastSizes.NAME)) {
            every(kind, (name, what) -> assertThat(refusal(what)).as(what).isNull());
        }
        left.files().keySet().stream()
                .filter(name -> name.matches("OPTIONS.*|IDENTITY|LOG.*|HOLDER|" + LeastSizes.NAME))
                .forEach(name -> left = left.without(name));
        left.layOut(directory);
        assertThat(refusal("all of them gone")).isNull();
    }

    @FunctionalInterface
    private interface Check {
        void look(String name, String what);
    }

    /** Lays out one damage after the other. */
    private void every(String kind, Check check) {
        List<String> names = left.files().keySet().stream()
                .filter(name -> name.startsWith(kind) || name.endsWith(kind))
                .toList();
        assertThat(names).as(kind).isNotEmpty();
        boolean all = BYTES.equals("all");
        for (String name : all ? names : List.of(names.get(random.nextInt(names.size())))) {
            Map<String, Remains> damages = new LinkedHashMap<>();
            damages.put("gone", left.without(name));
            damages.put("empty", left.with(name, new byte[0]));
            for (int at : positions(left.content(name).length)) {
                byte[] content = left.content(name);
                damages.put("cut at " + at, left.with(name, Arrays.copyOf(content, at)));
                int bit = random.nextInt(Byte.SIZE);
                content[at] ^= (byte) (1 << bit);
                damages.put("bit " + bit + " flipped at " + at, left.with(name, content));
            }
            damages.forEach((damage, remains) -> {
                remains.layOut(directory);
                check.look(name, name + " " + damage);
            });
        }
    }

    private List<Integer> positions(int length) {
        List<Integer> positions = new ArrayList<>();
        int step = BYTES.equals("all") ? Math.max(1, length / 2_000) : Math.max(1, length / Integer.parseInt(BYTES));
        for (int at = random.nextInt(step); at < length; at += step) {
            positions.add(at);
        }
        return positions;
    }

    /** What opening or reading is refused with; {@code null} when all is there and can be written. */
    private @Nullable StateStoreException refusal(String what) {
        try (RocksEngine engine = Engines.open(directory)) {
            assertThat(commits.found(engine)).as(what).isEqualTo(COMMITS);
            Engines.applied(engine, Durability.DISK, commits.commit(COMMITS + 1));
            return null;
        } catch (StateStoreException e) {
            return e;
        }
    }

    private String manifest() {
        return left.files().keySet().stream()
                .filter(name -> name.startsWith("MANIFEST-"))
                .findFirst()
                .orElseThrow();
    }
}
