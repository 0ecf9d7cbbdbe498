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
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.delivery.Refused.How;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;

/** What the settlement of its delivery makes of a task. */
public final class TaskSettlement {
    /** Characters of a reason that go into the history; the dead letter has all of it. */
    private static final int NOTE = 1024;

    private TaskSettlement() {}

    /**
     * The task after its delivery was settled; empty when that changes nothing. A delivery of an earlier task of the same
     * id, which retention removed meanwhile, changes nothing: it carries another task. Neither does one of a task in a state
     * that only a later version knows. A task that stays in its state keeps its version and its history, for nothing that
     * anybody reads of it changes; that its delivery is settled is noted all the same, or the room of a dead letter that
     * can never come would be kept free in it.
     *
     * @param number of the settled delivery
     * @param reason why it was given up or withdrawn; goes into the history
     */
    public static Optional<TaskWrite> settled(
            TaskId id, TaskRecord record, Partition partition, long number, How how, String reason, long now) {
        if (TaskStates.isFinal(record) || !TaskStates.isKnown(record) || !carriedBy(record, partition, number)) {
            return Optional.empty();
        }
        TaskState before = TaskStates.of(record);
        TaskState after = switch (how) {
            case ACKED -> before == TaskState.SUBMITTED ? TaskState.WORKING : before;
            case DEAD_LETTERED -> TaskState.FAILED;
            case WITHDRAWN -> TaskState.REJECTED;
        };
        if (after == before) {
            return record.getDelivery().getSettled() ? Optional.empty() : Optional.of(noted(id, record));
        }
        TaskRecord.Builder moving = TaskMoves.moving(record, after, note(reason), now);
        moving.getDeliveryBuilder().setSettled(true);
        return Optional.of(TaskMoves.rewritten(id, record, moving, TaskChange.to(after)));
    }

    private static TaskWrite noted(TaskId id, TaskRecord record) {
        TaskRecord.Builder noted = record.toBuilder();
        noted.getDeliveryBuilder().setSettled(true);
        TaskRecord after = noted.build();
        return new TaskWrite(after, List.of(Records.TASK.put(TaskKey.bytes(id), after)));
    }

    /**
     * Whether the task still needs what that delivery brings: it is there, unfinished, and not another of the same id. If
     * not, the delivery is withdrawn when it would be handed out.
     */
    public static boolean awaits(Optional<TaskRecord> task, Partition partition, long number) {
        return task.filter(record -> !TaskMoves.finished(record))
                .filter(record -> carriedBy(record, partition, number))
                .isPresent();
    }

    /**
     * Whether that delivery carries the task as it stands. Numbers are never reused, in any incarnation, so they are
     * enough.
     */
    public static boolean carriedBy(TaskRecord record, Partition partition, long number) {
        TaskRecord.TaskDelivery delivery = record.getDelivery();
        return delivery.getNumber() == number
                && delivery.getPartition() == partition.number()
                && delivery.getTopic().equals(partition.topic());
    }

    private static String note(String reason) {
        if (reason.length() <= NOTE) {
            return reason;
        }
        // not through the middle of a character
        return reason.substring(0, Character.isHighSurrogate(reason.charAt(NOTE - 1)) ? NOTE - 1 : NOTE);
    }
}
