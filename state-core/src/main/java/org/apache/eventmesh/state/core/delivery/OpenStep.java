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
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.shard.Entering;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Source;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * Opens as much of a batch as one commit takes.
 *
 * @param entering who may enter; empty over one backend
 */
record OpenStep(OpenBatch batch, OpenPlace place, Optional<Entering> entering, StoreLimits limits)
        implements ShardOperation<OpenPart> {
    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "open";
    }

    /** What is known already has to be told with its payload; what has no cursor is found by its mark. */
    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        boolean ordered = batch.source() instanceof Source.Range;
        int left = OpenRange.MOST;
        for (int m = place.message(); m < batch.messages().size() && left > 0; m++) {
            Incoming message = batch.messages().get(m);
            for (Subscriber target : message.targets().keySet()) {
                left--;
                Reader reader = committed.reader(target);
                OpenDelivery open = reader == null
                        ? null
                        : reader.openAt(message.offset(), ordered ? DeliveryKind.ORDERED : DeliveryKind.UNORDERED);
                if (open != null) {
                    Messages.prepare(committed.partition(), open, wanted);
                } else if (!ordered) {
                    wanted.read(ShardKeys.markByMessage(committed.partition(), message.offset(), target));
                }
            }
        }
    }

    @Override
    public OpenPart decide(ShardDraft draft) {
        return batch.source() instanceof Source.Range range
                ? new OpenRange(draft, batch, range, place, entering, limits).open()
                : new OpenUnordered(draft, batch, place, limits).open();
    }

    @Override
    public OpenPart fenced(Fenced why) {
        return new OpenPart.Lost(why);
    }
}
