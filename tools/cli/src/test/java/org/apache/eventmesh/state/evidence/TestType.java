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

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The outermost type of a source of tests.
 *
 * @param concrete whether it runs by itself; otherwise it runs where others inherit it
 * @param parents the simple names of what it extends and implements
 */
record TestType(String name, boolean concrete, List<String> parents, String source) {
    private static final Pattern DECLARED = Pattern.compile(
            "(?m)^((?:public |final |abstract |sealed )*)(class|interface|record|enum) (\\w+)([^{]*)\\{");
    private static final Pattern NAME = Pattern.compile("\\w+");

    static TestType of(String source) {
        Matcher declared = DECLARED.matcher(source);
        if (!declared.find()) {
            return new TestType("package-info", false, List.of(), source);
        }
        boolean concrete =
                !declared.group(1).contains("abstract ") && !declared.group(2).equals("interface");
        List<String> parents = NAME.matcher(declared.group(4))
                .results()
                .map(name -> name.group())
                .toList();
        return new TestType(declared.group(3), concrete, parents, source);
    }
}
