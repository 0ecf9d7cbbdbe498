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

import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.task.TaskSettlement;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Bytes;

/** The task that a delivery of the local backend carries, in the shared one. */
record SharedTask(ShardLoop loop, long number, TaskId id) {
    /** Moves it as the settlement of its delivery does, and takes its mark; nothing when another delivery carries it. */
    void settle(Seen seen, Draft draft, Refused.How how, String reason, long at) {
        Bytes key = TaskKey.bytes(id);
        Partition partition = loop.token().scope();
        // one that cannot be decoded keeps its delivery from being forgotten
        Optional<TaskRecord> task =
                seen.get(Records.TASK, key).map(Stored::record).filter(this::isCarried);
        if (task.isEmpty()) {
            return;
        }
        draft.condition(seen.unchanged(key)).change(Change.delete(TaskKey.carried(partition, id)));
        TaskSettlement.settled(id, task.get(), partition, number, how, reason, at)
                .ifPresent(moved -> moved.changes().forEach(draft::change));
    }

    private boolean isCarried(TaskRecord task) {
        return TaskSettlement.carriedBy(task, loop.token().scope(), number)
                && task.getDelivery().getIncarnation().equals(loop.sides().host());
    }
}
