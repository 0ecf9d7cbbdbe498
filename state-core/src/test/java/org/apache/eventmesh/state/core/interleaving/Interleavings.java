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
package org.apache.eventmesh.state.core.interleaving;

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Tries all ways in which the threads of a scenario can take turns, as far as time allows: first those in which no thread
 * is ever made to wait although it could go on, then those with one such preemption, with two, and so on. Most faults of
 * concurrent code show with two.
 *
 * @param tried how many ways
 * @param preemptions all ways with so many were tried; {@link #ALL} when there are no others
 */
public record Interleavings(long tried, int preemptions) {
    /** There are no more preemptions than these to make. */
    public static final int ALL = Integer.MAX_VALUE;

    /** For each scenario, beyond what must be tried. */
    private static final Duration TIME = Duration.parse(System.getProperty("interleavings.time", "PT0.3S"));

    /** So many preemptions must be tried, however long it takes; where a fault is to be found, one more. */
    private static final int AT_LEAST = 1;

    /**
     * Tries them.
     *
     * @param classes of the scenario's package, by their simple names, between whose steps a thread may be made to wait
     * @throws AssertionError where a scenario fails, with the way in which its threads took turns
     */
    public static Interleavings of(Class<? extends Scenario> scenario, String... classes) {
        return of(scenario, woven(scenario, Set.of(classes), true), AT_LEAST);
    }

    /** The same, without the locks that these classes take: a scenario that does not fail then says little of them. */
    public static Interleavings withoutLocks(Class<? extends Scenario> scenario, String... classes) {
        return of(scenario, woven(scenario, Set.of(classes), false), AT_LEAST + 1);
    }

    private static Interleavings of(
            Class<? extends Scenario> scenario, Constructor<? extends Scenario> made, int atLeast) {
        long end = System.nanoTime() + TIME.toNanos();
        List<Player> players = new ArrayList<>();
        long tried = 0;
        for (int most = 0; ; most++) {
            Choices choices = new Choices();
            boolean cut = false;
            do {
                if (most > atLeast && System.nanoTime() > end) {
                    return told(scenario, new Interleavings(tried, most - 1));
                }
                cut |= play(made, players, choices, most);
                tried++;
            } while (choices.another());
            if (!cut) {
                return told(scenario, new Interleavings(tried, ALL));
            }
        }
    }

    private static Interleavings told(Class<?> scenario, Interleavings tried) {
        System.out.printf(
                "interleavings of %s: %d tried, %s%n",
                scenario.getSimpleName(),
                tried.tried(),
                tried.preemptions() == ALL ? "all" : "all with " + tried.preemptions() + " preemptions");
        return tried;
    }

    private static boolean play(
            Constructor<? extends Scenario> made, List<Player> players, Choices choices, int mostPreemptions) {
        Scenario scenario;
        try {
            scenario = made.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a scenario is made without arguments", e);
        }
        List<Runnable> parts = scenario.threads();
        while (players.size() < parts.size()) {
            Player player = new Player(players.size() + 1);
            player.start();
            players.add(player);
        }
        Interleaving one = new Interleaving(players, choices, mostPreemptions);
        try {
            one.play(parts);
            scenario.check();
        } catch (Throwable e) {
            throw new AssertionError(
                    e + "\nwhen the threads take turns like this:\n" + String.join("\n", one.switches()), e);
        }
        return one.cut();
    }

    private static Constructor<? extends Scenario> woven(
            Class<? extends Scenario> scenario, Set<String> classes, boolean locks) {
        try {
            Constructor<? extends Scenario> made = new WovenLoader(scenario, classes, locks)
                    .loadClass(scenario.getName())
                    .asSubclass(Scenario.class)
                    .getDeclaredConstructor();
            made.setAccessible(true);
            return made;
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a scenario is made without arguments", e);
        }
    }
}
