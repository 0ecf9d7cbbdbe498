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
package org.apache.eventmesh.state.tck.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One message of an unordered source: its deliveries and its fan-out.
 *
 * @param confirmed whether the runtime has confirmed the fan-out
 * @param again whether it was opened again since: a broker handle of before may be replaced
 */
record MessageState(Owning owning, List<TargetState> targets, boolean confirmed, boolean again) {
    static MessageState of(int targets) {
        return new MessageState(Owning.NOBODY, Collections.nCopies(targets, TargetState.ABSENT), false, false);
    }

    TargetState target(int number) {
        return targets.get(number);
    }

    MessageState owned(Owning now) {
        return new MessageState(now, targets, confirmed, again);
    }

    MessageState with(int number, TargetState now) {
        List<TargetState> changed = new ArrayList<>(targets);
        changed.set(number, now);
        return new MessageState(owning, List.copyOf(changed), confirmed, again);
    }

    boolean allSettled() {
        return targets.stream().allMatch(TargetState::isSettled);
    }

    boolean isCompleted() {
        return allSettled() && !confirmed;
    }

    MessageState confirmedNow() {
        return new MessageState(owning, targets, true, false);
    }

    /** A message that is settled completes again. */
    MessageState openedAgain() {
        return new MessageState(owning, targets, false, true);
    }
}
