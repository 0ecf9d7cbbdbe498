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
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/**
 * One message for one subscriber, open.
 *
 * @param epoch of the last hand-out, or of the nack or release that ended it
 * @param handOuts how often it was handed out, this one included
 * @param failures how often it was nacked
 * @param lastFailure the last nack's reason
 * @param dueAt when it may be handed out (again); the end of the hand-out while a receiver has it
 * @param receiver who has it, or had it until {@code dueAt}; empty when nobody does
 * @param task the task that it carries to its agent
 */
public record Delivery(
        DeliveryId id,
        long offset,
        Subscriber subscriber,
        Bytes payload,
        Attributes attributes,
        long epoch,
        int handOuts,
        int failures,
        Optional<String> lastFailure,
        Instant openedAt,
        Instant dueAt,
        Optional<Receiver> receiver,
        Optional<TaskId> task) {
    public Delivery {
        Check.given("id", id);
        Check.given("subscriber", subscriber);
        Check.given("payload", payload);
        Check.given("attributes", attributes);
        Check.given("lastFailure", lastFailure);
        Check.given("openedAt", openedAt);
        Check.given("dueAt", dueAt);
        Check.given("receiver", receiver);
        Check.given("task", task);
    }
}
