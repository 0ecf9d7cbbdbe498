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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class CloseWhileBusyTest {
    @TempDir
    Path directory;

    /** In a JVM of its own: what it would show is that JVM's death. */
    @Test
    void closingUnderEightThreadsAnswersEachCallAndKillsNothing() throws Exception {
        try (ChildJvm child = ChildJvm.start(BusyClosing.class, List.of("-ea"), List.of(directory.toString(), "25"))) {
            int code = child.end(Duration.ofMinutes(2));
            assertThat(code).as(String.join("\n", child.lines())).isZero();
            assertThat(child.has(line -> line.startsWith("answered"))).isTrue();
        }
    }
}
