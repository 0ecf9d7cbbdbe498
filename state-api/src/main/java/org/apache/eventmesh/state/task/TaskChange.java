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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A move; what is absent is left as it is.
 *
 * @param to the new state; the present one again adds to output and artifacts, and a note to the history
 * @param output replaces the task's output
 * @param artifacts added behind those it has
 * @param note of the mover, for the history; empty for none
 */
public record TaskChange(TaskState to, Optional<Bytes> output, List<Bytes> artifacts, String note) {
    public TaskChange {
        Check.given("to", to);
        Check.given("output", output);
        Check.given("note", note);
        artifacts = Check.elements("artifacts", artifacts);
        Check.text("note", note);
    }

    public static TaskChange to(TaskState state) {
        return new TaskChange(state, Optional.empty(), List.of(), "");
    }

    public TaskChange output(Bytes result) {
        return new TaskChange(to, Optional.of(result), artifacts, note);
    }

    public TaskChange artifact(Bytes artifact) {
        List<Bytes> more = new ArrayList<>(artifacts);
        more.add(artifact);
        return new TaskChange(to, output, more, note);
    }

    public TaskChange note(String text) {
        return new TaskChange(to, output, artifacts, text);
    }
}
