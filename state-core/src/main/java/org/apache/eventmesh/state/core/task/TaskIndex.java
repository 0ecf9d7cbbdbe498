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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Bytes;

/** The keys that list a task follow from its record alone; so a change of the record is a difference of two sets. */
final class TaskIndex {
    private TaskIndex() {}

    static List<Change> added(TaskId id, TaskRecord record) {
        return keys(id, record).stream()
                .map(key -> Change.put(key, Records.NOTHING))
                .toList();
    }

    static List<Change> removed(TaskId id, TaskRecord record) {
        return keys(id, record).stream().map(Change::delete).toList();
    }

    static List<Change> moved(TaskId id, TaskRecord before, TaskRecord after) {
        Set<Bytes> old = keys(id, before);
        Set<Bytes> now = keys(id, after);
        List<Change> changes = new ArrayList<>();
        for (Bytes key : old) {
            if (!now.contains(key)) {
                changes.add(Change.delete(key));
            }
        }
        for (Bytes key : now) {
            if (!old.contains(key)) {
                changes.add(Change.put(key, Records.NOTHING));
            }
        }
        return changes;
    }

    private static Set<Bytes> keys(TaskId id, TaskRecord record) {
        Set<Bytes> keys = new LinkedHashSet<>();
        int state = record.getStateValue();
        keys.add(TaskKey.byState(state, id));
        keys.add(TaskKey.byChange(TaskStates.isFinal(record), record.getChangedAtMillis(), id));
        AgentId agent = new AgentId(record.getAgent());
        keys.add(TaskKey.byAgent(agent, id));
        keys.add(TaskKey.byAgent(agent, state, id));
        if (record.hasContext()) {
            keys.add(TaskKey.byContext(record.getContext(), id));
            keys.add(TaskKey.byContext(record.getContext(), state, id));
        }
        if (record.hasParent()) {
            TaskId parent = new TaskId(record.getParent());
            keys.add(TaskKey.byParent(parent, id));
            keys.add(TaskKey.byParent(parent, state, id));
        }
        return keys;
    }
}
