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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.core.across.Course;
import org.apache.eventmesh.state.core.across.Step;
import org.apache.eventmesh.state.core.across.Transition;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.owner.NewOwnership;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.TakeNumber;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The creation of a task over two backends: a number for its delivery, the task in the shared one, marked until that is
 * settled, then the delivery in the local one.
 */
final class SharedCreation {
    private final ShardLoop loop;
    private final NewTask task;
    private final Carrier carrier;
    private final TaskSizes sizes;
    private final Function<Token<TaskId>, OwnedTask> handles;
    private final Course course = Transition.CREATE_TASK.begin();

    SharedCreation(
            ShardLoop loop,
            NewTask task,
            Carrier carrier,
            TaskSizes sizes,
            Function<Token<TaskId>, OwnedTask> handles) {
        this.loop = loop;
        this.task = task;
        this.carrier = carrier;
        this.sizes = sizes;
        this.handles = handles;
    }

    /** What the shared backend says. */
    private sealed interface Written {
        /** @param token of the task's new ownership */
        record New(TaskRecord record, Token<TaskId> token) implements Written {}

        record Old(Stored<TaskRecord> stored) implements Written {}

        record Lost(Fenced why) implements Written {}
    }

    CompletionStage<CreateResult> start() {
        return Crossing.run(loop, Tasks.operation("create", task.id()), this::create);
    }

    private CompletionStage<CreateResult> create(Crossing crossing) {
        sizes.check(task);
        course.at(Step.NUMBER);
        return crossing.ask(new TakeNumber(StoreName.TASKS, "create")).thenCompose(answer -> {
            if (answer instanceof TakeNumber.Answer.Lost lost) {
                return CompletableFuture.<CreateResult>completedStage(lost.why());
            }
            long number = ((TakeNumber.Answer.Taken) answer).number();
            course.at(Step.TASK);
            return crossing.shared(keys(), (seen, draft) -> write(seen, draft, number), Written.Lost::new)
                    .thenCompose(written -> carry(crossing, written));
        });
    }

    private Collection<Bytes> keys() {
        List<Bytes> keys = new ArrayList<>(NewOwnership.keys(task.id()));
        keys.add(TaskKey.bytes(task.id()));
        return keys;
    }

    private Decision<Written> write(Seen seen, Draft draft, long number) {
        Bytes key = TaskKey.bytes(task.id());
        Optional<Stored<TaskRecord>> present = seen.get(Records.TASK, key);
        if (present.isPresent()) {
            return Decision.answer(new Written.Old(present.get()));
        }
        Partition partition = loop.token().scope();
        long now = Millis.now(loop.settings().clock());
        // nobody can have worked on a task that is not there: an ownership that is left of an earlier one is taken over
        NewOwnership<TaskId> ownership = NewOwnership.of(
                loop.token().incarnation(),
                task.id(),
                loop.token().holder(),
                seen.entry(OwnerKeys.counter(task.id())),
                seen.entry(OwnerKeys.holder(task.id())),
                now);
        DeliveryId delivery = new DeliveryId(partition, loop.sides().host(), number);
        TaskWrite created = TaskRecords.created(task, delivery, carrier.queue(), now);
        draft.condition(seen.unchanged(key));
        NewOwnership.keys(task.id()).forEach(each -> draft.condition(seen.unchanged(each)));
        ownership.changes().forEach(draft::change);
        created.changes().forEach(draft::change);
        draft.change(Change.put(TaskKey.carried(partition, task.id()), Records.NOTHING));
        return draft.write(new Written.New(created.record(), ownership.token()));
    }

    private CompletionStage<CreateResult> carry(Crossing crossing, Written written) {
        if (written instanceof Written.Lost lost) {
            return CompletableFuture.completedStage(lost.why());
        }
        if (written instanceof Written.Old old) {
            TaskRecord record = old.stored().record();
            if (!TaskRecords.sameCreation(record, task)) {
                return CompletableFuture.completedStage(new CreateResult.Conflict(TaskRecords.task(old.stored())));
            }
            // the call that created it may not have come as far as its delivery
            return new CarriedTasks(loop)
                    .carry(crossing, task.id())
                    .thenApply(opened -> new CreateResult.Existing(TaskRecords.task(old.stored())));
        }
        Written.New created = (Written.New) written;
        course.at(Step.CARRIER);
        OpenCarrier opening = new OpenCarrier(
                created.record().getDelivery().getNumber(),
                task.id(),
                created.record(),
                carrier.receiver(),
                Millis.of(carrier.lease()));
        return crossing.local(opening).thenApply(answer -> {
            if (answer instanceof OpenCarrier.Answer.Lost lost) {
                return lost.why();
            }
            return new CreateResult.Created(
                    TaskRecords.task(task.id(), created.record()),
                    handles.apply(created.token()),
                    answer instanceof OpenCarrier.Answer.Opened opened ? opened.handOut() : Optional.empty());
        });
    }
}
