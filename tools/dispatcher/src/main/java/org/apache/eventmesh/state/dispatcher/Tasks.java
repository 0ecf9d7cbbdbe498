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
package org.apache.eventmesh.state.dispatcher;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.value.Bytes;

/** Work for agents: carried by deliveries, answered by replies, cancelled by whoever asked for it. */
public final class Tasks {
    private final StateStores stores;
    private final Member me;
    private final Lanes lanes;
    private final Audience audience;
    private final DispatcherSettings settings;
    private final Elsewhere elsewhere;

    Tasks(StateStores stores, Member me, Lanes lanes, Audience audience, DispatcherSettings settings) {
        this.stores = stores;
        this.me = me;
        this.lanes = lanes;
        this.audience = audience;
        this.settings = settings;
        this.elsewhere = new Elsewhere(stores);
    }

    /**
     * Creates a task and sends it to an agent that serves the queue; durable before anything is pushed. Idempotent by id
     * and content.
     *
     * @throws IllegalStateException when the partition is not served here
     */
    public CompletionStage<CreateResult> submit(Partition partition, NewTask task, Subscriber queue) {
        Lane lane = lanes.of(partition)
                .orElseThrow(() -> new IllegalStateException(partition + " is not served by "
                        + me.holder().instance() + "; submit where it is, or serve it"));
        Carrier carrier = new Carrier(queue, audience.pick(partition.topic(), queue), settings.hold());
        return stores.tasks().create(lane.shard(), task, carrier).thenApply(result -> {
            if (result instanceof CreateResult.Created created) {
                created.handOut().ifPresent(lane::pushNow);
            }
            return result;
        });
    }

    /** An agent has done its work. A task that is cancelled by then stays so; the answer shows it. */
    public CompletionStage<TransitionResult> reply(TaskId id, Bytes output) {
        return stores.tasks()
                .find(id)
                .thenCompose(found -> found.map(task -> complete(task, output))
                        .orElseGet(() -> CompletableFuture.completedStage(new TransitionResult.NotFound())));
    }

    private CompletionStage<TransitionResult> complete(Task asRead, Bytes output) {
        return stores.tasks()
                .claim(me, asRead.id())
                .thenCompose(claim -> claim.claimed()
                        .map(owned -> complete(owned, asRead, output))
                        .orElseGet(() -> elsewhere.is(asRead.id()).thenApply(fenced -> fenced)));
    }

    private CompletionStage<TransitionResult> complete(OwnedTask owned, Task asRead, Bytes output) {
        return owned.move(asRead, TaskChange.to(TaskState.COMPLETED).output(output))
                .thenCompose(result -> result instanceof TransitionResult.Conflict meanwhile
                        // the ack of its delivery moves a task too; one that is final refuses the next try
                        ? complete(owned, meanwhile.current(), output)
                        : CompletableFuture.completedStage(result));
    }

    /** Whoever asked for the task does not want it any more. Final tasks stay what they are; the answer shows it. */
    public CompletionStage<TransitionResult> cancel(TaskId id, String reason) {
        return stores.tasks()
                .find(id)
                .thenCompose(found -> found.map(task -> cancel(task, reason))
                        .orElseGet(() -> CompletableFuture.completedStage(new TransitionResult.NotFound())));
    }

    private CompletionStage<TransitionResult> cancel(Task asRead, String reason) {
        return stores.tasks()
                .cancel(asRead.id(), asRead.version(), reason)
                .thenCompose(result -> result instanceof TransitionResult.Conflict meanwhile
                                && !meanwhile.current().state().isFinal()
                        ? cancel(meanwhile.current(), reason)
                        : CompletableFuture.completedStage(result));
    }
}
