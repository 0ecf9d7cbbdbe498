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

import java.util.Optional;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;

/** Answer to a creation. */
public sealed interface CreateResult
        permits CreateResult.Created, CreateResult.Existing, CreateResult.Conflict, Fenced {
    /** New, ours, durable; push the hand-out if there is one. */
    record Created(Task task, OwnedTask owned, Optional<HandOut> handOut) implements CreateResult {
        public Created {
            Check.given("task", task);
            Check.given("owned", owned);
            Check.given("handOut", handOut);
        }
    }

    /** Same id, same content; nothing was changed. */
    record Existing(Task task) implements CreateResult {
        public Existing {
            Check.given("task", task);
        }
    }

    /** Same id, other content; nothing was changed. */
    record Conflict(Task task) implements CreateResult {
        public Conflict {
            Check.given("task", task);
        }
    }
}
