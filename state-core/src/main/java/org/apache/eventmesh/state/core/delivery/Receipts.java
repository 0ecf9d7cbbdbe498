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
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Receipt;
import org.jspecify.annotations.Nullable;

/** Whether a receipt holds its delivery. */
final class Receipts {
    private Receipts() {}

    /** Null when it is not open under this receipt's id: then its mark tells more. */
    static @Nullable OpenDelivery open(ShardDraft draft, Receipt receipt) {
        if (!receipt.delivery().incarnation().equals(draft.incarnation())) {
            return null;
        }
        OpenDelivery delivery = draft.index().delivery(receipt.delivery().number());
        if (delivery != null && !delivery.readable()) {
            throw new CorruptStateException("the record of the open delivery "
                    + delivery.damage().orElseThrow().key()
                    + " cannot be decoded; nothing was changed, discard it or restore a backup");
        }
        return delivery;
    }

    /** Why the receipt does not hold the open delivery; empty when it does. */
    static Optional<Refused> refusal(OpenDelivery delivery, Receipt receipt) {
        DeliveryRecord record = delivery.record();
        if (receipt.epoch() < record.getEpoch()) {
            return Optional.of(new Refused.Stale(record.getEpoch()));
        }
        // an epoch that nobody was given, or that was not issued yet: no receipt of ours
        return receipt.epoch() > record.getEpoch() || delivery.receiver().isEmpty()
                ? Optional.of(new Refused.Unknown())
                : Optional.empty();
    }

    /** The same, and who sends it; in whatever session. */
    static Optional<Refused> refusal(OpenDelivery delivery, Receipt receipt, ClientId from) {
        Optional<Refused> refusal = refusal(delivery, receipt);
        if (refusal.isPresent()) {
            return refusal;
        }
        ClientId holder = delivery.receiver().map(Receiver::client).orElseThrow();
        return holder.equals(from) ? Optional.empty() : Optional.of(new Refused.WrongReceiver(holder));
    }

    /** What settles the question when the delivery is not open. */
    static void prepare(ShardIndex index, Receipt receipt, Wanted wanted) {
        long number = receipt.delivery().number();
        if (index.delivery(number) == null) {
            wanted.read(ShardKeys.mark(index.partition(), number));
        }
    }
}
