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
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A file system that is shut down at random moments while a process writes to it: what was not synced is lost, as with
 * the power. The same directory goes through all of them. Two losses for each level; {@code -Dpower.losses=…} changes it,
 * {@code tools/soak power} goes on for minutes.
 */
class PowerLossOnExt4Test {
    /** Large enough that tables are written and logs are deleted between losses. */
    static final NumberedCommits COMMITS = new NumberedCommits(400, 6_000);

    private static final Map<Durability, Integer> MOST = Map.of(Durability.DISK, 400, Durability.PROCESS, 4_000);

    private final Random random = Seeds.next(this);

    @TempDir
    Path temporary;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void required_G03_at_DISK_nothing_that_was_answered_is_lost_with_the_power() throws Exception {
        losePower(Durability.DISK);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void required_G03_at_PROCESS_nothing_before_the_last_sync_is_lost_with_the_power_and_what_is_there_is_a_prefix()
            throws Exception {
        losePower(Durability.PROCESS);
    }

    private void losePower(Durability level) throws Exception {
        Path image = temporary.resolve("image");
        Path place = Files.createDirectory(temporary.resolve("mount"));
        Mount.makeExt4(image, 512);
        Figures figures = new Figures();
        Rounds losses = Rounds.of("power.losses", 2);
        int there = 0;
        while (losses.next()) {
            List<String> lines;
            try (Mount mount = Mount.ext4(image, place)) {
                lines = live(mount, level, there);
                mount.unmount();
            }
            int kept = Math.max(there, last("kept", lines));
            try (Mount mount = Mount.ext4(image, place)) {
                try (RocksEngine engine = Engines.open(place.resolve("data"))) {
                    int found = COMMITS.found(engine);
                    assertThat(found).as("after loss %d", losses.number()).isGreaterThanOrEqualTo(kept);
                    figures.add("commits", found - there);
                    figures.add("power losses", 1);
                    figures.add("late and lost", Math.max(0, last("late", lines) - found));
                    figures.add("lost", Math.max(0, last("made", lines) - found));
                    there = found;
                }
                mount.unmount();
            }
        }
        figures.log(this);
    }

    /** One life, up to its loss of power; gives what it said. */
    private List<String> live(Mount mount, Durability level, int there) throws Exception {
        List<String> arguments = List.of(
                mount.directory().resolve("data").toString(),
                level.name(),
                Integer.toString(there + 1),
                mount.powerGone().toString());
        try (ChildJvm child = ChildJvm.start(NumberedChild.class, List.of("-XX:TieredStopAtLevel=1"), arguments)) {
            boolean opening = random.nextInt(4) == 0;
            if (!opening) {
                int wanted = there + 1 + random.nextInt(MOST.getOrDefault(level, 1));
                child.await(line -> number("kept", line) >= wanted, Duration.ofMinutes(2));
            }
            mount.losePower(random.nextDouble() * (opening ? 1.5 : 0.1), random.nextBoolean());
            child.kill();
            return child.linesToTheEnd();
        }
    }

    /** -1 when there is none. */
    private static int last(String what, List<String> lines) {
        return lines.stream().mapToInt(line -> number(what, line)).max().orElse(-1);
    }

    /** A line that the kill has cut says less than was so; -1 on another line. */
    private static int number(String what, String line) {
        return line.matches(what + " \\d+") ? Integer.parseInt(line.substring(what.length() + 1)) : -1;
    }
}
