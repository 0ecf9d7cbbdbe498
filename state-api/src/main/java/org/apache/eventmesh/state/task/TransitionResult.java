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

import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;

/** Answer to a move or a cancel; only {@code Moved} changed anything. */
public sealed interface TransitionResult
        permits TransitionResult.Moved,
                TransitionResult.Conflict,
                TransitionResult.NotAllowed,
                TransitionResult.NotFound,
                Fenced {
    /** Changed, durably; the task as it is now. */
    record Moved(Task task) implements TransitionResult {
        public Moved {
            Check.given("task", task);
        }
    }

    /** The version is not the current one. */
    record Conflict(Task current) implements TransitionResult {
        public Conflict {
            Check.given("current", current);
        }
    }

    /** The present state forbids the move; see {@link TaskState}. */
    record NotAllowed(Task current) implements TransitionResult {
        public NotAllowed {
            Check.given("current", current);
        }
    }

    /** There is no such task. */
    record NotFound() implements TransitionResult {}
}
