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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.core.proto.MessageRecord;
import org.apache.eventmesh.state.core.shard.Entering;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.Place;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Source;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Outcome;

/**
 * One part of an ordered range: first all readers enter, then deliveries are opened in the order of offsets, at last all
 * cursors go to the end. A cursor passes an offset only in the commit that opens it or finds nothing to open.
 */
final class OpenRange {
    /** Deliveries of one commit; more would keep others waiting, and gain nothing. */
    static final int MOST = 2000;

    private final ShardDraft draft;
    private final OpenBatch batch;
    private final Source.Range range;
    private final Optional<Entering> entering;
    private final StoreLimits limits;
    private final long leaseUntil;
    private final Map<Subscriber, OpenReader> readers;
    private final List<Outcome<OpenResult>> outcomes = new ArrayList<>();
    private final Set<Subscriber> resolved = new LinkedHashSet<>();

    /** Readers that got something, and where their cursors go when all of it is opened. */
    private final Map<Subscriber, Long> cursors = new LinkedHashMap<>();

    private int message;
    private int target;
    private long payload;
    private int moved;
    private boolean changed;
    private Optional<StateStoreException> stopped = Optional.empty();

    OpenRange(
            ShardDraft draft,
            OpenBatch batch,
            Source.Range range,
            OpenPlace place,
            Optional<Entering> entering,
            StoreLimits limits) {
        this.entering = entering;
        this.draft = draft;
        this.batch = batch;
        this.range = range;
        this.limits = limits;
        this.leaseUntil = Times.after(draft.now(), batch.lease());
        this.readers = new HashMap<>(place.readers());
        this.message = place.message();
        this.target = place.target();
        this.payload = place.payload();
        this.moved = place.moved();
    }

    OpenPart open() {
        boolean all = enter() && messages() && finish();
        if (!all && !changed && outcomes.isEmpty()) {
            throw draft.noRoom();
        }
        cursors.forEach(this::move);
        readers.replaceAll(this::moved);
        return new OpenPart.Done(
                new OpenPlace(readers, message, target, payload, moved, 0), outcomes, places(), stopped, all);
    }

    private boolean enter() {
        for (Subscriber reader : range.readers()) {
            if (readers.containsKey(reader)) {
                continue;
            }
            if (!draft.fits(2, 2L * draft.readerBytes(reader))) {
                return false;
            }
            readers.put(reader, entered(reader));
            changed = true;
        }
        readers.replaceAll(this::still);
        return true;
    }

    private OpenReader entered(Subscriber subscriber) {
        Reader reader = draft.index().reader(subscriber);
        if (reader != null && reader.damage().isPresent()) {
            return new OpenReader.Failed(reader.damage().get());
        }
        Optional<Place> place = reader == null ? Optional.empty() : reader.place();
        if (place.isEmpty() && !Entering.allowed(entering, draft, subscriber)) {
            return new OpenReader.Gone();
        }
        if (place.isEmpty()) {
            long entry = draft.number();
            draft.place(subscriber, Place.entered(entry, Optional.of(range.generation()), range.from()));
            return new OpenReader.Accepted(entry, range.from());
        }
        Place present = place.get();
        Optional<OpenReader> refused = refused(present, range.from());
        if (refused.isPresent()) {
            return refused.get();
        }
        if (present.generation().isEmpty()) {
            draft.place(subscriber, present.in(range.generation()));
        }
        return new OpenReader.Accepted(present.entry(), present.cursor());
    }

    /** One that stands in another life of its topic, or has to be read from before this offset. */
    private Optional<OpenReader> refused(Place present, long from) {
        if (present.generation().isPresent() && !present.generation().get().equals(range.generation())) {
            OpenResult.OtherGeneration other =
                    new OpenResult.OtherGeneration(present.generation().get(), present.cursor());
            return Optional.of(new OpenReader.Refused(other, other));
        }
        if (present.cursor() < from) {
            OpenResult.OutOfOrder gap = new OpenResult.OutOfOrder(present.cursor());
            return Optional.of(new OpenReader.Refused(gap, gap));
        }
        return Optional.empty();
    }

    /**
     * A reader whose entry is not the one that it began under was withdrawn: this batch never enters it again. One that
     * was reset to before what this batch has passed for it, or into another life of its topic, is read from there anew:
     * its cursor must not jump back up.
     */
    private OpenReader still(Subscriber subscriber, OpenReader reader) {
        if (!(reader instanceof OpenReader.Accepted accepted)) {
            return reader;
        }
        Optional<Place> present = place(subscriber).filter(place -> place.entry() == accepted.entry());
        return present.isEmpty()
                ? new OpenReader.Gone()
                : refused(present.get(), accepted.cursor()).orElse(accepted);
    }

    /** Where this commit leaves it. */
    private OpenReader moved(Subscriber subscriber, OpenReader reader) {
        return reader instanceof OpenReader.Accepted accepted
                ? new OpenReader.Accepted(accepted.entry(), cursor(subscriber))
                : reader;
    }

    private boolean messages() {
        for (; message < batch.messages().size(); message++, target = 0, payload = 0) {
            Incoming next = batch.messages().get(message);
            stopped = OpenBounds.exceeded(next, limits, draft.letterBytes()).map(why -> why);
            if (stopped.isPresent()) {
                return true;
            }
            if (outcomes.size() >= MOST || !message(next)) {
                return stopped.isPresent();
            }
        }
        return true;
    }

    private boolean message(Incoming next) {
        boolean first = target == 0;
        int fanOut = OpenFanOut.bytes(draft, next, first);
        if (!draft.fits(1, fanOut)) {
            return false;
        }
        resolved.clear();
        boolean all = targets(next, fanOut);
        if (next.brokerHandle().isPresent() && first && (all || target > 0 || stopped.isPresent())) {
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
            if (at++ < target) {
                continue;
            }
            OpenReader reader = readers.getOrDefault(to.getKey(), new OpenReader.Gone());
            if (reader instanceof OpenReader.Accepted accepted) {
                if (!accepted(next, to.getKey(), to.getValue(), accepted.entry(), reserved)) {
                    return false;
                }
            } else if (reader instanceof OpenReader.Gone) {
                resolved.add(to.getKey());
                outcomes.add(new Outcome.Done<>(new OpenResult.Withdrawn()));
            } else if (reader instanceof OpenReader.Refused refused) {
                outcomes.add(new Outcome.Done<>(refused.answer()));
            } else if (reader instanceof OpenReader.Failed failed) {
                outcomes.add(new Outcome.Failed<>(failed.why()));
            }
            target = at;
        }
        return true;
    }

    private boolean accepted(
            Incoming next, Subscriber subscriber, Optional<Receiver> receiver, long entry, int reserved) {
        // after a reset also what lies at the cursor or beyond may be open
        Reader reader = draft.index().reader(subscriber);
        OpenDelivery open = reader == null ? null : reader.openAt(next.offset(), DeliveryKind.ORDERED);
        if (open != null && next.offset() >= cursor(subscriber) && ofFormerLife(open)) {
            // it stands in the way of what the broker has there now, which must not be skipped
            long cursor = cursor(subscriber);
            readers.put(
                    subscriber, new OpenReader.Refused(new ReaderResult.At(cursor), new OpenResult.OutOfOrder(cursor)));
            outcomes.add(Known.open(draft, open));
            return true;
        }
        if (open != null || next.offset() < cursor(subscriber) || draft.index().deadBefore(subscriber, next.offset())) {
            resolved.add(subscriber);
            if (open == null && next.offset() >= cursor(subscriber)) {
                // a dead letter of another host: nothing to open here
                moveTo(subscriber, next.offset() + 1);
            }
            outcomes.add(open == null ? new Outcome.Done<>(new OpenResult.AlreadySettled()) : Known.open(draft, open));
            return true;
        }
        boolean newPayload = payload == 0 || draft.index().references(payload) == 0;
        long bytes = reserved
                + Opening.bytes(draft, subscriber, receiver)
                + draft.readerBytes(subscriber)
                + (newPayload ? next.payload().size() + OpenBounds.bytes(next.attributes()) + 2048 : 0);
        if (!draft.fits(4, bytes)) {
            return false;
        }
        try {
            draft.requireRoom(1);
        } catch (OverloadedException e) {
            stopped = Optional.of(e);
            return false;
        }
        if (newPayload) {
            payload = draft.number();
            draft.putMessage(payload, Opening.message(next, Optional.of(range.generation()), draft.now()));
        }
        outcomes.add(new Outcome.Done<>(
                Opening.open(draft, DeliveryKind.ORDERED, next, payload, subscriber, receiver, entry, leaseUntil)));
        resolved.add(subscriber);
        moveTo(subscriber, next.offset() + 1);
        return true;
    }

    /** Whether an open delivery is of another life of the topic than this one. */
    private boolean ofFormerLife(OpenDelivery open) {
        try {
            MessageRecord message = Messages.read(draft, open);
            return message.hasGeneration() && !message.getGeneration().equals(range.generation());
        } catch (StateStoreException e) {
            // the answer will say so
            return false;
        }
    }

    /** All cursors go to the end of the range, or to the message at which it was stopped. */
    private boolean finish() {
        long end = stopped.isPresent() ? batch.messages().get(message).offset() : range.to();
        int at = 0;
        for (Subscriber subscriber : range.readers()) {
            if (at++ < moved) {
                continue;
            }
            if (readers.get(subscriber) instanceof OpenReader.Accepted && cursor(subscriber) < end) {
                if (cursors.containsKey(subscriber)) {
                    moveTo(subscriber, end);
                } else if (draft.fits(1, draft.readerBytes(subscriber))) {
                    move(subscriber, end);
                    changed = true;
                } else {
                    return false;
                }
            }
            moved = at;
        }
        return true;
    }

    private void moveTo(Subscriber subscriber, long cursor) {
        cursors.put(subscriber, cursor);
        changed = true;
    }

    private void move(Subscriber subscriber, long cursor) {
        place(subscriber).ifPresent(place -> draft.place(subscriber, place.at(cursor)));
    }

    private long cursor(Subscriber subscriber) {
        Long moving = cursors.get(subscriber);
        return moving != null ? moving : place(subscriber).map(Place::cursor).orElse(0L);
    }

    private Optional<Place> place(Subscriber subscriber) {
        Reader reader = draft.index().reader(subscriber);
        return reader == null ? Optional.empty() : reader.place();
    }

    private Map<Subscriber, Long> places() {
        Map<Subscriber, Long> places = new HashMap<>();
        readers.forEach((subscriber, reader) -> {
            if (reader instanceof OpenReader.Accepted) {
                places.put(subscriber, cursor(subscriber));
            }
        });
        return places;
    }
}
