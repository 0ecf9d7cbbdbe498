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

/**
 * A delivery that waits for a receiver; without its payload, which is read when somebody gets it.
 *
 * @param handOuts how often it was handed out
 * @param failures how often it was nacked
 */
public record Due(
        DeliveryId id,
        long offset,
        Subscriber subscriber,
        int handOuts,
        int failures,
        Instant dueAt,
        Optional<TaskId> task) {
    public Due {
        Check.given("id", id);
        Check.given("subscriber", subscriber);
        Check.given("dueAt", dueAt);
        Check.given("task", task);
    }
}
