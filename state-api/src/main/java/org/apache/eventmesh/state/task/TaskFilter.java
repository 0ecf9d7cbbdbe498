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

/**
 * Which tasks to list: one indexed path, and optionally a state.
 *
 * @param state empty matches all
 */
public record TaskFilter(By by, Optional<TaskState> state) {
    public TaskFilter {
        Check.given("by", by);
        Check.given("state", state);
    }

    /** The path that is read; no other tasks are. */
    public sealed interface By {}

    /** The tasks of one agent. */
    public record OfAgent(AgentId agent) implements By {
        public OfAgent {
            Check.given("agent", agent);
        }
    }

    /** The tasks of one context, a conversation that the caller names. */
    public record OfContext(String context) implements By {
        public OfContext {
            Check.identifier("context", context);
        }
    }

    /** The tasks that one task gave out. */
    public record OfParent(TaskId parent) implements By {
        public OfParent {
            Check.given("parent", parent);
        }
    }

    /** Every task. */
    public record Any() implements By {}

    public static TaskFilter all() {
        return new TaskFilter(new Any(), Optional.empty());
    }

    public static TaskFilter agent(AgentId agent) {
        return new TaskFilter(new OfAgent(agent), Optional.empty());
    }

    public static TaskFilter context(String context) {
        return new TaskFilter(new OfContext(context), Optional.empty());
    }

    public static TaskFilter parent(TaskId parent) {
        return new TaskFilter(new OfParent(parent), Optional.empty());
    }

    public TaskFilter in(TaskState wanted) {
        return new TaskFilter(by, Optional.of(wanted));
    }
}
