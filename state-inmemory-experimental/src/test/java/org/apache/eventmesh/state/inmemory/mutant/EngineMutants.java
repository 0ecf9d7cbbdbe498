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
import org.apache.eventmesh.state.tck.kit.StoreFixture;

import static org.apache.eventmesh.state.inmemory.mutant.Mutant.wrongEngine;

/** The kit over each of the {@link WrongEngines}. */
final class EngineMutants {
    private EngineMutants() {}

    static List<Mutant> all() {
        return List.of(
                wrongEngine("the last writer wins", LostUpdate.class, "N03"),
                wrongEngine("nobody looks who owns", UnfencedWrite.class, "E05"),
                wrongEngine("a failed write is answered as applied", SwallowedWriteError.class, "G01")
                        .breakingMuch(),
                wrongEngine("what is deleted comes back", ResurrectedDelete.class, "X01"),
                wrongEngine("epochs begin anew", ReusedEpoch.class, "E01"),
                wrongEngine("of a commit a part is lost", TornCommit.class, "X01")
                        .breakingMuch(),
                wrongEngine("with the last instance the claims are gone", ForgottenClaims.class, "E02"),
                wrongEngine("with the last instance the positions are gone", ForgottenPositions.class, "O03"),
                wrongEngine("every data set has the same incarnation", SameIncarnation.class, "E01"),
                wrongEngine("capitals and small letters are one", FoldedKeys.class, "G05"),
                wrongEngine("a page leaves out an entry", LeakingPage.class, "G12"),
                // what histories, models and crash points say of some of them
                wrongEngine("the last writer wins, in a history", LostUpdate.class, "O02")
                        .seenBy("required_O02_positions_openings_and_acks_are_linearizable_under_faults_and_takeovers")
                        .breakingMuch(),
                wrongEngine("what is deleted comes back, in a history", ResurrectedDelete.class, "T03")
                        .seenBy("required_T03_task_versions_and_owners_are_linearizable_under_faults_and_takeovers")
                        .breakingMuch(),
                wrongEngine("of a commit a part is lost, in a history", TornCommit.class, "D08")
                        .seenBy(
                                "required_D08_fan_outs_settlements_and_dead_letters_are_linearizable_under_faults_and_takeovers")
                        .breakingMuch(),
                wrongEngine("what is deleted comes back, beside a model", ResurrectedDelete.class, "G04")
                        .seenBy("required_G04_random_operations_of_all_stores_answer_as_a_model_of_the_contract")
                        .breakingMuch(),
                wrongEngine("of a commit a part is lost, at a crash", TornCommit.class, "X01")
                        .seenBy("required_X01_a_crash_at_every_commit_of_a_way_through_all_stores_is_survived")
                        .breakingMuch());
    }

    static class LostUpdate extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.LostUpdate::new);
        }
    }

    static class UnfencedWrite extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.UnfencedWrite::new);
        }
    }

    static class SwallowedWriteError extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.SwallowedWriteError::new);
        }
    }

    static class ResurrectedDelete extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.ResurrectedDelete::new);
        }
    }

    static class ReusedEpoch extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.ReusedEpoch::new);
        }
    }

    static class ForgottenClaims extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return MutantFixture.durable(WrongEngines.Forgetful::ofHolders);
        }
    }

    static class ForgottenPositions extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return MutantFixture.durable(WrongEngines.Forgetful::ofPositions);
        }
    }

    static class SameIncarnation extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.SameIncarnation::new);
        }
    }

    static class TornCommit extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.TornCommit::new);
        }
    }

    static class FoldedKeys extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.FoldedKeys::new);
        }
    }

    static class LeakingPage extends MutantKit {
        @Override
        protected StoreFixture fixture() {
            return new MutantFixture(WrongEngines.LeakingPage::new);
        }
    }
}
