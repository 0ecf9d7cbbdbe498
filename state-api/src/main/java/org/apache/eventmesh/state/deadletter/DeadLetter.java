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

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A message that was given up for a subscriber, and why.
 *
 * @param revision as read: guards purge and replay
 * @param delivery that was given up
 * @param handOuts how often it was handed out
 * @param failures its nacks, oldest first
 * @param task the task that it carried
 */
public record DeadLetter(
        DeadLetterId id,
        long revision,
        DeliveryId delivery,
        Bytes payload,
        Attributes attributes,
        String reason,
        int handOuts,
        List<Failure> failures,
        Instant openedAt,
        Instant deadAt,
        Optional<TaskId> task) {
    public DeadLetter {
        Check.given("id", id);
        Check.given("delivery", delivery);
        Check.given("payload", payload);
        Check.given("attributes", attributes);
        Check.given("reason", reason);
        Check.given("openedAt", openedAt);
        Check.given("deadAt", deadAt);
        Check.given("task", task);
        failures = Check.elements("failures", failures);
    }

    /** One nack. */
    public record Failure(Instant at, String reason) {
        public Failure {
            Check.given("at", at);
            Check.given("reason", reason);
        }
    }
}
