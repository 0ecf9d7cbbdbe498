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

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.Crossing;
import org.apache.eventmesh.state.core.shard.MarkedRecords;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.TakeNumber;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.value.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks that stand in the shared backend of a set of two with the mark of a shard, because their delivery is not
 * settled: whoever owns the shard sees to it that each has its delivery.
 */
public final class CarriedTasks {
    private static final Logger LOG = LoggerFactory.getLogger(CarriedTasks.class);

    private final ShardLoop loop;

    public CarriedTasks(ShardLoop loop) {
        this.loop = loop;
    }

    /** Opens what is not open; how many those were. */
    public CompletionStage<Long> all() {
        return Crossing.unattended(
                loop,
                Tasks.operation("create", loop.token().scope()),
                crossing -> new MarkedRecords<TaskId>(
                                crossing,
                                TaskKey::readCarried,
                                TaskKey::bytes,
                                (id, found) -> marked(crossing, id, found))
                        .over(TaskKey.carriedIn(loop.token().scope())));
    }

    private CompletionStage<Boolean> marked(Crossing crossing, TaskId id, Optional<Entry> found) {
        Optional<TaskRecord> task;
        try {
            task = found.map(Records.TASK::decode).map(Stored::record).filter(this::isOfThisShard);
        } catch (CorruptStateException e) {
            return unreadable(e);
        }
        return task.isEmpty() ? unmark(crossing, id) : carry(crossing, id, task.get());
    }

    /** Opens the delivery of a task, if it should have one here and has none; whether it did. */
    CompletionStage<Boolean> carry(Crossing crossing, TaskId id) {
        return crossing.steps().read(List.of(TaskKey.bytes(id))).thenCompose(found -> {
            try {
                return found.stream()
                        .findAny()
                        .map(Records.TASK::decode)
                        .map(Stored::record)
                        .filter(this::isOfThisShard)
                        .map(task -> carry(crossing, id, task))
                        .orElseGet(() -> CompletableFuture.completedStage(false));
            } catch (CorruptStateException e) {
                return unreadable(e);
            }
        });
    }

    private CompletionStage<Boolean> carry(Crossing crossing, TaskId id, TaskRecord task) {
        return isKnown(task)
                ? CompletableFuture.completedStage(false)
                : numbered(crossing, id, task)
                        .thenCompose(carried -> carried.isEmpty()
                                ? CompletableFuture.completedStage(false)
                                : open(crossing, id, carried.get()));
    }

    /** Nobody can tell what its delivery would bring; whoever reads the task is told. */
    private static CompletionStage<Boolean> unreadable(CorruptStateException why) {
        LOG.warn("a task without a delivery cannot be read, so it gets none", why);
        return CompletableFuture.completedStage(false);
    }

    /** Most are open here: those need no turn of the loop. */
    private boolean isKnown(TaskRecord task) {
        long number = task.getDelivery().getNumber();
        return isOfThisHost(task)
                && loop.look(index ->
                        index.delivery(number) != null || index.outstanding().containsKey(number));
    }

    /** A mark without its task is of one that was removed; an earlier version left it. */
    private CompletionStage<Boolean> unmark(Crossing crossing, TaskId id) {
        Bytes key = TaskKey.bytes(id);
        return crossing.shared(
                List.of(key),
                (seen, draft) -> {
                    if (seen.get(Records.TASK, key)
                            .map(Stored::record)
                            .filter(this::isOfThisShard)
                            .isPresent()) {
                        return Decision.answer(false);
                    }
                    draft.condition(seen.unchanged(key))
                            .change(Change.delete(TaskKey.carried(loop.token().scope(), id)));
                    return draft.write(false);
                },
                fenced -> false);
    }

    private CompletionStage<Boolean> open(Crossing crossing, TaskId id, TaskRecord task) {
        long number = task.getDelivery().getNumber();
        return crossing.local(new OpenCarrier(number, id, task, Optional.empty(), 0))
                .thenApply(OpenCarrier.Answer.Opened.class::isInstance);
    }

    /** With a delivery number of this host: what another host opened is not here, and its numbers mean nothing here. */
    private CompletionStage<Optional<TaskRecord>> numbered(Crossing crossing, TaskId id, TaskRecord task) {
        if (isOfThisHost(task)) {
            return CompletableFuture.completedStage(Optional.of(task));
        }
        return crossing.ask(new TakeNumber(StoreName.TASKS, "create"))
                .thenCompose(answer -> answer instanceof TakeNumber.Answer.Taken taken
                        ? crossing.shared(
                                List.of(TaskKey.bytes(id)),
                                (seen, draft) -> renumber(seen, draft, id, taken.number()),
                                fenced -> Optional.empty())
                        : CompletableFuture.completedStage(Optional.empty()));
    }

    private Decision<Optional<TaskRecord>> renumber(Seen seen, Draft draft, TaskId id, long number) {
        Bytes key = TaskKey.bytes(id);
        Optional<TaskRecord> task =
                seen.get(Records.TASK, key).map(Stored::record).filter(this::isOfThisShard);
        if (task.isEmpty()) {
            return Decision.answer(Optional.empty());
        }
        if (TaskMoves.finished(task.get())) {
            // it needs no delivery any more
            draft.condition(seen.unchanged(key))
                    .change(Change.delete(TaskKey.carried(loop.token().scope(), id)));
            return draft.write(Optional.empty());
        }
        TaskRecord.Builder renumbered = task.get().toBuilder();
        renumbered.getDeliveryBuilder().setIncarnation(loop.sides().host()).setNumber(number);
        TaskRecord now = renumbered.build();
        draft.condition(seen.unchanged(key)).change(Records.TASK.put(key, now));
        return draft.write(Optional.of(now));
    }

    private boolean isOfThisHost(TaskRecord task) {
        return task.getDelivery().getIncarnation().equals(loop.sides().host());
    }

    private boolean isOfThisShard(TaskRecord task) {
        TaskRecord.TaskDelivery delivery = task.getDelivery();
        return delivery.getTopic().equals(loop.token().scope().topic())
                && delivery.getPartition() == loop.token().scope().number();
    }
}
