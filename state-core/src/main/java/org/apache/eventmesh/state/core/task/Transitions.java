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

import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.commit.Withdrawable;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;

/** Moves of single tasks: under the owner's token, or without one to cancel. */
final class Transitions {
    private final Backend backend;
    private final Transactions transactions;
    private final Claims claims;
    private final TaskSizes sizes;
    private final InstantSource clock;

    Transitions(Backend backend, Claims claims, TaskSizes sizes, InstantSource clock) {
        this.backend = backend;
        this.transactions = new Transactions(backend);
        this.claims = claims;
        this.sizes = sizes;
        this.clock = clock;
    }

    CompletionStage<TransitionResult> move(Token<TaskId> token, Task asRead, TaskChange change) {
        TaskId id = token.scope();
        if (!asRead.id().equals(id)) {
            throw new IllegalArgumentException("the handle is of " + id + " and the task is " + asRead.id());
        }
        Operation operation = Tasks.operation("move", id);
        try {
            sizes.check(id, change);
        } catch (LimitExceededException e) {
            return refused(operation, e);
        }
        TransitionRule rule = rule(id, asRead.version(), change);
        return claims.write(
                operation,
                token,
                rule.keys(),
                (held, seen) -> rule.decide(seen, new Draft().condition(held.fence())),
                fenced -> fenced);
    }

    CompletionStage<TransitionResult> cancel(TaskId id, long version, String reason) {
        TaskChange change = TaskChange.to(TaskState.CANCELED).note(reason);
        Operation operation = Tasks.operation("cancel", id);
        try {
            sizes.check(id, change);
        } catch (LimitExceededException e) {
            return refused(operation, e);
        }
        TransitionRule rule = rule(id, version, change);
        return transactions.run(operation, rule.keys(), seen -> rule.decide(seen, new Draft()));
    }

    private TransitionRule rule(TaskId id, long version, TaskChange change) {
        return new TransitionRule(id, version, change, sizes, Millis.now(clock));
    }

    private <T> CompletionStage<T> refused(Operation operation, LimitExceededException why) {
        var ask = backend.<T>ask(operation, Withdrawable.NOTHING_TO_APPLY);
        ask.fail(why);
        return ask.stage();
    }
}
