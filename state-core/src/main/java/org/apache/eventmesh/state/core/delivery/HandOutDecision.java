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
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.eventmesh.state.core.key.KeyText;
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
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/** Gives to receivers what was chosen, unless an operation before has touched it. */
final class HandOutDecision {
    private final ShardDraft draft;
    private final HandOutChoice choice;
    private final BiConsumer<StoreName, Unreadable> found;
    private final OverTasks.Found tasks;
    private final long until;
    private final List<HandOut> given = new ArrayList<>();
    private final List<NackResult.DeadLettered> exhausted = new ArrayList<>();
    private final List<Unreadable> unreadable;
    private boolean changed;
    private boolean full;

    /** The first, in due order, that needs another look. */
    private @Nullable OpenDelivery rest;

    /**
     * @param tasks as in {@link HandOutStep}
     * @param found is told of damage that nobody knew of
     */
    HandOutDecision(
            ShardDraft draft,
            HandOutChoice choice,
            Duration lease,
            OverTasks.Found tasks,
            BiConsumer<StoreName, Unreadable> found) {
        this.tasks = tasks;
        this.draft = draft;
        this.found = found;
        this.choice = choice;
        this.until = Times.after(draft.now(), lease);
        this.unreadable = new ArrayList<>(choice.unreadable);
        this.rest = choice.rest;
    }

    HandOutPart decide() {
        choice.exhausted.forEach(delivery -> attempt(delivery, this::giveUp));
        choice.routed.forEach(routed -> attempt(routed.delivery(), delivery -> handOut(delivery, routed.receiver())));
        if (full && !changed) {
            throw draft.noRoom();
        }
        return new HandOutPart.Done(given, exhausted, unreadable, nextDue(), Optional.ofNullable(rest));
    }

    /** What an earlier operation touched may be due or not; another look will tell. */
    private void attempt(OpenDelivery delivery, Predicate<OpenDelivery> work) {
        if (full || draft.index().delivery(delivery.number()) != delivery) {
            rest = HandOutChoice.first(rest, delivery);
        } else if (!damaged(delivery)) {
            if (work.test(delivery)) {
                changed = true;
            } else {
                full = true;
                rest = HandOutChoice.first(rest, delivery);
            }
        }
    }

    /** Looks before anything is changed: a part of what settles a delivery must not stay in the commit. */
    private boolean damaged(OpenDelivery delivery) {
        try {
            Messages.read(draft, delivery);
        } catch (StateStoreException e) {
            Bytes message = ShardKeys.message(draft.partition(), delivery.key().message());
            aside(delivery, StoreName.DELIVERIES, Codec.unreadable(message, e));
            return true;
        }
        Optional<Unreadable> task = Optional.ofNullable(tasks.damaged().get(delivery.number()))
                .or(() -> CarriedTask.damage(draft, delivery));
        task.ifPresent(damage -> aside(delivery, StoreName.TASKS, damage));
        return task.isPresent();
    }

    /** It stays open and is named, until it is discarded; others go on. */
    private void aside(OpenDelivery delivery, StoreName store, Unreadable damage) {
        draft.index().damagedMessage(delivery.key().message(), damage);
        unreadable.add(damage);
        found.accept(store, damage);
    }

    private boolean giveUp(OpenDelivery delivery) {
        long bytes = GivenUp.bytes(draft, delivery);
        if (!draft.fitsAlone(GivenUp.CHANGES, bytes)) {
            aside(
                    delivery,
                    StoreName.DELIVERIES,
                    new Unreadable(
                            KeyText.of(delivery.key().bytes()),
                            "it was handed out as often as is allowed, and giving it up may take " + bytes
                                    + " bytes in one commit, more than the backend's " + draft.maxBytes()
                                    + "; it stays open, discard it"));
            return true;
        }
        if (!draft.fits(GivenUp.CHANGES, bytes)) {
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
        if (tasks.over().contains(delivery.number()) || CarriedTask.over(draft, delivery)) {
            draft.sync();
            if (draft.two()) {
                CarriedTask.settle(draft, delivery, Refused.How.WITHDRAWN, "its task was over");
            }
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
        return rest != null
                ? Optional.of(Millis.instant(draft.now()))
                : draft.index().nextDue(draft.now()).stream()
                        .mapToObj(Millis::instant)
                        .findAny();
    }
}
