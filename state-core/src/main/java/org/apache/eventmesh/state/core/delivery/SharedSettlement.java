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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.deadletter.DeadLetterRecords;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.OutstandingRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.value.Bytes;

/** What follows, in the shared backend, from a settlement in the local one: the task moves, the replayed letter goes. */
record SharedSettlement(ShardLoop loop, long number, OutstandingRecord what) {
    Collection<Bytes> keys() {
        List<Bytes> keys = new ArrayList<>();
        task().ifPresent(task -> keys.add(TaskKey.bytes(task)));
        letter().ifPresent(id -> keys.add(DeadLetterKey.bytes(id)));
        return keys;
    }

    Decision<Optional<Fenced>> follow(Seen seen, Draft draft) {
        task().ifPresent(task -> new SharedTask(loop, number, task)
                .settle(seen, draft, SettledMark.told(what.getHow()), what.getReason(), what.getSettledAtMillis()));
        letter().ifPresent(id -> end(id, seen, draft));
        return draft.changesNothing() ? Decision.answer(Optional.empty()) : draft.write(Optional.empty());
    }

    /** One that was given up again meanwhile, or cannot be decoded, stays. */
    private void end(DeadLetterId id, Seen seen, Draft draft) {
        Bytes key = DeadLetterKey.bytes(id);
        Optional<DeadLetterRecord.Replaying> replay;
        try {
            replay = seen.get(Records.DEAD_LETTER, key)
                    .map(Stored::record)
                    .filter(DeadLetterRecord::hasReplaying)
                    .map(DeadLetterRecord::getReplaying);
        } catch (StateStoreException e) {
            replay = Optional.empty();
        }
        if (replay.isPresent()
                && replay.get().getDelivery() == number
                && replay.get().getIncarnation().equals(loop.sides().host())) {
            draft.condition(seen.unchanged(key));
            DeadLetterRecords.replayed(id).forEach(draft::change);
        }
    }

    private Optional<TaskId> task() {
        return what.hasTask() ? Optional.of(new TaskId(what.getTask())) : Optional.empty();
    }

    private Optional<DeadLetterId> letter() {
        return what.hasLetter()
                ? Optional.of(new DeadLetterId(
                        loop.token().scope(),
                        what.getLetter().getOffset(),
                        SharedValues.subscriber(what.getLetter().getSubscriber())))
                : Optional.empty();
    }
}
