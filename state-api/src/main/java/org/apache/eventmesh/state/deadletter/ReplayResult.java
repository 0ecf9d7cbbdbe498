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
package org.apache.eventmesh.state.deadletter;

import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.internal.Check;

/** Answer to a replay. */
public sealed interface ReplayResult {
    /** A new delivery, open and due. */
    record Replayed(DeliveryId delivery) implements ReplayResult {
        public Replayed {
            Check.given("delivery", delivery);
        }
    }

    /** Durably accepted; the shard's owner, or its next one, opens it. */
    record Queued() implements ReplayResult {}

    /** Given up again since it was read; nothing was changed. */
    record Changed(DeadLetter current) implements ReplayResult {
        public Changed {
            Check.given("current", current);
        }
    }

    /** There is none: purged, or replayed under another key. */
    record Gone() implements ReplayResult {}

    /** It carried a task that is final; nothing was changed. */
    record TaskFinal() implements ReplayResult {}
}
