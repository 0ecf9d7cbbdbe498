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
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Gives a delivery up, whatever its retry policy says. */
record DeadLetterOperation(Receipt receipt, String reason) implements ShardOperation<NackResult> {
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
        Arguments.reason(reason);
        OpenDelivery delivery = committed.delivery(receipt.delivery().number());
        if (delivery == null) {
            Receipts.prepare(committed, receipt, wanted);
        } else {
            GivenUp.prepare(committed.partition(), delivery, wanted);
        }
    }

    @Override
    public NackResult decide(ShardDraft draft) {
        OpenDelivery delivery = Receipts.open(draft, receipt);
        if (delivery == null) {
            Optional<SettledMark> mark = SettledMark.find(draft, receipt);
            return mark.isPresent() ? mark.get().givenUp(receipt.epoch()) : new Refused.Unknown();
        }
        Optional<NackResult.DeadLettered> givenUp = GivenUp.repeated(delivery, receipt.epoch());
        if (givenUp.isPresent()) {
            return givenUp.get();
        }
        Optional<Refused> refusal = Receipts.refusal(delivery, receipt);
        return refusal.isPresent()
                ? refusal.get()
                : GivenUp.giveUp(draft, delivery, delivery.record(), receipt.epoch(), reason);
    }

    @Override
    public NackResult fenced(Fenced why) {
        return why;
    }
}
