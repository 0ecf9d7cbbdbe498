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

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.eventmesh.state.core.proto.DeliveryRecord;
import org.apache.eventmesh.state.core.proto.MarkRecord;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.result.Unreadable;

/** Gives to receivers what was chosen, unless an operation before has touched it. */
final class HandOutDecision {
    private final ShardDraft draft;
    private final HandOutChoice choice;
    private final long until;
    private final List<HandOut> given = new ArrayList<>();
    private final List<NackResult.DeadLettered> exhausted = new ArrayList<>();
    private final List<Unreadable> unreadable;
    private boolean changed;
    private boolean full;
    private boolean more;

    HandOutDecision(ShardDraft draft, HandOutChoice choice, Duration lease) {
        this.draft = draft;
        this.choice = choice;
        this.until = Times.after(draft.now(), lease);
        this.unreadable = new ArrayList<>(choice.unreadable);
        this.more = choice.cut;
    }

    HandOutPart decide() {
        choice.exhausted.forEach(delivery -> attempt(delivery, this::giveUp));
        choice.routed.forEach(routed -> attempt(routed.delivery(), delivery -> handOut(delivery, routed.receiver())));
        if (full && !changed) {
            throw draft.noRoom();
        }
        return new HandOutPart.Done(given, exhausted, unreadable, nextDue(), more);
    }

    /** What an earlier operation touched may be due or not; another look will tell. */
    private void attempt(OpenDelivery delivery, Predicate<OpenDelivery> work) {
        if (full || draft.index().delivery(delivery.number()) != delivery) {
            more = true;
            return;
        }
        try {
            if (work.test(delivery)) {
                changed = true;
            } else {
                full = true;
                more = true;
            }
        } catch (StateStoreException e) {
            long message = delivery.key().message();
            Unreadable damage = Codec.unreadable(ShardKeys.message(draft.partition(), message), e);
            draft.index().damagedMessage(message, damage);
            unreadable.add(damage);
        }
    }

    private boolean giveUp(OpenDelivery delivery) {
        if (!draft.fits(GivenUp.CHANGES, GivenUp.bytes(draft, delivery))) {
            return false;
        }
        int handOuts = delivery.record().getHandOuts();
        exhausted.add(GivenUp.giveUp(
                draft,
                delivery,
                delivery.record(),
                0,
                "handed out " + handOuts + " times, as often as is allowed, and neither acknowledged nor refused"));
        return true;
    }

    private boolean handOut(OpenDelivery delivery, Receiver receiver) {
        DeliveryRecord before = delivery.record();
        if (!draft.fits(6, before.getSerializedSize() + 4096L + 3L * draft.readerBytes(delivery.subscriber()))) {
            return false;
        }
        if (CarriedTask.over(draft, delivery)) {
            draft.sync();
            draft.settle(delivery, SettledMark.of(delivery, MarkRecord.How.WITHDRAWN, 0));
            return true;
        }
        MessageRecord message = Messages.read(draft, delivery);
        DeliveryRecord record = before.toBuilder()
                .setEpoch(draft.number())
                .setReceiver(Receivers.stored(receiver))
                .setLeaseUntilMillis(until)
                .setHandOuts(before.getHandOuts() + 1)
                .clearLastNack()
                .build();
        given.add(
                Messages.handOut(Messages.told(draft, draft.update(delivery, record, Optional.of(receiver)), message)));
        return true;
    }

    /** At once when there may be more now; deliveries that nobody wants at the moment do not count. */
    private Optional<Instant> nextDue() {
        return more
                ? Optional.of(Millis.instant(draft.now()))
                : draft.index().nextDue(draft.now()).stream()
                        .mapToObj(Millis::instant)
                        .findAny();
    }
}
