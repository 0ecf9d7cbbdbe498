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
package org.apache.eventmesh.state.core.delivery;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.task.TaskMoves;
import org.apache.eventmesh.state.core.task.TaskSettlement;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Which due deliveries have nothing to carry any more, over two backends, where no commit of the shard sees the task: asked
 * before a hand-out. Where no answer comes they are handed out; whatever their agent says of a final task moves nothing.
 */
final class OverTasks {
    /** Deliveries of one hand-out commit. More are asked for when the hand-out comes to them. */
    private static final int MOST = 500;

    /** Of the deadline: a hand-out waits no longer for a backend that may be away. */
    static final int PART = 10;

    private final ShardLoop loop;

    OverTasks(ShardLoop loop) {
        this.loop = loop;
    }

    /**
     * What is known of their tasks.
     *
     * @param asked numbers of the deliveries whose tasks were looked up; empty when there was nobody to ask
     * @param over numbers of deliveries that have nothing to carry any more
     * @param damaged by number, why the task cannot be decoded
     */
    record Found(Optional<Set<Long>> asked, Set<Long> over, Map<Long, Unreadable> damaged) {
        /** Nothing, as over one backend, where the shard sees the tasks itself. */
        static final Found NOTHING = new Found(Optional.empty(), Set.of(), Map.of());

        /** Whether nobody knows yet what became of its task, and there is somebody to ask. */
        boolean toBeAsked(OpenDelivery delivery) {
            return delivery.carriesTask()
                    && asked.filter(numbers -> !numbers.contains(delivery.number()))
                            .isPresent();
        }
    }

    /**
     * Of the first of those that are due now; never fails.
     *
     * @param from where to begin in due order; at the start when empty
     */
    CompletionStage<Found> due(Optional<OpenDelivery> from) {
        if (!loop.sides().shared().engine().health().up()) {
            return CompletableFuture.completedStage(Found.NOTHING);
        }
        Map<Long, TaskId> carried = loop.look(index -> carried(index, from));
        if (carried.isEmpty()) {
            return CompletableFuture.completedStage(found(carried, List.of()));
        }
        List<Bytes> keys = carried.values().stream().map(TaskKey::bytes).toList();
        return Patience.of(loop, PART)
                .until(
                        loop.sides()
                                .shared()
                                .read(keys)
                                .thenApply(found -> found(carried, found))
                                .exceptionally(away -> Found.NOTHING),
                        Found.NOTHING);
    }

    private Map<Long, TaskId> carried(ShardIndex index, Optional<OpenDelivery> from) {
        long now = Millis.now(loop.settings().clock());
        Map<Long, TaskId> carried = new HashMap<>();
        NavigableSet<OpenDelivery> due =
                from.map(first -> index.due().tailSet(first, true)).orElse(index.due());
        for (OpenDelivery delivery : due) {
            if (delivery.dueAt() > now || carried.size() == MOST) {
                break;
            }
            delivery.task().ifPresent(task -> carried.put(delivery.number(), task));
        }
        return carried;
    }

    private Found found(Map<Long, TaskId> carried, List<Entry> found) {
        Map<Bytes, Entry> tasks = new HashMap<>();
        found.forEach(entry -> tasks.put(entry.key(), entry));
        Set<Long> over = new HashSet<>();
        Map<Long, Unreadable> damaged = new HashMap<>();
        carried.forEach((number, task) -> {
            try {
                if (isOver(number, Optional.ofNullable(tasks.get(TaskKey.bytes(task))))) {
                    over.add(number);
                }
            } catch (StateStoreException e) {
                damaged.put(number, Codec.unreadable(TaskKey.bytes(task), e));
            }
        });
        return new Found(Optional.of(Set.copyOf(carried.keySet())), over, damaged);
    }

    private boolean isOver(long number, Optional<Entry> task) {
        Optional<TaskRecord> record =
                task.map(entry -> Records.TASK.decode(entry).record());
        return record.isEmpty()
                || TaskMoves.finished(record.get())
                || !TaskSettlement.carriedBy(record.get(), loop.token().scope(), number);
    }
}
