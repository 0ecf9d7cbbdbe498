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
import org.apache.eventmesh.state.core.deadletter.DeadLetterRecords;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Settled;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * The last step of a dead-lettering over two backends: its letter is there, the delivery goes.
 *
 * @param written whether the letter is known to be there; if not this only tells what another has done
 */
record RetireOperation(OpenDelivery givenUp, boolean written) implements ShardOperation<NackResult> {
    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "deadLetter";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        wanted.read(ShardKeys.mark(committed.partition(), givenUp.number()));
    }

    @Override
    public NackResult decide(ShardDraft draft) {
        DeliveryRecord.GivingUp intent = givenUp.record().getGivingUp();
        OpenDelivery delivery = draft.index().delivery(givenUp.number());
        if (delivery == null) {
            // another has finished it meanwhile
            Optional<SettledMark> mark = draft.own(ShardKeys.mark(draft.partition(), givenUp.number()))
                    .map(Records.MARK::decode)
                    .map(Stored::record)
                    .map(record -> new SettledMark(draft.partition(), record));
            return mark.map(found -> found.givenUp(intent.getEpoch())).orElseGet(Refused.Unknown::new);
        }
        if (!written) {
            throw new StoreUnavailableException("its dead letter was not written, for another call seemed to have done"
                    + " so; the delivery is open, and it is finished by itself");
        }
        draft.sync();
        Settled settled =
                draft.settle(delivery, SettledMark.of(delivery, MarkRecord.How.DEAD_LETTERED, intent.getEpoch()));
        return new NackResult.DeadLettered(
                DeadLetterRecords.id(delivery.key()), settled.position(), settled.completed());
    }

    @Override
    public NackResult fenced(Fenced why) {
        return why;
    }
}
