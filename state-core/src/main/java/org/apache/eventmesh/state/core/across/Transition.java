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
package org.apache.eventmesh.state.core.across;

import java.util.List;

/**
 * Everything that spans both backends of a store set, with the order of its steps. Over one backend each of these is one
 * commit. The code goes through the steps by {@link Course}, which sees that it keeps to this order, and the table in the
 * documentation is made from it.
 */
public enum Transition {
    CLAIM("claim and takeover of a partition", Step.HOLDER, Step.FENCE, Step.ARRIVAL),
    ENTER("the first open or advance for a subscriber", Step.ENTRY, Step.ENTERED),
    MOVE("a position that moves", Step.MOVED, Step.PUBLISHED),
    RESET("reset", Step.LOWERED, Step.RESET, Step.PUBLISHED),
    DEAD_LETTER(
            "dead-lettering: by call, by the last nack, by the last hand-out", Step.INTENT, Step.LETTER, Step.RETIRED),
    CREATE_TASK("creation of a task", Step.NUMBER, Step.TASK, Step.CARRIER),
    SETTLE(
            "the settlement of a delivery that carries a task or replays a dead letter",
            Step.SETTLED,
            Step.FOLLOWED,
            Step.FORGOTTEN),
    REPLAY("replay of a dead letter", Step.NUMBER, Step.REPLAYING, Step.REDELIVERED),
    WITHDRAW("withdrawal or removal of a subscriber", Step.WITHDRAWN, Step.UNPUBLISHED),
    RELEASE("release of a partition", Step.FLUSHED, Step.RELEASED, Step.UNFENCED);

    private final String what;

    @SuppressWarnings("ImmutableEnumChecker") // List.of never changes
    private final List<Step> steps;

    Transition(String what, Step... steps) {
        this.what = what;
        this.steps = List.of(steps);
    }

    /** For people. */
    public String what() {
        return what;
    }

    /** In order. */
    public List<Step> steps() {
        return steps;
    }

    /** Begins one. */
    public Course begin() {
        return new Course(this, 0);
    }

    /** Goes on with one, at a step that may have been made before. */
    public Course resume(Step from) {
        return new Course(this, steps.indexOf(from));
    }
}
