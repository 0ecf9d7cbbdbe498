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
package org.apache.eventmesh.state.core.commit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.interleaving.Interleavings;
import org.apache.eventmesh.state.core.interleaving.Scenario;
import org.apache.eventmesh.state.observe.StoreName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** However a step that ends and the deadline take turns, what was applied is not denied. */
class StepsInterleavingsTest {
    @Test
    void required_G04_what_was_applied_is_not_denied_however_threads_take_turns() {
        assertThat(Interleavings.of(EndedAtTheDeadline.class, "Steps").preemptions())
                .isGreaterThanOrEqualTo(1);
    }

    /** One step ends while the whole is taken back. */
    static final class EndedAtTheDeadline implements Scenario {
        /** No step asks it for anything. */
        private static final TestBackend BACKEND = new TestBackend(new MapEngine());

        private final CompletableFuture<Steps> operation = new CompletableFuture<>();
        private final CompletableFuture<String> step = new CompletableFuture<>();
        private boolean nothing;

        EndedAtTheDeadline() {
            var unused = Steps.unattended(BACKEND.get(), new Operation(StoreName.TASKS, "move"), steps -> {
                operation.complete(steps);
                return steps.part(
                        told -> {
                            var unusedStage = step.thenAccept(told::complete);
                            // handed over, and only its fate is open: it cannot be taken back
                            return () -> false;
                        },
                        true);
            });
        }

        @Override
        public List<Runnable> threads() {
            Steps steps = operation.join();
            return List.of(() -> step.complete("applied"), () -> nothing = steps.withdraw());
        }

        @Override
        public void check() {
            assertThat(nothing).as("nothing was applied").isFalse();
        }
    }
}
