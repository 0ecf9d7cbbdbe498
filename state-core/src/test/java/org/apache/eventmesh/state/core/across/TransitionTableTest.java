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
package org.apache.eventmesh.state.core.across;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * The table of transitions in the documentation is the one that the code keeps to. Make it anew with
 * {@code ./mvnw -pl state-core -am test -Dtest=TransitionTableTest -Dtransitions.write=true
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class TransitionTableTest {
    private static final Path DOCUMENT = Path.of("../docs/two-backends.md");
    private static final String BEGIN = "<!-- made from Transition by TransitionTableTest; do not edit -->\n";
    private static final String END = "<!-- end of what is made -->";

    @Test
    void the_documented_table_is_up_to_date() throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        int to = document.indexOf(END);
        if (Boolean.getBoolean("transitions.write")) {
            Files.writeString(DOCUMENT, document.substring(0, from) + table() + document.substring(to));
            document = Files.readString(DOCUMENT);
            to = document.indexOf(END);
        }
        assertThat(document.substring(from, to)).isEqualTo(table());
    }

    @Test
    void every_step_belongs_to_a_transition() {
        Set<Step> used = new HashSet<>();
        for (Transition transition : Transition.values()) {
            used.addAll(transition.steps());
        }
        assertThat(used).containsExactlyInAnyOrderElementsOf(Arrays.asList(Step.values()));
    }

    @Test
    void every_transition_spans_both_sides() {
        assertThat(Transition.values())
                .allSatisfy(transition -> assertThat(
                                transition.steps().stream().map(Step::side).distinct())
                        .hasSize(2));
    }

    @Test
    void a_step_out_of_order_is_a_bug() {
        Course course = Transition.DEAD_LETTER.begin();
        course.at(Step.INTENT);
        course.at(Step.INTENT);
        assertThatThrownBy(() -> course.at(Step.RETIRED))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LETTER");
        course.at(Step.LETTER);
        assertThatThrownBy(() -> course.at(Step.INTENT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Transition.RELEASE.resume(Step.LETTER)).isInstanceOf(IllegalStateException.class);
    }

    private static String table() {
        StringBuilder table = new StringBuilder(
                        "| transition | step | side | writes | when everything stops behind it |\n")
                .append("|---|---|---|---|---|\n");
        for (Transition transition : Transition.values()) {
            int number = 1;
            for (Step step : transition.steps()) {
                table.append("| ")
                        .append(number == 1 ? transition.what() : "")
                        .append(" | ")
                        .append(number++)
                        .append(" | ")
                        .append(step.side().name().toLowerCase(Locale.ROOT))
                        .append(" | ")
                        .append(step.does())
                        .append(" | ")
                        .append(step.interrupted())
                        .append(" |\n");
            }
        }
        return table.toString();
    }
}
