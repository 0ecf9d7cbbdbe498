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

import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.DiscardResult;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/** Loses an open delivery that can neither be handed out nor given up; its key is enough for that. */
record DiscardOperation(DeliveryId id) implements ShardOperation<DiscardResult> {
    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "discard";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        OpenDelivery delivery = committed.delivery(id.number());
        if (delivery != null) {
            Messages.prepare(committed.partition(), delivery, wanted);
            CarriedTask.prepare(delivery, wanted);
        }
    }

    @Override
    public DiscardResult decide(ShardDraft draft) {
        OpenDelivery delivery =
                id.incarnation().equals(draft.incarnation()) ? draft.index().delivery(id.number()) : null;
        if (delivery == null) {
            return new DiscardResult.NotOpen();
        }
        if (sound(draft, delivery)) {
            try {
                MessageRecord message = Messages.read(draft, delivery);
                return new DiscardResult.Decodable(Messages.told(draft, delivery, message));
            } catch (StateStoreException e) {
                // what it carries is lost already
            }
        }
        draft.sync();
        draft.retire(delivery);
        return new DiscardResult.Discarded();
    }

    private static boolean sound(ShardDraft draft, OpenDelivery delivery) {
        return delivery.readable()
                && CarriedTask.damage(draft, delivery).isEmpty()
                && draft.index().damagedMessage(delivery.key().message()) == null;
    }

    @Override
    public DiscardResult fenced(Fenced why) {
        return why;
    }
}
