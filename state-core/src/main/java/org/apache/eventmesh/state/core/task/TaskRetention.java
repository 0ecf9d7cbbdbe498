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
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.owner.EndedOwnership;
import org.apache.eventmesh.state.core.owner.OwnerKeys;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.sweep.SweepRule;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Removes final tasks with their ownership, each in the version that was listed. A damaged one stays: only its record knows
 * all the keys that list it.
 */
record TaskRetention() implements SweepRule {
    /** Each is read with its payloads, and takes up to two conditions and twelve changes. */
    static final int PER_COMMIT = 8;

    @Override
    public Collection<Bytes> reads(Bytes index) {
        TaskKey.Changed listed = TaskKey.readByChange(index);
        return List.of(TaskKey.bytes(listed.id()), OwnerKeys.holder(listed.id()));
    }

    @Override
    public boolean wants(Bytes index) {
        return TaskKey.readByChange(index).finished();
    }

    @Override
    public boolean remove(Bytes index, Seen seen, Draft draft) {
        TaskKey.Changed listed = TaskKey.readByChange(index);
        Bytes holder = OwnerKeys.holder(listed.id());
        Optional<Stored<TaskRecord>> stored;
        List<Change> ended;
        try {
            stored = seen.get(Records.TASK, TaskKey.bytes(listed.id()));
            ended = EndedOwnership.of(listed.id(), seen.entry(holder));
        } catch (CorruptStateException | IncompatibleFormatException e) {
            return false;
        }
        draft.condition(seen.unchanged(TaskKey.bytes(listed.id())));
        if (stored.isEmpty() || !asListed(listed, stored.get().record())) {
            draft.change(Change.delete(index));
            return false;
        }
        TaskRecords.removal(listed.id(), stored.get().record()).forEach(draft::change);
        draft.condition(seen.unchanged(holder));
        ended.forEach(draft::change);
        return true;
    }

    private static boolean asListed(TaskKey.Changed listed, TaskRecord record) {
        return TaskMoves.finished(record) && record.getChangedAtMillis() == listed.at();
    }
}
