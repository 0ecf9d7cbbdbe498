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
package org.apache.eventmesh.state;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StoreSettingsTest {
    @Test
    @SuppressWarnings("NullAway")
    void required_G05_a_setting_that_is_null_is_refused_by_its_name() {
        Map<String, UnaryOperator<StoreSettingsBuilder>> settings = new HashMap<>();
        settings.put("durability", builder -> builder.durability(null));
        settings.put("deadline", builder -> builder.deadline(null));
        settings.put("limits", builder -> builder.limits(null));
        settings.put("settledMarks", builder -> builder.settledMarks(null));
        settings.put("keepAliveInterval", builder -> builder.keepAliveInterval(null));
        settings.put("listener", builder -> builder.listener(null));
        settings.put("clock", builder -> builder.clock(null));
        settings.put("ticker", builder -> builder.ticker(null));
        settings.put("option a", builder -> builder.option("a", null));
        settings.put("name of an option", builder -> builder.option(null, "a"));
        settings.put("option b", builder -> builder.shared("map:shared").sharedOption("b", null));
        assertThat(settings)
                .allSatisfy((name, set) -> assertThatThrownBy(
                                () -> set.apply(StoreSettings.builder("map:")).build())
                        .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
                        .hasMessageContaining(name)
                        .hasMessageContaining("null"));
        assertThatThrownBy(() -> StoreSettings.of(null))
                .isInstanceOfAny(IllegalArgumentException.class, NullPointerException.class)
                .hasMessageContaining("address");
    }

    @Test
    void required_G02_a_duration_that_no_nanoseconds_can_hold_is_the_longest() {
        Duration huge = Duration.ofSeconds(Long.MAX_VALUE);
        StoreSettings settings = StoreSettings.builder("map:")
                .deadline(huge)
                .settledMarks(huge)
                .keepAliveInterval(huge)
                .build();
        assertThat(settings.deadline()).isEqualTo(StoreSettings.LONGEST);
        assertThat(settings.settledMarks()).isEqualTo(StoreSettings.LONGEST);
        assertThat(settings.keepAliveInterval()).isEqualTo(StoreSettings.LONGEST);
        assertThat(StoreSettings.LONGEST.toNanos()).isPositive();
    }
}
