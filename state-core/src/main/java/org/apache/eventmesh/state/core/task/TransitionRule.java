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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.value.Bytes;

/**
 * One move, on the version that the caller has read. A version that is not current is a conflict, also when the present
 * state would allow the move: the caller has decided on something else.
 */
record TransitionRule(TaskId id, long version, TaskChange change, TaskSizes sizes, long now) {
    Collection<Bytes> keys() {
        return List.of(TaskKey.bytes(id));
    }

    /** @param draft holds already what the move is conditional on beside the task */
    Decision<TransitionResult> decide(Seen seen, Draft draft) {
        Bytes key = TaskKey.bytes(id);
        Optional<Stored<TaskRecord>> stored = seen.get(Records.TASK, key);
        if (stored.isEmpty()) {
            return Decision.answer(new TransitionResult.NotFound());
        }
        TaskRecord record = stored.get().record();
        if (record.getVersion() != version) {
            return Decision.answer(new TransitionResult.Conflict(TaskRecords.task(stored.get())));
        }
        if (!TaskMoves.allowed(record, change.to())) {
            return Decision.answer(new TransitionResult.NotAllowed(TaskRecords.task(stored.get())));
        }
        TaskWrite write = TaskMoves.moved(id, record, change, now);
        sizes.check(id, write.record());
        draft.condition(stored.get().unchanged());
        write.changes().forEach(draft::change);
        return draft.write(new TransitionResult.Moved(TaskRecords.task(id, write.record())));
    }
}
