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
package org.apache.eventmesh.state.delivery;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;

/** Answer to a nack or a dead-lettering. */
public sealed interface NackResult permits NackResult.Rescheduled, NackResult.DeadLettered, Refused, Fenced {
    /** Open again under a new epoch, due at {@code dueAt}. */
    record Rescheduled(int failures, Instant dueAt) implements NackResult {
        public Rescheduled {
            Check.given("dueAt", dueAt);
        }
    }

    /**
     * Given up.
     *
     * @param position the subscriber's position afterwards; empty for a delivery outside positions
     * @param completed the fan-out, if this was its last delivery and it is synced; {@link Shard#completed} has it too
     */
    record DeadLettered(DeadLetterId id, OptionalLong position, Optional<FanOut> completed) implements NackResult {
        public DeadLettered {
            Check.given("id", id);
            Check.given("position", position);
            Check.given("completed", completed);
        }
    }
}
