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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;

/** A2A tasks. Reading and cancelling is for anyone; moving is a method of {@link OwnedTask}. All writes are synced. */
public interface TaskStore {
    /**
     * Creates a task, owned by the shard's member, together with the delivery that carries it to its agent, in one
     * commit. The delivery's settlement moves it: acked, a task still SUBMITTED is WORKING; dead-lettered, FAILED;
     * withdrawn, REJECTED. The delivery of a task that is final is withdrawn at its next hand-out. Idempotent by id and
     * content.
     */
    CompletionStage<CreateResult> create(Shard shard, NewTask task, Carrier carrier);

    /** Many in few commits; outcomes in order, each task atomic by itself. */
    CompletionStage<List<Outcome<CreateResult>>> createAll(Shard shard, Collection<NewTask> tasks, Carrier carrier);

    /** Empty when there is none. Fails with {@code CorruptStateException} when it cannot be decoded. */
    CompletionStage<Optional<Task>> find(TaskId id);

    /** Ascending by id. */
    CompletionStage<Page<Task>> list(TaskFilter filter, PageRequest page);

    /** Cancels on the version alone, without ownership, and raises it. A repeat is a conflict with the canceled task. */
    CompletionStage<TransitionResult> cancel(TaskId id, long version, String reason);

    /**
     * Takes a task over from a member that is gone. Durable; repeating it as the same member gives the same token. What is
     * owned is the id: where no task stands under it, moves by the handle are {@link TransitionResult.NotFound}, and who
     * creates the task takes the ownership with it.
     */
    CompletionStage<ClaimResult<OwnedTask>> claim(Member member, TaskId id);

    /**
     * Claims it even while another's lease lives; the former owner is fenced from that commit on. Otherwise as
     * {@link #claim}.
     */
    CompletionStage<OwnedTask> takeOver(Member member, TaskId id);

    /** The task of a token kept elsewhere. Claims nothing: under a stale token every write is fenced. */
    OwnedTask task(Token<TaskId> token);

    /**
     * Removes at most {@code limit} final tasks last changed before {@code until}, each on its version. Idempotent,
     * resumable.
     *
     * @param limit at least 1, else {@code IllegalArgumentException}
     */
    CompletionStage<Swept> purge(Instant until, int limit);

    /** Unfinished tasks that nothing has moved since, longest first; reported, never removed. */
    CompletionStage<Page<Task>> stalled(Instant since, PageRequest page);
}
