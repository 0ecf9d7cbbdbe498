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
package org.apache.eventmesh.state.core.shard;

import java.util.ArrayList;
import java.util.List;
import org.apache.eventmesh.state.core.interleaving.Interleavings;
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** However the loop and the deadlines of callers take turns, each operation is taken or withdrawn, and never both. */
class PendingInterleavingsTest {
    @ParameterizedTest
    @ValueSource(classes = {Withdrawn.class, GivenBack.class, Added.class})
    void required_G02_an_operation_is_taken_or_withdrawn_however_threads_take_turns(
            Class<? extends Scenario> scenario) {
        assertThat(Interleavings.of(scenario, "Inbox", "Pending").preemptions()).isGreaterThanOrEqualTo(1);
    }

    /** As a turn of the loop does, but for what it decides. */
    abstract static class Waiting extends WaitingScenario {
        void turn() {
            answer(inbox.take(10));
        }
    }

    /** One deadline comes while the loop turns. */
    static final class Withdrawn extends Waiting {
        private boolean withdrawn;

        Withdrawn() {
            inbox.add(first);
            inbox.add(second);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    () -> {
                        turn();
                        turn();
                    },
                    () -> withdrawn = first.withdraw());
        }

        @Override
        public void check() {
            assertThat(told).containsExactlyElementsOf(withdrawn ? List.of("second") : List.of("first", "second"));
            assertThat(inbox.isEmpty()).isTrue();
            assertThat(first.withdraw()).as("asked again").isEqualTo(withdrawn);
        }
    }

    /** What was taken waits again, as after a conflict, while deadlines come. */
    static final class GivenBack extends Waiting {
        private boolean withdrawn;

        GivenBack() {
            inbox.add(first);
            inbox.add(second);
        }

        private void refused() {
            List<Pending<?>> taken = new ArrayList<>();
            for (Pending<?> each : inbox.take(10)) {
                if (each.take()) {
                    taken.add(each);
                }
            }
            taken.forEach(Pending::giveBack);
            inbox.putBack(taken);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    () -> {
                        refused();
                        turn();
                        turn();
                    },
                    () -> withdrawn = second.withdraw());
        }

        @Override
        public void check() {
            assertThat(told).containsExactlyElementsOf(withdrawn ? List.of("first") : List.of("first", "second"));
            assertThat(inbox.isEmpty()).isTrue();
        }
    }

    /** Others come in while the loop turns; whoever adds keeps its order. */
    static final class Added extends Waiting {
        private final Pending<String> third = pending("third");

        @Override
        public List<Runnable> threads() {
            return List.of(
                    () -> {
                        inbox.add(first);
                        inbox.add(second);
                    },
                    () -> inbox.add(third),
                    this::turn);
        }

        @Override
        public void check() {
            turn();
            assertThat(told).filteredOn(name -> !name.equals("third")).containsExactly("first", "second");
            assertThat(inbox.isEmpty()).isTrue();
        }
    }
}
