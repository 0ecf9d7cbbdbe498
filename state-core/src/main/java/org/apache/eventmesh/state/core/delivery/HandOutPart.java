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
package org.apache.eventmesh.state.core.delivery;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Unreadable;

/** What one commit handed out. */
sealed interface HandOutPart {
    /**
     * Committed.
     *
     * @param rest where to look on, when there may be more to hand out now: in due order, that one included
     */
    record Done(
            List<HandOut> given,
            List<NackResult.DeadLettered> exhausted,
            List<Unreadable> unreadable,
            Optional<Instant> nextDue,
            Optional<OpenDelivery> rest)
            implements HandOutPart {}

    record Lost(Fenced why) implements HandOutPart {}
}
