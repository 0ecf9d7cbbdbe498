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

import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;

/** Answer to an ack; only {@code Acked} changed anything. */
public sealed interface AckResult permits AckResult.Acked, AckResult.Duplicate, Refused, Fenced {
    /**
     * Settled now.
     *
     * @param position the subscriber's position afterwards; empty for a delivery outside positions (unordered source,
     *     replay, task)
     * @param completed the fan-out, if this was its last delivery and it is synced; {@link Shard#completed} has it too
     */
    record Acked(OptionalLong position, Optional<FanOut> completed) implements AckResult {
        public Acked {
            Check.given("position", position);
            Check.given("completed", completed);
        }
    }

    /** The same key came before; the first answer again. */
    record Duplicate(Acked first) implements AckResult {
        public Duplicate {
            Check.given("first", first);
        }
    }

    /** Whether the client has nothing more to do for this delivery: acked now, before, or settled otherwise. */
    default boolean done() {
        return this instanceof Acked || this instanceof Duplicate || this instanceof Refused.Settled;
    }
}
