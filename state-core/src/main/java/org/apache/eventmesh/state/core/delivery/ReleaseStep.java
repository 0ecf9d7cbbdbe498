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
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.delivery.Receiver;

/** Ends the hand-outs of receivers that are gone: what they held is due at once, under a new epoch. */
record ReleaseStep(String name, Predicate<Receiver> gone) implements SweepStep {
    /** What a client held in this session or an older one. */
    static ReleaseStep of(Receiver receiver) {
        return new ReleaseStep(
                "release",
                held -> held.client().equals(receiver.client()) && held.sessionEpoch() <= receiver.sessionEpoch());
    }

    static ReleaseStep ofInstance(String instance) {
        return new ReleaseStep("releaseInstance", held -> held.instance().equals(instance));
    }

    @Override
    public SweepPart decide(ShardDraft draft) {
        List<OpenDelivery> held = new ArrayList<>();
        draft.index().held().forEach((receiver, deliveries) -> {
            if (gone.test(receiver)) {
                held.addAll(deliveries.values());
            }
        });
        long count = 0;
        for (OpenDelivery delivery : held) {
            DeliveryRecord before = delivery.record();
            if (!draft.fits(1, before.getSerializedSize() + 64L + draft.readerBytes(delivery.subscriber()))) {
                if (count == 0) {
                    throw draft.noRoom();
                }
                return new SweepPart.Done(count, true);
            }
            DeliveryRecord released = before.toBuilder()
                    .setEpoch(draft.number())
                    .clearReceiver()
                    .clearLeaseUntilMillis()
                    .setDueAtMillis(draft.now())
                    .build();
            draft.update(delivery, released, Optional.empty());
            count++;
        }
        return new SweepPart.Done(count, false);
    }
}
