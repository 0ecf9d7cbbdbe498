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
package org.apache.eventmesh.state.core.deadletter;

import java.util.Optional;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.ReplayRecord;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.task.TaskSettlement;
import org.apache.eventmesh.state.id.Partition;

/** Whether a letter may become a delivery again, by what is stored. */
final class ReplayRule {
    private ReplayRule() {}

    /**
     * Why it may not; empty when it may.
     *
     * @param letterRevision of the letter as the caller had read it
     * @param task that the letter carried, if it is still there
     */
    static Optional<ReplayRecord.State> refusal(
            Partition partition,
            Optional<Stored<DeadLetterRecord>> letter,
            long letterRevision,
            Optional<TaskRecord> task) {
        if (letter.isEmpty() || !DeadLetterRecords.shown(letter.get().record())) {
            return Optional.of(ReplayRecord.State.GONE);
        }
        if (letter.get().revision() != letterRevision) {
            return Optional.of(ReplayRecord.State.CHANGED);
        }
        DeadLetterRecord record = letter.get().record();
        return record.hasTask() && !TaskSettlement.awaits(task, partition, record.getDelivery())
                ? Optional.of(ReplayRecord.State.TASK_FINAL)
                : Optional.empty();
    }
}
