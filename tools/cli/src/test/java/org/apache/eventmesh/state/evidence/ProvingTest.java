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

import java.util.Set;
import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A test that proves a rule, is a scenario that an issue names, or shows that a fault of the past is impossible.
 *
 * @param where {@code ./verify} runs it
 * @param byCommand where it runs by a command alone
 */
record ProvingTest(String name, SortedSet<String> where, Set<Place> byCommand) implements Comparable<ProvingTest> {
    private static final Pattern REQUIRED = Pattern.compile("required_([A-Z]\\d\\d|" + Rule.ENGINE + ")_\\w+");
    private static final Pattern SCENARIO = Pattern.compile("scenario_\\d\\d_\\w+");

    private static final Pattern FAULT = Pattern.compile("fault_\\d\\d_\\w+");

    static boolean isOne(String method) {
        return Stream.of(REQUIRED, SCENARIO, FAULT)
                .anyMatch(form -> form.matcher(method).matches());
    }

    boolean isFault() {
        return FAULT.matcher(name).matches();
    }

    boolean isScenario() {
        return SCENARIO.matcher(name).matches();
    }

    boolean proves(Rule rule) {
        Matcher matcher = REQUIRED.matcher(name);
        return matcher.matches() && matcher.group(1).equals(rule.number());
    }

    /** Of a scenario or a fault. */
    int number() {
        return Integer.parseInt(name.replaceFirst("^(?:scenario|fault)_(\\d\\d)_.*", "$1"));
    }

    /** For the tables: what runs by itself, or by which command it runs at all. */
    String places() {
        return where.isEmpty()
                ? byCommand.stream()
                        .map(place -> place.name() + " (by `" + place.command().orElseThrow() + "`)")
                        .sorted()
                        .collect(Collectors.joining(", "))
                : String.join(", ", where);
    }

    /** The name without underscores. */
    String sentence() {
        return name.replaceFirst("^(required_\\w+?|scenario_\\d\\d|fault_\\d\\d)_", "")
                .replace('_', ' ');
    }

    @Override
    public int compareTo(ProvingTest other) {
        return name.compareTo(other.name);
    }
}
