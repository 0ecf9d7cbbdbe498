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
package org.apache.eventmesh.state.inmemory.mutant;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * An engine or a core with one deliberate fault, and what the kit has to say of it.
 *
 * @param name the fault in words
 * @param kit over what it runs
 * @param core the fault, where it is not in an engine
 * @param rules that it breaks: a test of each turns red, and none of the {@link #CONTROLS} that is of another
 * @param tests of those rules that turn red; empty to run all that are quick
 * @param late whether the kit waits in vain, until its patience is at an end
 * @param wide whether it breaks nearly everything, so that no control says anything
 */
record Mutant(
        String name,
        Class<? extends MutantKit> kit,
        Optional<CoreFault> core,
        Set<String> rules,
        Set<String> tests,
        boolean late,
        boolean wide) {
    /** One quick test of each group of rules. */
    static final Set<String> CONTROLS = Set.of(
            "required_G06_what_a_store_gives_back_cannot_be_changed",
            "required_E04_a_repeated_claim_gives_the_same_token",
            "required_O01_an_advance_tells_from_where_to_where",
            "required_S01_a_registration_comes_back_exactly",
            "required_D04_expiry_alone_does_not_end_a_hand_out",
            "required_L02_the_same_message_is_not_recorded_twice_under_two_ids",
            "required_T01_the_same_creation_again_is_the_existing_task",
            "required_N01_a_repeat_replaces_the_spec_and_keeps_the_token",
            "required_X03_every_store_tells_its_health");

    /** Histories, models and crash points see many faults; their time is for those that nothing else sees. */
    private static final List<String> SLOW = List.of("linearizable", "random_operations", "at_every_commit");

    /** A wrong core, over one good engine. */
    static Mutant wrongCore(String name, CoreFault fault, String... rules) {
        return made(name, Kits.One.class, Optional.of(fault), rules);
    }

    /** A wrong core, over two good engines. */
    static Mutant wrongCoreOverTwo(String name, CoreFault fault, String... rules) {
        return made(name, Kits.Two.class, Optional.of(fault), rules);
    }

    /** A wrong engine under a good core. */
    static Mutant wrongEngine(String name, Class<? extends MutantKit> kit, String... rules) {
        return made(name, kit, Optional.empty(), rules);
    }

    private static Mutant made(String name, Class<? extends MutantKit> kit, Optional<CoreFault> core, String... rules) {
        return new Mutant(name, kit, core, Set.copyOf(Arrays.asList(rules)), Set.of(), false, false);
    }

    /** Only these are run: others of the same rules take long, or have nothing to say of it. */
    Mutant seenBy(String... named) {
        return new Mutant(name, kit, core, rules, Set.copyOf(Arrays.asList(named)), late, wide);
    }

    /** What these tests wait for never comes, so they are run with little patience. */
    Mutant seenLateBy(String... named) {
        return new Mutant(name, kit, core, rules, Set.copyOf(Arrays.asList(named)), true, wide);
    }

    /** It breaks nearly everything. */
    Mutant breakingMuch() {
        return new Mutant(name, kit, core, rules, tests, late, true);
    }

    /** The tests that are to see it. */
    Set<String> selected() {
        if (!tests.isEmpty()) {
            return tests;
        }
        Set<String> selected = new TreeSet<>(KitRun.tests(kit, rules));
        selected.removeIf(test -> SLOW.stream().anyMatch(test::contains));
        return selected;
    }

    /** Those of the controls that are of other rules, and not to see it. */
    Set<String> controls() {
        Set<String> controls = new TreeSet<>(wide ? Set.of() : CONTROLS);
        controls.removeIf(test -> KitRun.rules(test).stream().anyMatch(rules::contains));
        return controls;
    }

    /** The kit on it. */
    KitRun run() {
        if (late) {
            return run(selected(), true).and(run(controls(), false));
        }
        Set<String> all = new TreeSet<>(selected());
        all.addAll(controls());
        return run(all, false);
    }

    private KitRun run(Set<String> named, boolean impatient) {
        if (core.isEmpty()) {
            return KitRun.of(kit, named);
        }
        FaultyLoader loader = new FaultyLoader(core, impatient);
        KitRun run = KitRun.of(loader.again(kit), named);
        if (!loader.met() && !named.isEmpty()) {
            throw new BadPlaceError("no test used " + core.get().className() + ": the mutant proves nothing");
        }
        return run;
    }

    @Override
    public String toString() {
        return String.join(", ", new TreeSet<>(rules)) + ": " + name;
    }
}
