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
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Opens the new delivery of a letter that is marked with its replay in the shared backend of a set of two, unless it is open
 * or was settled. Its number was taken before the letter was marked. The answer says whether it was opened now.
 */
record OpenReplay(DeadLetterId id, DeadLetterRecord letter) implements ShardOperation<Boolean> {
    @Override
    public StoreName store() {
        return StoreName.DEAD_LETTERS;
    }

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        wanted.read(ShardKeys.mark(committed.partition(), number()));
    }

    @Override
    public Boolean decide(ShardDraft draft) {
        if (draft.index().delivery(number()) != null
                || draft.index().outstanding().containsKey(number())
                || draft.own(ShardKeys.mark(draft.partition(), number())).isPresent()) {
            return false;
        }
        draft.sync();
        deliver(draft, id, letter, number(), letter.getReplaying().getRequestKey());
        return true;
    }

    @Override
    public Boolean fenced(Fenced why) {
        return false;
    }

    private long number() {
        return letter.getReplaying().getDelivery();
    }

    /** Makes a letter a delivery of that number. */
    static void deliver(ShardDraft draft, DeadLetterId id, DeadLetterRecord letter, long number, String requestKey) {
        long message = draft.number();
        draft.putMessage(
                message,
                MessageRecord.newBuilder()
                        .setOffset(id.offset())
                        .setPayload(letter.getPayload())
                        .setAttributes(letter.getAttributes())
                        .setOpenedAtMillis(draft.now())
                        .build());
        DeliveryRecord.Builder record = DeliveryRecord.newBuilder()
                .setEpoch(number)
                .setDueAtMillis(draft.now())
                .setOpenedAtMillis(draft.now())
                .setReplayRequestKey(requestKey);
        if (letter.hasTask()) {
            record.setTask(letter.getTask());
        }
        draft.open(
                new DeliveryKey(draft.partition(), number, DeliveryKind.REPLAY, id.offset(), message, id.subscriber()),
                record.build(),
                Optional.empty());
    }
}
