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
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Unreadable;

/** Answer to {@link Shard#handOut}. */
public sealed interface HandOutResult permits HandOutResult.HandedOut, Fenced {
    /**
     * Durable.
     *
     * @param given push these
     * @param exhausted hand-outs used up: dead-lettered
     * @param unreadable due, but not to be handed out or given up: the record, the payload or the task cannot be decoded,
     *     or the dead letter would exceed a commit of the backend; they stay open until discarded
     * @param nextDue when to come back, as far as known now
     */
    record HandedOut(
            List<HandOut> given,
            List<NackResult.DeadLettered> exhausted,
            List<Unreadable> unreadable,
            Optional<Instant> nextDue)
            implements HandOutResult {
        public HandedOut {
            Check.given("nextDue", nextDue);
            given = Check.elements("given", given);
            exhausted = Check.elements("exhausted", exhausted);
            unreadable = Check.elements("unreadable", unreadable);
        }
    }

    /** What to push; nothing when fenced. */
    default List<HandOut> handOuts() {
        return this instanceof HandedOut done ? done.given() : List.of();
    }
}
