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
import java.util.List;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;

/** How a task moves: what a caller says of it replaces or adds, nothing else is erased, and the version rises by one. */
public final class TaskMoves {
    private TaskMoves() {}

    /** Whether nothing moves the task any more. */
    public static boolean finished(TaskRecord record) {
        return TaskStates.isFinal(record);
    }

    /** Whether the present state allows the move; a state that this version does not know allows none. */
    public static boolean allowed(TaskRecord record, TaskState to) {
        return TaskStates.isKnown(record) && TaskStates.of(record).mayBecome(to);
    }

    /** The task after an {@linkplain #allowed allowed} move. */
    public static TaskWrite moved(TaskId id, TaskRecord record, TaskChange change, long now) {
        return rewritten(id, record, moving(record, change.to(), change.note(), now), change);
    }

    static TaskWrite rewritten(TaskId id, TaskRecord before, TaskRecord.Builder moving, TaskChange change) {
        change.output().ifPresent(output -> moving.setOutput(SharedValues.bytes(output)));
        change.artifacts().forEach(artifact -> moving.addArtifacts(SharedValues.bytes(artifact)));
        TaskRecord after = moving.build();
        List<Change> changes = new ArrayList<>();
        changes.add(Records.TASK.put(TaskKey.bytes(id), after));
        changes.addAll(TaskIndex.moved(id, before, after));
        return new TaskWrite(after, changes);
    }

    static TaskRecord.Builder moving(TaskRecord record, TaskState to, String note, long now) {
        TaskRecord.Builder moving =
                record.toBuilder().setVersion(record.getVersion() + 1).setChangedAtMillis(now);
        if (!TaskStates.is(record, to) || !note.isEmpty()) {
            moving.setState(TaskStates.stored(to)).addHistory(TaskRecords.step(TaskStates.stored(to), now, note));
        }
        return moving;
    }
}
