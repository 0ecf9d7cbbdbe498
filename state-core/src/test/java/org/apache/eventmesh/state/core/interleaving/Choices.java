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
package org.apache.eventmesh.state.core.interleaving;

import java.util.ArrayList;
import java.util.List;

/** A path through all decisions, and the next one: depth first. */
final class Choices {
    private static final class Choice {
        private final int options;
        private int taken;

        Choice(int options) {
            this.options = options;
        }
    }

    private final List<Choice> path = new ArrayList<>();
    private int at;

    /** One of so many; the same on the same way. */
    int next(int options) {
        if (at == path.size()) {
            path.add(new Choice(options));
        }
        Choice choice = path.get(at++);
        if (choice.options != options) {
            throw new IllegalStateException("on the same way there are " + options + " options where there were "
                    + choice.options + ": the scenario depends on something beside its threads");
        }
        return choice.taken;
    }

    /** To the beginning of another path; {@code false} when there is none. */
    boolean another() {
        at = 0;
        while (!path.isEmpty()) {
            Choice last = path.get(path.size() - 1);
            if (last.taken + 1 < last.options) {
                last.taken++;
                return true;
            }
            path.remove(path.size() - 1);
        }
        return false;
    }
}
