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

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.apache.eventmesh.state.tck.StateStoreTck;
import org.apache.eventmesh.state.tck.kit.StoreFixture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** The kit is worth something: each wrong engine turns the rule red that it breaks. A mutant that survives is a hole. */
class MutantsTest {
    static class Good extends StateStoreTck {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(engine -> engine);
        }
    }

    static class LostUpdate extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.LostUpdate::new);
        }
    }

    static class UnfencedWrite extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.UnfencedWrite::new);
        }
    }

    static class SwallowedWriteError extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.SwallowedWriteError::new);
        }
    }

    static class ResurrectedDelete extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.ResurrectedDelete::new);
        }
    }

    static class ReusedEpoch extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.ReusedEpoch::new);
        }
    }

    static class TornCommit extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.TornCommit::new);
        }
    }

    static class FoldedKeys extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.FoldedKeys::new);
        }
    }

    static class LeakingPage extends Good {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(Mutants.LeakingPage::new);
        }
    }

    static Stream<Arguments> mutants() {
        return Stream.of(
                arguments(LostUpdate.class, "required_N03_no_storm_of_bindings_exceeds_the_capacity"),
                arguments(
                        UnfencedWrite.class, "required_E05_a_paused_owner_that_wakes_after_a_takeover_changes_nothing"),
                arguments(
                        SwallowedWriteError.class,
                        "required_G01_a_write_is_visible_to_every_later_read_through_a_peer"),
                arguments(ResurrectedDelete.class, "required_X01_an_ack_retires_moves_and_counts_down_at_once"),
                arguments(ReusedEpoch.class, "required_E01_each_claim_of_a_scope_has_a_greater_epoch"),
                arguments(TornCommit.class, "required_X01_a_crash_before_or_after_a_commit_leaves_no_half"),
                arguments(
                        FoldedKeys.class,
                        "scenario_10_names_with_separators_and_colliding_pairs_stay_apart_in_every_store"),
                arguments(LeakingPage.class, "required_G12_progress_is_listed_in_order_and_once"),
                arguments(
                        LostUpdate.class,
                        "required_O02_positions_openings_and_acks_are_linearizable_under_faults_and_takeovers"),
                arguments(
                        ResurrectedDelete.class,
                        "required_T03_task_versions_and_owners_are_linearizable_under_faults_and_takeovers"),
                arguments(
                        TornCommit.class,
                        "required_D08_fan_outs_settlements_and_dead_letters_are_linearizable_under_faults_and_takeovers"),
                arguments(
                        ResurrectedDelete.class,
                        "required_G04_random_operations_of_all_stores_answer_as_a_model_of_the_contract"),
                arguments(
                        TornCommit.class,
                        "required_X01_a_crash_at_every_commit_of_a_way_through_all_stores_is_survived"));
    }

    @ParameterizedTest(name = "{0} breaks {1}")
    @MethodSource("mutants")
    void aMutantTurnsItsRuleRed(Class<? extends StateStoreTck> mutant, String rule) {
        TestExecutionSummary red = run(mutant, rule);

        assertThat(red.getTestsFoundCount()).as("tests named %s", rule).isPositive();
        assertThat(red.getTestsFailedCount())
                .as("failures of %s on %s", rule, mutant.getSimpleName())
                .isPositive();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void theEngineWithoutTheFaultIsGreen(Class<? extends StateStoreTck> mutant, String rule) {
        TestExecutionSummary green = run(Good.class, rule);

        StringWriter failures = new StringWriter();
        green.printFailuresTo(new PrintWriter(failures), 30);
        assertThat(green.getTestsFailedCount()).as(failures.toString()).isZero();
        assertThat(green.getTestsSucceededCount()).isPositive();
    }

    private static TestExecutionSummary run(Class<? extends StateStoreTck> kit, String rule) {
        Method test = Stream.of(kit.getMethods())
                .filter(method -> method.getName().equals(rule))
                .findFirst()
                .orElseThrow(() -> new AssertionError("the kit has no test " + rule));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectMethod(kit, test))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }
}
