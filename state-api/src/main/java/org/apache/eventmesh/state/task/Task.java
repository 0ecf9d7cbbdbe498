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

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A task as stored.
 *
 * @param version rises with every change
 * @param output absent until a move brings one; an empty one stays an empty one
 * @param artifacts in the order in which they came
 * @param history every state it was in, and every note that was made of one, oldest first
 */
public record Task(
        TaskId id,
        long version,
        TaskState state,
        AgentId agent,
        Optional<String> context,
        Optional<TaskId> parent,
        Bytes input,
        Optional<Bytes> output,
        List<Bytes> artifacts,
        Attributes attributes,
        List<Step> history,
        Instant createdAt,
        Instant changedAt) {
    public Task {
        Check.given("id", id);
        Check.given("state", state);
        Check.given("agent", agent);
        Check.given("context", context);
        Check.given("parent", parent);
        Check.given("input", input);
        Check.given("output", output);
        Check.given("attributes", attributes);
        Check.given("createdAt", createdAt);
        Check.given("changedAt", changedAt);
        artifacts = Check.elements("artifacts", artifacts);
        history = Check.elements("history", history);
    }

    /**
     * One state it was in.
     *
     * @param at since when
     * @param note the mover's; may be empty
     */
    public record Step(TaskState state, Instant at, String note) {
        public Step {
            Check.given("state", state);
            Check.given("at", at);
            Check.given("note", note);
        }
    }
}
