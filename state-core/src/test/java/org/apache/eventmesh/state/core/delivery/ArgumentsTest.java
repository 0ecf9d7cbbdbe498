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
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a call is given, at the edges. */
class ArgumentsTest {
    private static final String HALF_A_PAIR = "\ud83d";

    @Test
    void a_limit_is_one_at_least() {
        assertThatCode(() -> Arguments.limit(1)).doesNotThrowAnyException();
        assertThatThrownBy(() -> Arguments.limit(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit is 0");
    }

    @Test
    void a_lease_is_longer_than_zero() {
        assertThatCode(() -> Arguments.lease(Duration.ofNanos(1))).doesNotThrowAnyException();
        assertThatThrownBy(() -> Arguments.lease(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> Arguments.lease(Duration.ofNanos(-1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_text_is_well_formed() {
        assertThatCode(() -> Arguments.text("reason", "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> Arguments.text("reason", HALF_A_PAIR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reason");
        assertThatThrownBy(() -> Arguments.reason(HALF_A_PAIR)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_reason_has_a_size_in_bytes() {
        assertThatCode(() -> Arguments.reason("a".repeat(Arguments.REASON))).doesNotThrowAnyException();
        assertThatThrownBy(() -> Arguments.reason("a".repeat(Arguments.REASON + 1)))
                .isInstanceOf(LimitExceededException.class);
    }
}
