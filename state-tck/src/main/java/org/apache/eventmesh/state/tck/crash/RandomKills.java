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
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.apache.eventmesh.state.tck.kit.Stages.get;

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
        Place place = Place.of(kit().fixture(), level);
        Ledger ledger = new Ledger();
        Rounds kills = Rounds.of("kills", 26);
        Child child = Child.start(place, Workload.class);
        try {
            while (kills.next()) {
                child.begin(beginning(random, ledger));
                int lines = 1 + random.nextInt(random.nextInt(4) == 0 ? LINES / 40 : LINES);
                listen(child, ledger, lines);
                child.kill();
                listen(child, ledger, Integer.MAX_VALUE);
                // its JVM starts while this one looks
                child = Child.start(place, Workload.class);
                try (StateStores stores = place.open()) {
                    Member member = get(stores.join("parent", Duration.ofSeconds(30)));
                    Sighting.check(stores, ledger, member);
                } catch (AssertionError broken) {
                    throw new AssertionError("after kill " + kills.number() + " at line " + lines, broken);
                }
            }
        } finally {
            child.close();
        }
        Figures figures = new Figures();
        figures.add("kills", kills.number());
        figures.add("calls", ledger.answers());
        figures.log(this);
    }

    /** What a new life must know: it goes on where the last one was killed. */
    private static String beginning(Random random, Ledger ledger) {
        Set<String> fanOuts = ledger.things("fanout");
        fanOuts.addAll(ledger.unanswered("fanout"));
        List<Long> tasks = Ledger.offsets(ledger.things("task"));
        String again = Ledger.offsets(ledger.unanswered("fanout")).stream()
                .filter(offset -> !ledger.sure(Openings.fanOut(offset)).equals("confirmed"))
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        return random.nextLong() + " " + next(Ledger.offsets(fanOuts)) + " " + (again.isEmpty() ? "none" : again) + " "
                + next(tasks)
                + " "
                + Math.max(0, ledger.atMost("position/" + Plan.MIRROR.topic() + "/" + Plan.name(Plan.FOLLOWER)));
    }

    private static long next(List<Long> numbers) {
        return numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1) + 1;
    }

    private static void listen(Child child, Ledger ledger, int lines) {
        for (int i = 0; i < lines; i++) {
            Optional<String> line = child.next();
            if (line.isEmpty()) {
                return;
            }
            ledger.read(line.get());
        }
    }
}
