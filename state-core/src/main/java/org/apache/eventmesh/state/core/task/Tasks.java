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

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.owner.ClaimStep;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.owner.OwnedScope;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Elements;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.core.sweep.Sweep;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Swept;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.task.TaskStore;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.value.Bytes;

/** Tasks over a backend. They begin in the commits of the shards; all else is here. */
public final class Tasks implements TaskStore {
    private final Backend backend;
    private final Transactions transactions;
    private final Claims claims;
    private final Shards shards;
    private final TaskSizes sizes;
    private final Transitions transitions;

    public Tasks(Backend backend, Claims claims, Shards shards, StoreLimits limits, InstantSource clock) {
        this.backend = backend;
        this.transactions = new Transactions(backend);
        this.claims = claims;
        this.shards = shards;
        this.sizes = new TaskSizes(limits, backend.engine().limits());
        this.transitions = new Transitions(backend, claims, sizes, clock);
    }

    @Override
    public CompletionStage<CreateResult> create(Shard shard, NewTask task, Carrier carrier) {
        Check.given("shard", shard);
        Check.given("task", task);
        Check.given("carrier", carrier);
        ShardLoop loop = shards.loop(shard);
        return loop.sides().two() ? shared(loop, task, carrier) : loop.submit(creation(loop, task, carrier));
    }

    @Override
    public CompletionStage<List<Outcome<CreateResult>>> createAll(
            Shard shard, Collection<NewTask> tasks, Carrier carrier) {
        Check.given("shard", shard);
        Check.elements("tasks", tasks);
        Check.given("carrier", carrier);
        ShardLoop loop = shards.loop(shard);
        if (loop.sides().two()) {
            return SharedBatch.run(
                    loop,
                    tasks.stream()
                            .map(task -> (Supplier<CompletionStage<CreateResult>>) () -> shared(loop, task, carrier))
                            .toList());
        }
        return Elements.run(
                loop,
                operation("createAll", loop.token().scope()),
                tasks.stream().map(task -> creation(loop, task, carrier)).toList());
    }

    @Override
    public CompletionStage<Optional<Task>> find(TaskId id) {
        Check.given("id", id);
        Bytes key = TaskKey.bytes(id);
        return transactions.run(
                operation("find", id),
                List.of(key),
                seen -> Decision.answer(seen.get(Records.TASK, key).map(TaskRecords::task)));
    }

    @Override
    public CompletionStage<Page<Task>> list(TaskFilter filter, PageRequest page) {
        Check.given("filter", filter);
        Check.given("page", page);
        TaskPath path = new TaskPath(filter);
        Listing<Task> listing = path.table() == Table.TASK
                ? Listing.ofRecords(
                        "tasks", path.range(), Records.TASK, stored -> Optional.of(TaskRecords.task(stored)))
                : Listing.byIndex(
                        "tasks",
                        path.range(),
                        index -> TaskKey.bytes(path.read(index)),
                        Records.TASK,
                        (index, stored) -> wanted(stored, path.wants(stored.record())));
        return listing.page(backend, operation("list", filter), page);
    }

    @Override
    public CompletionStage<TransitionResult> cancel(TaskId id, long version, String reason) {
        Check.given("id", id);
        Check.given("reason", reason);
        return transitions.cancel(id, version, reason);
    }

    @Override
    public CompletionStage<ClaimResult<OwnedTask>> claim(Member member, TaskId id) {
        Check.given("member", member);
        Check.given("id", id);
        return claims.as(
                member,
                operation("claim", id),
                steps -> claims.claim(steps, member, id, ClaimStep.none()).thenApply(this::handle));
    }

    @Override
    public CompletionStage<OwnedTask> takeOver(Member member, TaskId id) {
        Check.given("member", member);
        Check.given("id", id);
        return claims.as(
                member,
                operation("takeOver", id),
                steps -> claims.takeOver(steps, member, id, ClaimStep.none()).thenApply(held -> task(held.token())));
    }

    @Override
    public OwnedTask task(Token<TaskId> token) {
        Check.given("token", token);
        return new TaskHandle(transitions, new OwnedScope<>(claims, StoreName.TASKS, token));
    }

    @Override
    public CompletionStage<Swept> purge(Instant until, int limit) {
        Check.given("until", until);
        return Sweep.run(
                backend,
                operation("purge", until),
                TaskRetention.PER_COMMIT,
                new TaskRetention(),
                TaskKey.changedBefore(true, Millis.from(until)),
                limit);
    }

    @Override
    public CompletionStage<Page<Task>> stalled(Instant since, PageRequest page) {
        Check.given("since", since);
        Check.given("page", page);
        return Listing.byIndex(
                        "stalled tasks",
                        TaskKey.changedBefore(false, Millis.from(since)),
                        index -> TaskKey.bytes(TaskKey.readByChange(index).id()),
                        Records.TASK,
                        (index, stored) -> wanted(stored, unmoved(TaskKey.readByChange(index), stored.record())))
                .page(backend, operation("stalled", since), page);
    }

    private CompletionStage<CreateResult> shared(ShardLoop loop, NewTask task, Carrier carrier) {
        return new SharedCreation(loop, task, carrier, sizes, this::task).start();
    }

    private CreateTask creation(ShardLoop loop, NewTask task, Carrier carrier) {
        return new CreateTask(task, carrier, loop.token().holder(), sizes, this::task);
    }

    private ClaimResult<OwnedTask> handle(ClaimResult<Held<TaskId>> result) {
        if (result instanceof ClaimResult.Claimed<Held<TaskId>> ours) {
            return new ClaimResult.Claimed<>(task(ours.handle().token()));
        }
        ClaimResult.HeldByOther<Held<TaskId>> other = (ClaimResult.HeldByOther<Held<TaskId>>) result;
        return new ClaimResult.HeldByOther<>(other.holder(), other.epoch(), other.remaining());
    }

    private static boolean unmoved(TaskKey.Changed listed, TaskRecord record) {
        return !TaskMoves.finished(record) && record.getChangedAtMillis() == listed.at();
    }

    private static Optional<Task> wanted(Stored<TaskRecord> stored, boolean wanted) {
        return wanted ? Optional.of(TaskRecords.task(stored)) : Optional.empty();
    }

    static Operation operation(String name, Object subject) {
        return new Operation(StoreName.TASKS, name, subject);
    }
}
