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

import java.util.List;
import org.apache.eventmesh.state.core.interleaving.Interleavings;
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.apache.eventmesh.state.core.interleaving.Workers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** However those who add operations and those who turn take turns, no operation is left behind, and one turns at a time. */
class TurningInterleavingsTest {
    private static final String[] POINTS = {"Turning", "Inbox", "TurningInterleavingsTest$Loop"};

    @ParameterizedTest
    @ValueSource(classes = {OnWorkers.class, OnCallers.class, Withdrawn.class})
    void required_G02_every_operation_has_its_turn_however_threads_take_turns(Class<? extends Scenario> scenario) {
        assertThat(Interleavings.of(scenario, POINTS).preemptions()).isGreaterThanOrEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(classes = {Forgetful.class, Hasty.class})
    void a_loop_that_does_not_hold_to_it_is_found(Class<? extends Scenario> scenario) {
        assertThatThrownBy(() -> Interleavings.of(scenario, POINTS))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("when the threads take turns like this");
    }

    /** As the loop of a shard does, but for what it decides. */
    abstract static class Loop extends WaitingScenario {
        final Workers threads = new Workers();
        final Turning turning;
        private int turns;
        private boolean crossed;

        Loop(boolean anywhere) {
            turning = new Turning(threads, anywhere, inbox, this::turn);
        }

        void submit(Pending<String> pending) {
            inbox.add(pending);
            turning.begin(pending);
        }

        void turn(int most) {
            crossed |= turns > 0;
            turns++;
            List<Pending<?>> taken = inbox.take(most);
            answer(taken);
            turns--;
            end(taken.isEmpty());
        }

        void end(boolean nothing) {
            if (nothing) {
                turning.rest();
            } else {
                turning.next();
            }
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    threads.giver(() -> submit(first)),
                    threads.giver(() -> submit(second)),
                    threads::work,
                    threads::work);
        }

        @Override
        public void check() {
            assertThat(told).containsExactlyInAnyOrder("first", "second");
            assertThat(inbox.isEmpty()).isTrue();
            assertThat(crossed).as("two turned at once").isFalse();
        }
    }

    /** Two come at once; the core's threads turn. */
    static final class OnWorkers extends Loop {
        OnWorkers() {
            super(false);
        }
    }

    /** Two come at once; whoever comes first turns for himself. */
    static final class OnCallers extends Loop {
        OnCallers() {
            super(true);
        }
    }

    /** A deadline comes meanwhile: the other has its turn all the same. */
    static final class Withdrawn extends Loop {
        private boolean withdrawn;

        Withdrawn() {
            super(true);
        }

        @Override
        public List<Runnable> threads() {
            return List.of(
                    threads.giver(() -> {
                        submit(first);
                        submit(second);
                    }),
                    () -> withdrawn = first.withdraw(),
                    threads::work);
        }

        @Override
        public void check() {
            assertThat(told).containsExactlyElementsOf(withdrawn ? List.of("second") : List.of("first", "second"));
            assertThat(inbox.isEmpty()).isTrue();
        }
    }

    /** Does not say that it rests: whoever comes later is left behind. */
    static final class Forgetful extends Loop {
        Forgetful() {
            super(false);
        }

        @Override
        void end(boolean nothing) {
            if (!nothing) {
                turning.next();
            }
        }
    }

    /** Rests and goes on: another turns beside it. */
    static final class Hasty extends Loop {
        Hasty() {
            super(false);
        }

        @Override
        void end(boolean nothing) {
            turning.rest();
            if (!nothing) {
                turning.next();
            }
        }
    }
}
