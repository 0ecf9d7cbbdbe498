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
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class NativeLibraryTest {
    @TempDir
    Path temporary;

    private Path tmp;

    @BeforeEach
    void makeATemporaryDirectory() throws IOException {
        tmp = Files.createDirectory(temporary.resolve("tmp"));
    }

    @Test
    void whatAKilledProcessLeavesIsCleanedByTheNext() throws Exception {
        try (ChildJvm killed = engine("one");
                ChildJvm other = engine("two")) {
            assertThat(libraries()).hasSize(2);
            killed.kill();
            assertThat(libraries()).hasSize(2);
            try (ChildJvm next = engine("three")) {
                assertThat(libraries()).hasSize(2);
                other.send("close");
                other.await("1 closed"::equals);
                next.send("close");
                next.await("1 closed"::equals);
                assertThat(other.end(Duration.ofSeconds(20))).isZero();
                assertThat(next.end(Duration.ofSeconds(20))).isZero();
            }
        }
        assertThat(libraries()).isEmpty();
        try (Stream<Path> left = Files.list(tmp)) {
            assertThat(left.map(file -> file.getFileName().toString()))
                    .containsExactly("eventmesh-state-rocksdb-" + System.getProperty("user.name"));
        }
    }

    @Test
    void aTemporaryDirectoryWithoutExecIsExplained() throws Exception {
        try (Mount mount = Mount.tmpfs(tmp, "noexec");
                ChildJvm child = start("data")) {
            assertThat(child.await(line -> line.startsWith("refused")))
                    .contains("StoreUnavailableException", mount.directory().toString(), "java.io.tmpdir", "noexec");
        }
        assertThat(temporary.resolve("data")).doesNotExist();
    }

    private ChildJvm engine(String name) throws IOException {
        ChildJvm child = start(name);
        child.await("ready"::equals);
        return child;
    }

    private ChildJvm start(String name) throws IOException {
        return ChildJvm.start(
                EngineChild.class,
                List.of("-Djava.io.tmpdir=" + tmp),
                List.of(temporary.resolve(name).toString(), "10000"));
    }

    private List<Path> libraries() throws IOException {
        try (Stream<Path> files = Files.walk(tmp)) {
            return files.filter(file -> file.toString().endsWith(".so")).toList();
        }
    }
}
