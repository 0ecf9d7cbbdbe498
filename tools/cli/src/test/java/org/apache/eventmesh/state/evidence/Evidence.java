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

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The table that shows which tests prove which rule, and where they run. */
final class Evidence {
    private final List<Rule> rules;
    private final Collection<ProvingTest> tests;
    private final SortedSet<String> places = new TreeSet<>();
    private final StringBuilder text = new StringBuilder();

    Evidence(List<Rule> rules, Collection<ProvingTest> tests) {
        this.rules = rules;
        this.tests = tests;
        tests.forEach(test -> places.addAll(test.where()));
    }

    String text(String command) {
        line("# Evidence");
        line("");
        line(
                "Which tests prove which rule of [the contract](contract.md), and on which engine they run. A test carries");
        line("the number of its rule in its name. Made from the tests by `" + command + "`; do not edit.");
        line("");
        overview();
        byCommand();
        line("## Scenarios");
        line("");
        numbered(tests.stream().filter(ProvingTest::isScenario));
        line("## Faults of the past");
        line("");
        line(
                "What runtimes did that kept deliveries, offsets and dead letters apart, each as a test of the dispatcher in");
        line("`tools/dispatcher`.");
        line("");
        numbered(tests.stream().filter(ProvingTest::isFault));
        rules.forEach(this::rule);
        return text.toString();
    }

    private void overview() {
        line("## How many");
        line("");
        line("| Rule | " + String.join(" | ", places) + " |");
        line("|---|" + "---:|".repeat(places.size()));
        for (Rule rule : rules) {
            StringBuilder row = new StringBuilder("| " + rule.number() + " |");
            for (String place : places) {
                long count = proving(rule).stream()
                        .filter(test -> test.where().contains(place))
                        .count();
                row.append(' ').append(count == 0 ? "" : count).append(" |");
            }
            line(row.toString());
        }
        line("");
    }

    /** The same kit once more elsewhere: it takes minutes, and {@code ./verify} leaves it out. */
    private void byCommand() {
        SortedMap<String, Set<String>> testsOf = new TreeMap<>();
        tests.forEach(test -> test.byCommand()
                .forEach(place -> testsOf.computeIfAbsent(
                                "`" + place.command().orElseThrow() + "` | " + place.name(), row -> new TreeSet<>())
                        .add(test.name())));
        line("## By command");
        line("");
        line(
                "What is above runs in `./verify`. These runs of the kit are not counted there: each takes minutes, and is left");
        line("to its command.");
        line("");
        line("| command | where | tests | rules |");
        line("|---|---|---:|---:|");
        testsOf.forEach((row, names) -> {
            long proved = rules.stream()
                    .filter(rule -> proving(rule).stream().anyMatch(test -> names.contains(test.name())))
                    .count();
            line("| " + row + " | " + names.size() + " | " + proved + " |");
        });
        line("");
    }

    private void numbered(Stream<ProvingTest> listed) {
        listed.sorted()
                .forEach(test -> line("- **" + test.number() + "** " + test.sentence() + ": " + test.places()
                        + "  \n  `" + test.name() + "`"));
        line("");
    }

    private void rule(Rule rule) {
        line("## " + rule.number() + " " + rule.title());
        line("");
        List<ProvingTest> proving = proving(rule);
        if (proving.isEmpty()) {
            line("No test yet.");
        }
        proving.forEach(test -> line("- " + test.sentence() + ": " + test.places()));
        line("");
    }

    private List<ProvingTest> proving(Rule rule) {
        return tests.stream().filter(test -> test.proves(rule)).sorted().toList();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
