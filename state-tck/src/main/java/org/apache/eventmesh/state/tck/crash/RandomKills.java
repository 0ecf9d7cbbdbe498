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

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that works on all stores is killed again and again, at any moment: what it was promised is there. 26 kills each;
 * {@code -Dkills=…} changes it, {@code -Dsoak.seconds=…} makes them go on for so long, and the time limit must be lifted
 * then.
 */
public interface RandomKills extends Rules {
    /** The most lines that a child may say before its kill. */
    int LINES = 1_500;

    @Test
    @Needs(Capability.DURABLE)
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    default void required_G03_D07_promises_at_DISK_survive_kills_at_random_moments() {
        survive(Durability.DISK);
    }

    @Test
    @Needs(Capability.DURABLE)
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    default void required_G03_D07_promises_at_PROCESS_survive_kills_at_random_moments() {
        survive(Durability.PROCESS);
    }

    private void survive(Durability level) {
        Random random = Seeds.next(this);
        Ledger ledger = Ledger.ofKills();
        Rounds kills = Rounds.of("kills", 26);
        try (Lives lives = new Lives(Place.of(kit().fixture(), level), ledger, random, Optional.empty())) {
            while (kills.next()) {
                int lines = 1 + random.nextInt(random.nextInt(4) == 0 ? LINES / 40 : LINES);
                try {
                    lives.live(Pace.OFTEN, lines, () -> {}, () -> {});
                } catch (AssertionError broken) {
                    throw new AssertionError("after kill " + kills.number() + " at line " + lines, broken);
                }
            }
        }
        Figures figures = new Figures();
        figures.add("kills", kills.number());
        figures.add("calls", ledger.answers());
        figures.log(this);
    }
}
