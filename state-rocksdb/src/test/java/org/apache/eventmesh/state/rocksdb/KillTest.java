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

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class KillTest {
    @TempDir
    Path directory;

    @Test
    void whatWasAnsweredAtTheLevelOfTheProcessSurvivesItsKill() throws Exception {
        int acknowledged = 0;
        long highest = 0;
        for (int kills = 0; kills < 3; kills++) {
            try (ChildJvm child = ChildJvm.engine(directory, Duration.ofSeconds(10))) {
                child.send("storm");
                int wanted = 700 * (kills + 1);
                Awaitility.await().until(() -> child.lines().size() > wanted);
                child.kill();
                List<String> applied = child.lines().stream()
                        .filter(line -> line.matches("1 applied \\d+"))
                        .toList();
                long first = revision(applied.get(0));
                assertThat(first).isGreaterThan(highest);
                // The last line may have been cut by the kill.
                acknowledged = Math.max(acknowledged, applied.size() - 1);
                highest = revision(applied.get(applied.size() - 2));
            }
        }
        try (RocksEngine engine = Engines.open(directory)) {
            for (int i = 0; i < acknowledged; i++) {
                assertThat(Engines.text(engine, Engines.inFlight("storm-" + i))).contains("storm-" + i);
            }
        }
    }

    private static long revision(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }
}
