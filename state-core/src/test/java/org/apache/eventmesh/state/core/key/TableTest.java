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
package org.apache.eventmesh.state.core.key;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The numbers and layouts stand on disk. A line here may be added; from the first release on none may be changed, and the
 * number of one that is taken away is retired.
 */
class TableTest {
    private static final List<String> LAID_DOWN = List.of(
            "01 META name:TEXT",
            "02 COUNTER slot:INT",
            "03 HOLDER scope:SCOPE",
            "04 MEMBER leased process:TEXT",
            "05 HELD_BY instance:TEXT process:TEXT scope:SCOPE",
            "10 SHARD topic:TEXT partition:INT",
            "11 PROGRESS topic:TEXT partition:INT subscriber:SUBSCRIBER",
            "12 PROGRESS_BY_SUBSCRIBER subscriber:SUBSCRIBER topic:TEXT partition:INT",
            "13 SHARD_HOME topic:TEXT partition:INT",
            "14 PUBLISHED topic:TEXT partition:INT subscriber:SUBSCRIBER",
            "15 PUBLISHED_BY_SUBSCRIBER subscriber:SUBSCRIBER topic:TEXT partition:INT",
            "20 SUBSCRIPTION leased topic:TEXT client:TEXT",
            "21 SUBSCRIPTION_BY_CLIENT leased client:TEXT topic:TEXT",
            "22 SUBSCRIPTION_BY_INSTANCE leased instance:TEXT client:TEXT topic:TEXT",
            "30 AGENT agent:TEXT",
            "31 AGENT_LEASE leased agent:TEXT",
            "32 BINDING session:TEXT",
            "33 BINDING_BY_AGENT agent:TEXT epoch:LONG session:TEXT",
            "34 SESSION session:TEXT",
            "35 SESSION_BY_EXPIRY expires at:LONG session:TEXT",
            "40 DEAD_LETTER topic:TEXT partition:INT offset:LONG subscriber:SUBSCRIBER",
            "41 DEAD_LETTER_BY_TIME dead at:LONG topic:TEXT partition:INT offset:LONG subscriber:SUBSCRIBER",
            "42 DEAD_LETTER_BY_TOPIC topic:TEXT dead at:LONG partition:INT offset:LONG subscriber:SUBSCRIBER",
            "43 DEAD_LETTER_BY_SUBSCRIBER subscriber:SUBSCRIBER dead at:LONG topic:TEXT partition:INT offset:LONG",
            "44 REPLAY topic:TEXT partition:INT offset:LONG subscriber:SUBSCRIBER request key:TEXT",
            "45 REPLAY_QUEUED topic:TEXT partition:INT offset:LONG subscriber:SUBSCRIBER request key:TEXT",
            "46 REPLAY_BY_TIME done at:LONG topic:TEXT partition:INT offset:LONG subscriber:SUBSCRIBER request key:TEXT",
            "47 REPLAYING topic:TEXT partition:INT offset:LONG subscriber:SUBSCRIBER",
            "50 TASK task:TEXT",
            "51 TASK_BY_AGENT agent:TEXT task:TEXT",
            "52 TASK_BY_CONTEXT context:TEXT task:TEXT",
            "53 TASK_BY_PARENT parent:TEXT task:TEXT",
            "54 TASK_BY_STATE state:KIND task:TEXT",
            "55 TASK_BY_CHANGE final:KIND changed at:LONG task:TEXT",
            "56 TASK_BY_AGENT_AND_STATE agent:TEXT state:KIND task:TEXT",
            "57 TASK_BY_CONTEXT_AND_STATE context:TEXT state:KIND task:TEXT",
            "58 TASK_BY_PARENT_AND_STATE parent:TEXT state:KIND task:TEXT",
            "59 TASK_CARRIED topic:TEXT partition:INT task:TEXT",
            "80 DELIVERY topic:TEXT partition:INT number:LONG kind:KIND offset:LONG message:LONG subscriber:SUBSCRIBER",
            "81 MESSAGE topic:TEXT partition:INT message:LONG",
            "82 FAN_OUT topic:TEXT partition:INT offset:LONG",
            "83 MARK topic:TEXT partition:INT number:LONG",
            "84 MARK_BY_MESSAGE topic:TEXT partition:INT offset:LONG subscriber:SUBSCRIBER",
            "85 OUTSTANDING topic:TEXT partition:INT number:LONG",
            "86 DEAD_BEFORE topic:TEXT partition:INT subscriber:SUBSCRIBER offset:LONG");

    /** Numbers of tables that were dropped: never again. Zero never was one. */
    private static final List<Integer> RETIRED = List.of(0);

    @Test
    void what_was_laid_down_stays() {
        List<String> now = Arrays.stream(Table.values()).map(TableTest::line).toList();
        assertThat(now).containsExactlyInAnyOrderElementsOf(LAID_DOWN);
    }

    @Test
    void no_number_has_two_tables() {
        List<Integer> numbers = Arrays.stream(Table.values()).map(Table::number).toList();
        assertThat(numbers).doesNotHaveDuplicates().doesNotContainAnyElementsOf(RETIRED);
        assertThat(numbers).allMatch(number -> number > 0 && number < 0xFF);
    }

    @Test
    void in_flight_state_has_the_upper_half() {
        assertThat(Arrays.stream(Table.values()).filter(Table::inFlight))
                .containsExactly(
                        Table.DELIVERY,
                        Table.MESSAGE,
                        Table.FAN_OUT,
                        Table.MARK,
                        Table.MARK_BY_MESSAGE,
                        Table.OUTSTANDING,
                        Table.DEAD_BEFORE);
    }

    @Test
    void every_table_of_a_store_names_it() {
        assertThat(Arrays.stream(Table.values()).filter(table -> table.store().isEmpty()))
                .containsExactly(Table.META, Table.COUNTER, Table.HOLDER, Table.MEMBER, Table.HELD_BY);
    }

    private static String line(Table table) {
        return "%02x %s%s %s"
                .formatted(
                        table.number(),
                        table,
                        table.leased() ? " leased" : "",
                        table.elements().stream()
                                .map(element -> element.name() + ":" + element.type())
                                .collect(Collectors.joining(" ")));
    }
}
