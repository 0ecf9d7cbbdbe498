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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Sizes at the limit and one byte beyond. */
class OpenBoundsTest {
    private static final StoreLimits LIMITS = StoreLimits.DEFAULT.withPayloadBytes(100);
    private static final int COMMIT = 1 << 20;
    private static final int LONGEST_HANDLE = 1 << 16;

    @Test
    void a_payload() {
        assertThat(exceeded(message(100, 0), COMMIT)).isEmpty();
        assertThat(exceeded(message(101, 0), COMMIT)).contains("payload").contains("101 bytes");
    }

    @Test
    void attributes_with_their_names() {
        assertThat(exceeded(message(0, 100), COMMIT)).isEmpty();
        assertThat(exceeded(message(0, 101), COMMIT)).contains("attributes").contains("101 bytes");
    }

    @Test
    void a_broker_handle() {
        assertThat(exceeded(withHandle(message(0, 0), LONGEST_HANDLE), COMMIT)).isEmpty();
        assertThat(exceeded(withHandle(message(0, 0), LONGEST_HANDLE + 1), COMMIT))
                .contains("broker handle")
                .contains(LONGEST_HANDLE + 1 + " bytes");
    }

    @Test
    void all_of_it_beside_what_a_dead_letter_adds() {
        assertThat(exceeded(withHandle(message(100, 100), 550), 1_000)).isEmpty();
        assertThat(exceeded(withHandle(message(100, 100), 551), 1_000))
                .contains("751 bytes")
                .contains("750");
    }

    @ParameterizedTest
    @CsvSource({
        "'',0",
        "a,1",
        "\u007f,1",
        "\u0080,2",
        "\u07ff,2",
        "\u0800,3",
        "\uffff,3",
        "\ud83d\ude00,4",
        "a\u00e9b,4"
    })
    void a_text_has_the_size_of_its_UTF_8(String text, long bytes) {
        assertThat(OpenBounds.utf8(text)).isEqualTo(bytes);
    }

    private static Incoming message(int payload, int attributes) {
        return Incoming.of(
                7,
                Bytes.of(new byte[payload]),
                attributes == 0 ? Attributes.NONE : Attributes.of("key", "v".repeat(attributes - 3)));
    }

    private static Incoming withHandle(Incoming message, int size) {
        return message.brokerHandle(Bytes.of(new byte[size]), Duration.ofMinutes(1));
    }

    private static String exceeded(Incoming message, int commit) {
        return OpenBounds.exceeded(message, LIMITS, commit)
                .map(Throwable::getMessage)
                .orElse("");
    }
}
