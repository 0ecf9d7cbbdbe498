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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of the contract.
 *
 * @param number as in the names of tests
 * @param title how the rule begins
 */
record Rule(String number, String title) {
    /** What the contract says of engines has no numbers: all of it goes by this one. */
    static final String ENGINE = "ENG";

    private static final Pattern LINE = Pattern.compile("^- \\*\\*([A-Z]\\d\\d)\\*\\* (.*)$");

    static List<Rule> of(Path contract) throws IOException {
        List<Rule> rules = new ArrayList<>();
        for (String line : Files.readAllLines(contract)) {
            Matcher rule = LINE.matcher(line);
            if (rule.matches()) {
                rules.add(new Rule(rule.group(1), beginning(rule.group(2))));
            }
        }
        rules.add(new Rule(ENGINE, "What a backend implements"));
        return rules;
    }

    /** The first sentence, or as much of it as fits on a line. */
    private static String beginning(String text) {
        int end = text.indexOf(". ");
        String sentence = end < 0 ? text.replaceAll("\\.$", "") : text.substring(0, end);
        if (sentence.length() <= 110) {
            return sentence;
        }
        return sentence.substring(0, sentence.lastIndexOf(' ', 110)) + " …";
    }
}
