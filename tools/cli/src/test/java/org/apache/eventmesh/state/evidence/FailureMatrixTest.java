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
package org.apache.eventmesh.state.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Every cell of the failure matrix names tests that exist, and no failure leaves a backend out. */
class FailureMatrixTest {
    private static final Path REPOSITORY = Path.of("..", "..");
    private static final Path MATRIX = REPOSITORY.resolve("docs").resolve("state-store-failure-matrix.md");

    private static final List<String> FAILURES = List.of(
            "The process is killed",
            "The machine is lost",
            "The backend is away",
            "The backend is slow, or hangs",
            "The backend is full",
            "Data is damaged",
            "An owner is fenced",
            "An owner is paused",
            "A clock jumps",
            "A step across stores fails in the middle");

    private static final Set<String> BACKENDS = Set.of("memory", "rocksdb", "etcd", "rocksdb with etcd");

    private static final Pattern METHOD = Pattern.compile("\\bvoid (\\w+)\\s*\\(");
    private static final Pattern NAMED = Pattern.compile("`(?:(\\w+)\\.)?(\\w+)`");

    private record Row(String failure, String backend, String proof) {}

    private final List<Row> rows = rows();

    FailureMatrixTest() throws IOException {}

    @Test
    void every_failure_says_what_happens_on_every_backend() {
        Map<String, Set<String>> backends = new TreeMap<>();
        rows.forEach(row ->
                backends.computeIfAbsent(row.failure(), key -> new TreeSet<>()).add(row.backend()));
        assertThat(backends.keySet()).containsExactlyInAnyOrderElementsOf(FAILURES);
        assertThat(backends)
                .allSatisfy((failure, named) ->
                        assertThat(named).as(failure).containsExactlyInAnyOrderElementsOf(BACKENDS));
    }

    @Test
    void every_row_names_tests_that_exist() throws IOException {
        Map<String, Set<String>> methods = methods();
        Set<String> ofKit = methods.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        assertThat(rows).allSatisfy(row -> {
            List<MatchResult> named = NAMED.matcher(row.proof()).results().toList();
            assertThat(named).as("tests of %s", row).isNotEmpty();
            assertThat(named).as("tests of %s", row).allSatisfy(test -> {
                Set<String> among = test.group(1) == null ? ofKit : methods.getOrDefault(test.group(1), Set.of());
                assertThat(among).contains(test.group(2));
            });
        });
    }

    private static List<Row> rows() throws IOException {
        List<Row> rows = new ArrayList<>();
        String failure = "";
        for (String line : Files.readAllLines(MATRIX)) {
            if (line.startsWith("## ")) {
                failure = line.substring(3);
            } else if (line.startsWith("| ") && !line.startsWith("| backend |")) {
                String[] cells = line.split("\\|", -1);
                rows.add(new Row(failure, cells[1].strip(), cells[cells.length - 2].strip()));
            }
        }
        return rows;
    }

    /** By simple name of class, of tests and of the kit. */
    private static Map<String, Set<String>> methods() throws IOException {
        List<Path> sources = new ArrayList<>(List.of(REPOSITORY.resolve("state-tck/src/main/java")));
        TestSources.modules(REPOSITORY).forEach(module -> sources.add(module.resolve("src/test/java")));
        Map<String, Set<String>> methods = new TreeMap<>();
        for (Path source : sources) {
            try (Stream<Path> files = Files.walk(source)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    Matcher method = METHOD.matcher(Files.readString(file));
                    while (method.find()) {
                        methods.computeIfAbsent(name, key -> new TreeSet<>()).add(method.group(1));
                    }
                }
            }
        }
        return methods;
    }
}
