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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The kit is worth something: on each wrong engine and each wrong core it turns the rule red that is broken, and no other. A
 * mutant that survives is a hole in the kit.
 */
class MutantsTest {
    /** Only mutants in whose rules or fault this is found, while one works on them. */
    private static final Pattern ONLY = Pattern.compile(System.getProperty("mutants", ""));

    static Stream<Mutant> mutants() {
        return all().filter(mutant -> ONLY.matcher(mutant.toString()).find());
    }

    private static Stream<Mutant> all() {
        return Stream.of(
                        OwnerMutants.all(),
                        DeliveryMutants.all(),
                        TaskMutants.all(),
                        SideMutants.all(),
                        GeneralMutants.all(),
                        EngineMutants.all())
                .flatMap(List::stream);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mutants")
    void theKitNamesTheRuleThatIsBroken(Mutant mutant) {
        KitRun run = mutant.run();

        Set<String> red = run.red().keySet();
        assertThat(red)
                .as("tests that see '%s'; those that did not: %s", mutant, run.green())
                .isNotEmpty()
                .as("tests of %s; why they failed: %s", mutant.rules(), run.red())
                .isSubsetOf(mutant.selected());
        assertThat(red.stream().flatMap(test -> KitRun.rules(test).stream()).collect(Collectors.toSet()))
                .as("rules of %s", red)
                .containsAll(mutant.rules());
        // a class that cannot be loaded breaks no rule: it is the mutant that is wrong
        assertThat(run.red().values()).noneMatch(MutantsTest::isOfTheMutantItself);
    }

    private static boolean isOfTheMutantItself(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .anyMatch(cause -> cause instanceof LinkageError || cause instanceof BadPlaceError);
    }

    @Test
    void withoutAFaultAllControlsAreGreen() {
        for (Class<?> kit : List.of(Kits.One.class, Kits.Two.class)) {
            KitRun run = KitRun.of(new FaultyLoader(Optional.empty(), false).again(kit), Mutant.CONTROLS);

            assertThat(run.red()).isEmpty();
            assertThat(run.green()).containsExactlyInAnyOrderElementsOf(Mutant.CONTROLS);
        }
    }

    @Test
    void everyGroupOfRulesHasItsMutants() {
        Set<String> groups = all().flatMap(mutant -> mutant.rules().stream())
                .map(rule -> rule.substring(0, 1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(groups).containsExactly("D", "E", "G", "L", "N", "O", "S", "T", "X");
    }

    @Test
    void everyRuleOfTheKitHasItsMutant() {
        Set<String> named = all().flatMap(mutant -> mutant.rules().stream()).collect(Collectors.toSet());

        assertThat(Stream.of(Kits.One.class, Kits.Two.class)
                        .flatMap(kit -> Stream.of(kit.getMethods()))
                        .flatMap(test -> KitRun.rules(test.getName()).stream()))
                .isNotEmpty()
                .isSubsetOf(named);
    }
}
