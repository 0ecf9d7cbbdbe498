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
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Settled;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Settles a delivery by its client's acknowledgement. */
record AckOperation(Ack ack) implements ShardOperation<AckResult> {
    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "ack";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        OpenDelivery delivery = committed.delivery(ack.receipt().delivery().number());
        if (delivery == null) {
            Receipts.prepare(committed, ack.receipt(), wanted);
        } else {
            CarriedTask.prepare(delivery, wanted);
        }
    }

    @Override
    public AckResult decide(ShardDraft draft) {
        OpenDelivery delivery = Receipts.open(draft, ack.receipt());
        if (delivery == null) {
            return settledBefore(draft);
        }
        Optional<Refused> refusal = Receipts.refusal(delivery, ack.receipt(), ack.from());
        if (refusal.isPresent()) {
            return refusal.get();
        }
        CarriedTask.settle(draft, delivery, Refused.How.ACKED, "");
        Settled settled = draft.settle(
                delivery,
                SettledMark.of(delivery, MarkRecord.How.ACKED, ack.receipt().epoch())
                        .setClient(ack.from().value())
                        .setRequestKey(ack.key().value()));
        return new AckResult.Acked(settled.position(), settled.completed());
    }

    @Override
    public AckResult fenced(Fenced why) {
        return why;
    }

    private AckResult settledBefore(ShardDraft draft) {
        Optional<SettledMark> mark = SettledMark.find(draft, ack.receipt());
        if (mark.isEmpty()) {
            return new Refused.Unknown();
        }
        return mark.get().ackedUnder(ack.key().value())
                ? new AckResult.Duplicate(mark.get().acked())
                : mark.get().settled();
    }
}
