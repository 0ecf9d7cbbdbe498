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

/** One transition on its way: each step is announced before it is made, and none comes before its time. */
public final class Course {
    private final Transition transition;

    /** Guarded by this; the first step that may come now. */
    private int next;

    Course(Transition transition, int next) {
        if (next < 0) {
            throw new IllegalStateException(transition + " has no such step");
        }
        this.transition = transition;
        this.next = next;
    }

    /**
     * The step begins. Naming it again is fine: it may take several commits.
     *
     * @throws IllegalStateException when a step that stands before it has not begun, or one behind it has
     */
    public synchronized void at(Step step) {
        List<Step> steps = transition.steps();
        if (next < steps.size() && steps.get(next) == step) {
            next++;
        } else if (next == 0 || steps.get(next - 1) != step) {
            throw new IllegalStateException(
                    step + " is not the next step of " + transition + ", whose steps are " + steps);
        }
    }
}
