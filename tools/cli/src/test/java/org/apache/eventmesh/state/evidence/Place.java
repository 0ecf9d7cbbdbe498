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

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a test class runs.
 *
 * @param name the scheme of an engine or what {@code RunsOn} says, or the name of a module
 * @param command what runs it, where {@code ./verify} does not
 */
record Place(String name, Optional<String> command) {
    private static final Pattern NAMED =
            Pattern.compile("@RunsOn\\((?:value = )?\"([^\"]+)\"(?:, by = \"([^\"]+)\")?\\)");

    /** As the class says, or {@code otherwise}. */
    static Place of(String source, String otherwise) {
        Matcher named = NAMED.matcher(source);
        return named.find()
                ? new Place(named.group(1), Optional.ofNullable(named.group(2)))
                : new Place(otherwise, Optional.empty());
    }
}
