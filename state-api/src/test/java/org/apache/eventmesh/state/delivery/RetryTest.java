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
package org.apache.eventmesh.state.delivery;

import java.time.Duration;
import org.junit.jupiter.api.Test;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class RetryTest {
    @Test
    void waits_double_up_to_the_most() {
        Retry retry = new Retry(10, ofSeconds(1), ofSeconds(5));
        assertThat(retry.delay(1)).isEqualTo(ofSeconds(1));
        assertThat(retry.delay(2)).isEqualTo(ofSeconds(2));
        assertThat(retry.delay(3)).isEqualTo(ofSeconds(4));
        assertThat(retry.delay(4)).isEqualTo(ofSeconds(5));
        assertThat(retry.delay(Integer.MAX_VALUE)).isEqualTo(ofSeconds(5));
    }

    @Test
    void no_wait_stays_no_wait() {
        assertThat(Retry.immediately(3).delay(1_000_000)).isEqualTo(Duration.ZERO);
    }

    @Test
    void the_longest_duration_does_not_overflow() {
        Retry retry = new Retry(10, ofSeconds(Long.MAX_VALUE / 2), ofSeconds(Long.MAX_VALUE));
        assertThat(retry.delay(100)).isEqualTo(ofSeconds(Long.MAX_VALUE));
    }

    @Test
    void nonsense_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Retry(0, ofSeconds(1), ofSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Retry(1, ofSeconds(-1), ofSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Retry(1, ofSeconds(2), ofSeconds(1)));
    }
}
