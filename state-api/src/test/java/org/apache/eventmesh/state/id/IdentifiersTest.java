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
package org.apache.eventmesh.state.id;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class IdentifiersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"a", "a/b", "a\u0000b", "line\nbreak", "\uD83D\uDE00", " ", "a|b:c", "\u00e9 is not e\u0301"})
    void required_G05_any_wellformed_text_is_an_identifier_and_comes_back_exactly(String text) {
        assertThat(new ClientId(text).value()).isEqualTo(text);
        assertThat(new Partition(text, 0).topic()).isEqualTo(text);
    }

    @Test
    void required_G05_the_limit_is_512_bytes_of_utf8_not_characters() {
        assertThat(new TaskId("\u20ac".repeat(170) + "ab").value()).hasSize(172);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TaskId("\u20ac".repeat(171)))
                .withMessage("task has 513 bytes in UTF-8; the limit is 512");
    }

    @Test
    void required_G05_empty_and_malformed_identifiers_are_refused_by_name() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AgentId(""))
                .withMessage("agent is empty; give it at least one character");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClientId("a\uD83D"))
                .withMessage("client has an unpaired surrogate; give well-formed Unicode");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Partition("orders", -1))
                .withMessage("partition is -1; it must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DeadLetterId(new Partition("orders", 0), -5, Subscriber.group("g")))
                .withMessage("offset is -5; it must not be negative");
    }

    @Test
    void a_group_and_a_client_of_one_name_are_different_subscribers() {
        assertThat(Subscriber.group("x")).isNotEqualTo(Subscriber.single("x"));
    }
}
