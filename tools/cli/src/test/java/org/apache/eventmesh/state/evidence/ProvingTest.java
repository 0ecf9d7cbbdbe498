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

import java.util.SortedSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A test that proves a rule, or is a scenario that an issue names.
 *
 * @param where it runs: the schemes of engines, or the name of a module
 */
record ProvingTest(String name, SortedSet<String> where) implements Comparable<ProvingTest> {
    private static final Pattern REQUIRED = Pattern.compile("required_([A-Z]\\d\\d|" + Rule.ENGINE + ")_\\w+");
    private static final Pattern SCENARIO = Pattern.compile("scenario_\\d\\d_\\w+");

    static boolean isOne(String method) {
        return REQUIRED.matcher(method).matches() || SCENARIO.matcher(method).matches();
    }

    boolean isScenario() {
        return SCENARIO.matcher(name).matches();
    }

    boolean proves(Rule rule) {
        Matcher matcher = REQUIRED.matcher(name);
        return matcher.matches() && matcher.group(1).equals(rule.number());
    }

    /** The name without underscores. */
    String sentence() {
        return name.replaceFirst("^(required_\\w+?|scenario_\\d\\d)_", "").replace('_', ' ');
    }

    @Override
    public int compareTo(ProvingTest other) {
        return name.compareTo(other.name);
    }
}
