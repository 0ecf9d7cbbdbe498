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
import org.apache.eventmesh.state.internal.Check;

/**
 * When a nacked delivery is due again: after {@code first}, doubled with each further failure up to {@code most}.
 *
 * @param maxFailures this failure dead-letters; at least 1
 * @param first zero: at once
 */
public record Retry(int maxFailures, Duration first, Duration most) {
    public Retry {
        Check.given("first", first);
        Check.given("most", most);
        Check.that(maxFailures >= 1, "maxFailures is %d; it must be at least 1", maxFailures);
        Check.that(!first.isNegative(), "first is %s; it must not be negative", first);
        Check.that(first.compareTo(most) <= 0, "first %s is longer than most %s", first, most);
    }

    /** Due again at once, {@code maxFailures} times. */
    public static Retry immediately(int maxFailures) {
        return new Retry(maxFailures, Duration.ZERO, Duration.ZERO);
    }

    /** How long failure number {@code failures} (from 1) waits. */
    public Duration delay(int failures) {
        Duration delay = first;
        for (int n = 1; n < failures && delay.compareTo(most) < 0 && !delay.isZero(); n++) {
            delay = delay.compareTo(most.dividedBy(2)) > 0 ? most : delay.multipliedBy(2);
        }
        return delay;
    }
}
