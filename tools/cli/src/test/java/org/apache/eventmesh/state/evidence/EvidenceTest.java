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
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The evidence table is what the tests say now, and every rule that is built has a test. */
class EvidenceTest {
    private static final Path REPOSITORY = Path.of("..", "..");
    private static final Path TABLE = REPOSITORY.resolve("docs").resolve("evidence.md");

    private static final String COMMAND = "./mvnw -pl tools/cli -am test -Dtest=EvidenceTest -Devidence.write=true";

    private final List<Rule> rules = Rule.of(REPOSITORY.resolve("docs").resolve("contract.md"));
    private final Collection<ProvingTest> tests = TestSources.under(REPOSITORY);

    EvidenceTest() throws IOException {}

    @Test
    void the_table_is_up_to_date() throws IOException {
        String now = new Evidence(rules, tests).text(COMMAND);
        if (Boolean.getBoolean("evidence.write")) {
            Files.writeString(TABLE, now);
        }
        assertThat(Files.exists(TABLE) ? Files.readString(TABLE) : "")
                .as("docs/evidence.md is stale; make it anew with: %s", COMMAND)
                .isEqualTo(now);
    }

    @Test
    void every_test_of_the_kit_names_a_rule_of_the_contract() {
        assertThat(tests)
                .as("tests")
                .isNotEmpty()
                .allMatch(test -> ProvingTest.isOne(test.name())
                        && (test.isScenario()
                                || test.isFault()
                                || rules.stream().anyMatch(test::proves)));
    }

    @Test
    void every_rule_has_a_test() {
        assertThat(rules).hasSizeGreaterThan(60);
        assertThat(rules)
                .filteredOn(rule -> tests.stream().noneMatch(test -> test.proves(rule)))
                .extracting(Rule::number)
                .as("rules that no test proves")
                .isEmpty();
    }

    @Test
    void every_fault_of_the_past_is_shown_to_be_impossible_on_every_backend() {
        assertThat(tests)
                .filteredOn(ProvingTest::isFault)
                .hasSize(14)
                .allSatisfy(fault -> assertThat(fault.where())
                        .as(fault.name())
                        .containsExactly("etcd", "memory", "rocksdb", "rocksdb with etcd"));
    }
}
