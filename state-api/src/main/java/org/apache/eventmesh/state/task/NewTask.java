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
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The creation fields; their hash decides between {@code Existing} and {@code Conflict}.
 *
 * @param context the conversation it belongs to
 * @param parent the task that it is part of
 * @param input what the agent gets: the payload of the delivery
 */
public record NewTask(
        TaskId id,
        AgentId agent,
        Optional<String> context,
        Optional<TaskId> parent,
        Bytes input,
        Attributes attributes) {
    public NewTask {
        Check.given("id", id);
        Check.given("agent", agent);
        Check.given("context", context);
        Check.given("parent", parent);
        Check.given("input", input);
        Check.given("attributes", attributes);
        context.ifPresent(name -> Check.identifier("context", name));
    }
}
