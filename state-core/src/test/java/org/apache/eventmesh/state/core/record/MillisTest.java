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
package org.apache.eventmesh.state.core.record;

import java.time.Instant;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MillisTest {
    @Test
    void a_time_that_has_entered_comes_back_equal() {
        Instant entered = Millis.instant(Millis.of(Instant.parse("2026-01-01T00:00:00.123456789Z")));
        assertThat(entered).isEqualTo("2026-01-01T00:00:00.123Z");
        assertThat(Millis.instant(Millis.of(entered))).isEqualTo(entered);
    }

    @Test
    void any_clock_has_a_place_in_a_key() {
        assertThat(Millis.of(Instant.parse("1969-12-31T23:59:59.999Z"))).isZero();
        assertThat(Millis.of(Instant.MIN)).isZero();
        assertThat(Millis.of(Instant.MAX)).isEqualTo(Long.MAX_VALUE);
    }
}
