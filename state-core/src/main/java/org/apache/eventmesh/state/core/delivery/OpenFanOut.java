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

import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.eventmesh.state.core.key.SubscriberKind;
import org.apache.eventmesh.state.core.proto.FanOutRecord;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.shard.FanOutState;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.id.Subscriber;
import org.jspecify.annotations.Nullable;

/** The fan-out of a message that the broker wants acknowledged by itself: it holds all targets from the start. */
final class OpenFanOut {
    private OpenFanOut() {}

    /**
     * Makes it, or gives the one that is there the newer handle.
     *
     * @param resolved targets that have a delivery, or need none
     */
    static void put(ShardDraft draft, Incoming message, Set<Subscriber> resolved) {
        Incoming.BrokerHandle handle = message.brokerHandle().orElseThrow();
        FanOutState before = draft.index().fanOut(message.offset());
        Set<Subscriber> waiting = new LinkedHashSet<>(before == null ? Set.of() : before.notOpened());
        waiting.addAll(message.targets().keySet());
        waiting.removeAll(resolved);
        FanOutRecord.Builder record = before == null
                ? FanOutRecord.newBuilder().setNumber(draft.number()).setOpenedAtMillis(draft.now())
                : before.record().toBuilder();
        record.setBrokerHandle(SharedValues.bytes(handle.handle()))
                .setExpiresAtMillis(Times.after(draft.now(), handle.life()));
        draft.fanOut(message.offset(), new FanOutState(record.build(), Set.of()).waitingFor(waiting));
    }

    /** More of its targets were opened: by a later part of the same message, or a poll of it without a handle. */
    static void opened(ShardDraft draft, long offset, Set<Subscriber> resolved) {
        @Nullable FanOutState before = draft.index().fanOut(offset);
        if (before == null) {
            return;
        }
        Set<Subscriber> waiting = new LinkedHashSet<>(before.notOpened());
        if (waiting.removeAll(resolved)) {
            draft.fanOut(offset, before.waitingFor(waiting));
        }
    }

    /**
     * At most what its record takes; nothing when there is none.
     *
     * @param first whether this is the part that makes it, or gives it the newer handle; later ones only take targets away
     */
    static int bytes(ShardDraft draft, Incoming message, boolean first) {
        FanOutState before = draft.index().fanOut(message.offset());
        int bytes = before == null ? 0 : 512 + before.record().getSerializedSize();
        if (!first || message.brokerHandle().isEmpty()) {
            return bytes;
        }
        Set<Subscriber> held = before == null ? Set.of() : before.notOpened();
        bytes += 512 + message.brokerHandle().get().handle().size();
        for (Subscriber target : message.targets().keySet()) {
            if (!held.contains(target)) {
                bytes += bytes(target);
            }
        }
        return bytes;
    }

    /** At most what a target takes in the record; no more than that, or a wide broadcast would find no room at all. */
    private static int bytes(Subscriber target) {
        return 16 + (int) OpenBounds.utf8(SubscriberKind.name(target));
    }
}
