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
package org.apache.eventmesh.state.tck.crash;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.tck.kit.StoreFixture.Power;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The disk under a process that works on all stores loses its power again and again, at any moment. Two losses each;
 * {@code -Dpower.losses=…} changes it, {@code -Dsoak.seconds=…} makes them go on for so long, and the time limit must be
 * lifted then.
 */
public interface RandomPowerLosses extends Rules {
    /** The most lines that a child may say before most losses. */
    int LINES = 1_500;

    /** Fewer, where each call waits for a sync. */
    int SYNCED_LINES = 400;

    /** Each so many-th life is long, so that files are written and deleted in it. */
    int LONG_LIFE = 8;

    @Test
    @Needs(Capability.DURABLE)
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    default void required_G03_D07_X01_promises_at_DISK_survive_losses_of_power() {
        losePower(Durability.DISK);
    }

    @Test
    @Needs(Capability.DURABLE)
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    default void required_G03_D07_X01_a_loss_of_power_at_PROCESS_leaves_a_clean_prefix_over_all_stores() {
        losePower(Durability.PROCESS);
    }

    private void losePower(Durability level) {
        Power power = kit().fixture()
                .power()
                .orElseThrow(() -> new AssertionError("the fixture has no power() to lose; give it one"));
        Random random = Seeds.next(this);
        Ledger ledger = Ledger.ofPowerLosses(level);
        Rounds losses = Rounds.of("power.losses", 2);
        try (Lives lives = new Lives(Place.of(kit().fixture(), level), ledger, random, Optional.of(power))) {
            while (losses.next()) {
                boolean opening = random.nextInt(4) == 0;
                int most = level == Durability.DISK ? SYNCED_LINES : LINES;
                int lines = opening ? 0 : 1 + random.nextInt(losses.number() % LONG_LIFE == 0 ? 20 * most : most);
                Duration in = Duration.ofMillis(random.nextInt(opening ? 1_500 : 100));
                Pace pace = level == Durability.DISK || random.nextInt(3) == 0 ? Pace.OFTEN : Pace.SELDOM;
                try {
                    lives.live(pace, lines, () -> power.lose(in, random), power::back);
                } catch (AssertionError broken) {
                    throw new AssertionError(
                            "after loss " + losses.number() + " at line " + lines + " and " + in, broken);
                }
            }
        }
        Figures figures = new Figures();
        figures.add("power losses", losses.number());
        figures.add("calls", ledger.answers());
        figures.add("lost", ledger.lost());
        figures.log(this);
    }
}
