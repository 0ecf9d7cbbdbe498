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
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.value.Bytes;

/** The letter of a delivery that the local backend of a set of two has given up, with the end of the task that it carries. */
record SharedLetter(ShardLoop loop, OpenDelivery delivery, MessageRecord message) {
    Collection<Bytes> keys() {
        List<Bytes> keys = new ArrayList<>();
        keys.add(DeadLetterKey.bytes(id()));
        delivery.task().ifPresent(task -> keys.add(TaskKey.bytes(task)));
        return keys;
    }

    /** What came of it. */
    sealed interface Put {
        /** It is there. */
        record Standing() implements Put {}

        /** It is not there, and its delivery is not open any more, or nobody knows now: nothing was written. */
        record Late() implements Put {}

        record Lost(Fenced why) implements Put {}
    }

    /**
     * Puts it, unless it is there: then all of this was done before. So it was when the delivery is not open any more: the
     * letter may have been replayed or purged since it was looked for, and must not come back.
     */
    Decision<Put> put(Seen seen, Draft draft) {
        Bytes key = DeadLetterKey.bytes(id());
        Optional<DeadLetterRecord> standing = standing(seen, key);
        if (standing.filter(this::isOurs).isPresent()) {
            return Decision.answer(new Put.Standing());
        }
        // a write of this process on the same letter has its fate before this decides: it cannot end in between
        if (loop.givenUp(delivery.number()).isEmpty()) {
            return Decision.answer(new Put.Late());
        }
        DeliveryRecord.GivingUp intent = delivery.record().getGivingUp();
        DeadLetterRecord letter = DeadLetterRecords.record(
                        delivery.key(),
                        loop.sides().host(),
                        delivery.record(),
                        message,
                        intent.getReason(),
                        intent.getAtMillis())
                .toBuilder()
                .setEpoch(loop.token().epoch())
                .build();
        draft.condition(seen.unchanged(key));
        DeadLetterRecords.put(id(), letter, standing).forEach(draft::change);
        if (delivery.key().kind() == DeliveryKind.REPLAY
                || standing.map(DeadLetterRecord::hasReplaying).orElse(false)) {
            draft.change(Change.delete(DeadLetterKey.replaying(id())));
        }
        Optional<TaskId> task = delivery.task();
        if (task.isPresent()) {
            new SharedTask(loop, delivery.number(), task.get())
                    .settle(seen, draft, Refused.How.DEAD_LETTERED, intent.getReason(), intent.getAtMillis());
        }
        return draft.write(new Put.Standing());
    }

    private DeadLetterId id() {
        return DeadLetterRecords.id(delivery.key());
    }

    private boolean isOurs(DeadLetterRecord letter) {
        return letter.getDelivery() == delivery.number()
                && letter.getIncarnation().equals(loop.sides().host());
    }

    /** One that cannot be decoded is written over: it is of the same message for the same subscriber. */
    private static Optional<DeadLetterRecord> standing(Seen seen, Bytes key) {
        try {
            return seen.get(Records.DEAD_LETTER, key).map(Stored::record);
        } catch (StateStoreException e) {
            return Optional.empty();
        }
    }
}
