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
package org.apache.eventmesh.state.example;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.delivery.*;
import org.apache.eventmesh.state.id.*;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.*;
import org.apache.eventmesh.state.task.*;

/** Tasks from submission to reply. */
final class TaskHandler {
    private final TaskStore tasks;
    private final Member me;
    private final Push push;
    private final Map<TaskId, OwnedTask> mine = new ConcurrentHashMap<>();

    TaskHandler(TaskStore tasks, Member me, Push push) {
        this.tasks = tasks;
        this.me = me;
        this.push = push;
    }

    CompletionStage<Task> submit(Shard shard, NewTask task, Optional<Receiver> agent) {
        Carrier carrier = new Carrier(Subscriber.group(task.agent().value()), agent, Duration.ofSeconds(30));
        return tasks.create(shard, task, carrier).thenApply(r -> {
            if (r instanceof CreateResult.Created c) {
                mine.put(c.task().id(), c.owned());
                c.handOut().ifPresent(push::send);
                return c.task();
            } else if (r instanceof CreateResult.Existing e) {
                return e.task();
            } else if (r instanceof CreateResult.Conflict c) {
                throw new IllegalStateException("task " + c.task().id() + " exists with other content");
            }
            throw new IllegalStateException("route to the shard's owner: " + r);
        });
    }

    /** An agent's progress or reply, however late: a final task stays as it is. */
    CompletionStage<TransitionResult> reply(TaskId id, TaskChange change) {
        return tasks.find(id)
                .thenCompose(t -> t.isEmpty()
                        ? CompletableFuture.completedStage(new TransitionResult.NotFound())
                        : own(id).thenCompose(o -> o.move(t.get(), change)));
    }

    private CompletionStage<OwnedTask> own(TaskId id) {
        OwnedTask known = mine.get(id);
        return known != null
                ? CompletableFuture.completedStage(known)
                : tasks.claim(me, id).thenApply(c -> {
                    OwnedTask o = c.claimed().orElseThrow(() -> new IllegalStateException("route to the owner: " + c));
                    mine.put(id, o);
                    o.lost().thenRun(() -> mine.remove(id, o));
                    return o;
                });
    }

    /** Cancel from any instance; on a conflict, look again. */
    CompletionStage<Task> cancel(Task asRead) {
        return tasks.cancel(asRead.id(), asRead.version(), "client").thenCompose(r -> {
            if (r instanceof TransitionResult.Conflict c && !c.current().state().isFinal()) {
                return cancel(c.current());
            }
            return tasks.find(asRead.id()).thenApply(Optional::orElseThrow);
        });
    }

    CompletionStage<Page<Task>> list(AgentId agent, PageRequest page) {
        return tasks.list(TaskFilter.agent(agent), page);
    }
}
