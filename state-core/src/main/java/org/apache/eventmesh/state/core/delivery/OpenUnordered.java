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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Outcome;

/** One part of a poll of an unordered source: a repeat is recognised while it is open, and while its mark lasts. */
final class OpenUnordered {
    private final ShardDraft draft;
    private final OpenBatch batch;
    private final StoreLimits limits;
    private final long leaseUntil;
    private final long began;
    private final List<Outcome<OpenResult>> outcomes = new ArrayList<>();
    private final Set<Subscriber> resolved = new LinkedHashSet<>();
    private int message;
    private int target;
    private long payload;

    /** Also messages that nobody wants take their part of a commit. */
    private boolean changed;

    OpenUnordered(ShardDraft draft, OpenBatch batch, OpenPlace place, StoreLimits limits) {
        this.draft = draft;
        this.batch = batch;
        this.limits = limits;
        this.leaseUntil = Times.after(draft.now(), batch.lease());
        this.began = place.began() == 0 ? draft.number() : place.began();
        this.message = place.message();
        this.target = place.target();
        this.payload = place.payload();
    }

    OpenPart open() {
        boolean all = messages();
        if (!all && !changed && outcomes.isEmpty()) {
            throw draft.noRoom();
        }
        return new OpenPart.Done(
                new OpenPlace(Map.of(), message, target, payload, 0, began), outcomes, Map.of(), Optional.empty(), all);
    }

    private boolean messages() {
        for (; message < batch.messages().size(); message++, target = 0, payload = 0) {
            if (outcomes.size() >= OpenRange.MOST || !message(batch.messages().get(message))) {
                return false;
            }
        }
        return true;
    }

    private boolean message(Incoming next) {
        Optional<StateStoreException> tooLarge =
                OpenBounds.exceeded(next, limits, draft.letterBytes()).map(why -> why);
        if (tooLarge.isPresent()) {
            next.targets().keySet().stream()
                    .skip(target)
                    .forEach(to -> outcomes.add(new Outcome.Failed<>(tooLarge.get())));
            return true;
        }
        boolean first = target == 0;
        int fanOut = OpenFanOut.bytes(draft, next, first);
        if (!draft.fits(1, fanOut)) {
            return false;
        }
        resolved.clear();
        boolean all = targets(next, fanOut);
        if (next.brokerHandle().isPresent() && first && (all || target > 0)) {
            OpenFanOut.put(draft, next, resolved);
            changed = true;
        } else {
            OpenFanOut.opened(draft, next.offset(), resolved);
        }
        return all;
    }

    private boolean targets(Incoming next, int reserved) {
        int at = 0;
        for (Map.Entry<Subscriber, Optional<Receiver>> to : next.targets().entrySet()) {
            if (at++ >= target) {
                if (!one(next, to.getKey(), to.getValue(), reserved)) {
                    return false;
                }
                target = at;
            }
        }
        return true;
    }

    private boolean one(Incoming next, Subscriber subscriber, Optional<Receiver> receiver, int reserved) {
        if (draft.index().departures().withdrawnSince(subscriber, began)) {
            resolved.add(subscriber);
            outcomes.add(new Outcome.Done<>(new OpenResult.Withdrawn()));
            return true;
        }
        Reader reader = draft.index().reader(subscriber);
        OpenDelivery open = reader == null ? null : reader.openAt(next.offset(), DeliveryKind.UNORDERED);
        if (open != null) {
            resolved.add(subscriber);
            outcomes.add(Known.open(draft, open));
            return true;
        }
        if (draft.own(ShardKeys.markByMessage(draft.partition(), next.offset(), subscriber))
                        .isPresent()
                || draft.index().deadBefore(subscriber, next.offset())) {
            resolved.add(subscriber);
            outcomes.add(new Outcome.Done<>(new OpenResult.AlreadySettled()));
            return true;
        }
        boolean newPayload = payload == 0 || draft.index().references(payload) == 0;
        long bytes = reserved
                + Opening.bytes(draft, subscriber, receiver)
                + (newPayload ? next.payload().size() + OpenBounds.bytes(next.attributes()) + 2048 : 0);
        if (!draft.fits(4, bytes)) {
            return false;
        }
        try {
            draft.requireRoom(1);
        } catch (OverloadedException e) {
            outcomes.add(new Outcome.Failed<>(e));
            return true;
        }
        if (newPayload) {
            payload = draft.number();
            draft.putMessage(payload, Opening.message(next, Optional.empty(), draft.now()));
        }
        outcomes.add(new Outcome.Done<>(
                Opening.open(draft, DeliveryKind.UNORDERED, next, payload, subscriber, receiver, 0, leaseUntil)));
        resolved.add(subscriber);
        return true;
    }
}
