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
package org.apache.eventmesh.state.task;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TaskStateTest {
    private static final Set<TaskState> ALL = EnumSet.allOf(TaskState.class);
    private static final Set<TaskState> NONE = EnumSet.noneOf(TaskState.class);
    private static final Set<TaskState> BUT_SUBMITTED = EnumSet.complementOf(EnumSet.of(TaskState.SUBMITTED));

    /** Rule T02, written out; a state may stay what it is, which adds output only. */
    private static final Map<TaskState, Set<TaskState>> MOVES = Map.of(
            TaskState.SUBMITTED, ALL,
            TaskState.WORKING, BUT_SUBMITTED,
            TaskState.INPUT_REQUIRED, BUT_SUBMITTED,
            TaskState.AUTH_REQUIRED, BUT_SUBMITTED,
            TaskState.COMPLETED, NONE,
            TaskState.FAILED, NONE,
            TaskState.CANCELED, NONE,
            TaskState.REJECTED, NONE);

    @Test
    void required_T02_only_these_moves_exist() {
        for (TaskState from : ALL) {
            for (TaskState to : ALL) {
                assertThat(from.mayBecome(to))
                        .as("%s to %s", from, to)
                        .isEqualTo(MOVES.get(from).contains(to));
            }
        }
    }
}
