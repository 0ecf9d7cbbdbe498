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
package org.apache.eventmesh.state.core.task;

import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.owner.OwnedScope;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TransitionResult;

/** A token with the transitions that it is good for. */
record TaskHandle(Transitions transitions, OwnedScope<TaskId> owned) implements OwnedTask {
    @Override
    public Token<TaskId> token() {
        return owned.token();
    }

    @Override
    public CompletionStage<TransitionResult> move(Task asRead, TaskChange change) {
        Check.given("asRead", asRead);
        Check.given("change", change);
        return transitions.move(token(), asRead, change);
    }

    @Override
    public CompletionStage<Fenced> lost() {
        return owned.lost();
    }

    @Override
    public CompletionStage<Void> release() {
        return owned.release();
    }
}
