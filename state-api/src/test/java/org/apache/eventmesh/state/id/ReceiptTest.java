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

class ReceiptTest {
    private static final Receipt RECEIPT =
            new Receipt(new DeliveryId(new Partition("or.ders\u0000\uD83D\uDE00", 3), "in-1", 42), 7);

    @Test
    void its_text_reads_back_and_is_safe_in_a_url() {
        assertThat(RECEIPT.encode()).matches("[A-Za-z0-9_.-]+");
        assertThat(Receipt.parse(RECEIPT.encode())).isEqualTo(RECEIPT);
    }

    @Test
    void it_names_the_shard() {
        assertThat(Receipt.parse(RECEIPT.encode()).partition()).isEqualTo(RECEIPT.partition());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "1.7.42.3.aW4tMQ",
                "2.7.42.3.aW4tMQ.b3JkZXJz",
                "1.+7.42.3.aW4tMQ.b3JkZXJz",
                "1.07.42.3.aW4tMQ.b3JkZXJz",
                "1.7.42.3.aW4tMQ.b3JkZXJz.x",
                "1.7.42.-3.aW4tMQ.b3JkZXJz",
                "1.0.42.3.aW4tMQ.b3JkZXJz",
                "1.7.42.3.aW4tMQ.b3JkZXJ",
                "1.7.42.3.aW4tMQ==.b3JkZXJz",
                "1.7.42.3.aW4tMQ._w",
                "1.99999999999999999999.42.3.aW4tMQ.b3JkZXJz"
            })
    void any_other_text_is_refused_and_named(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Receipt.parse(text))
                .withMessageStartingWith("\"" + text + "\" is not a receipt: ")
                .withMessageEndingWith("return the receipt unchanged");
    }

    @Test
    void a_very_long_text_is_not_repeated_whole() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Receipt.parse("x".repeat(10_000)))
                .withMessageContaining("(10000 characters)");
    }
}
