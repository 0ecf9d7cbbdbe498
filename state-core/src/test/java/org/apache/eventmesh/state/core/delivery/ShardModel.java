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

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Source;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.value.Bytes;

import static org.assertj.core.api.Assertions.assertThat;

/** A shard as the contract describes it, with plain maps; each answer of the real one is compared, then followed. */
final class ShardModel {
    final Map<Subscriber, Long> cursors = new HashMap<>();
    final TreeMap<Long, ModelDelivery> open = new TreeMap<>();
    final TreeMap<Long, FanOutModel> fanOuts = new TreeMap<>();

    /** Marks: how settled, under which key, with which first answer. */
    final Map<Long, Settled> settled = new HashMap<>();

    final Set<String> settledUnordered = new LinkedHashSet<>();
    /** To whom each hand-out went. */
    final Map<Receipt, ClientId> pushed = new HashMap<>();

    private long highest;

    record Settled(Refused.How how, Optional<String> key, Optional<AckResult.Acked> acked, long epoch) {}

    static final class FanOutModel {
        Bytes handle;
        final Set<Subscriber> notOpened = new LinkedHashSet<>();

        FanOutModel(Bytes handle) {
            this.handle = handle;
        }
    }

    OptionalLong position(Subscriber subscriber) {
        Long cursor = cursors.get(subscriber);
        if (cursor == null) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(
                open.values().stream()
                                        .filter(d -> d.ordered && d.subscriber.equals(subscriber))
                                        .mapToLong(d -> d.offset)
                                        .min()
                                        .orElse(Long.MAX_VALUE)
                                < cursor
                        ? lowest(subscriber)
                        : cursor);
    }

    private long lowest(Subscriber subscriber) {
        return open.values().stream()
                .filter(d -> d.ordered && d.subscriber.equals(subscriber))
                .mapToLong(d -> d.offset)
                .min()
                .orElseThrow();
    }

    OptionalLong watermark() {
        return cursors.keySet().stream()
                .mapToLong(subscriber -> position(subscriber).orElseThrow())
                .min();
    }

    boolean complete(long offset) {
        FanOutModel fanOut = fanOuts.get(offset);
        return fanOut != null
                && fanOut.notOpened.isEmpty()
                && open.values().stream().noneMatch(d -> d.offset == offset);
    }

    void opened(OpenBatch batch, OpenReport report, long now) {
        Map<Subscriber, Boolean> accepted = new HashMap<>();
        long to = Long.MAX_VALUE;
        if (batch.source() instanceof Source.Range range) {
            to = range.to();
            for (Subscriber reader : range.readers()) {
                Long cursor = cursors.putIfAbsent(reader, range.from());
                accepted.put(reader, cursor == null || cursor >= range.from());
            }
        }
        int element = 0;
        for (Incoming message : batch.messages()) {
            for (var target : message.targets().entrySet()) {
                OpenResult result = Polls.result(report, element++);
                one(batch, message, target.getKey(), target.getValue(), accepted, result, now);
            }
            fanOut(message);
        }
        for (Map.Entry<Subscriber, Boolean> reader : accepted.entrySet()) {
            ReaderResult place = report.readers().get(reader.getKey()).orThrow();
            if (reader.getValue()) {
                cursors.merge(reader.getKey(), to, Math::max);
                assertThat(place).isEqualTo(new ReaderResult.At(cursors.get(reader.getKey())));
            } else {
                assertThat(place).isEqualTo(new OpenResult.OutOfOrder(cursors.get(reader.getKey())));
            }
        }
    }

    private void one(
            OpenBatch batch,
            Incoming message,
            Subscriber target,
            Optional<Receiver> receiver,
            Map<Subscriber, Boolean> accepted,
            OpenResult result,
            long now) {
        boolean ordered = batch.source() instanceof Source.Range;
        Optional<ModelDelivery> present = open.values().stream()
                .filter(d -> d.ordered == ordered && d.offset == message.offset() && d.subscriber.equals(target))
                .findAny();
        if (ordered && !accepted.get(target)) {
            assertThat(result).isEqualTo(new OpenResult.OutOfOrder(cursors.get(target)));
        } else if (present.isPresent()) {
            assertThat(result).isInstanceOf(OpenResult.AlreadyOpen.class);
            assertThat(((OpenResult.AlreadyOpen) result).existing().id()).isEqualTo(present.get().id);
        } else if (ordered
                ? message.offset() < cursors.get(target)
                : settledUnordered.contains(message.offset() + " " + target)) {
            assertThat(result).isInstanceOf(OpenResult.AlreadySettled.class);
        } else {
            assertThat(result).isInstanceOf(OpenResult.Opened.class);
            OpenResult.Opened opened = (OpenResult.Opened) result;
            ModelDelivery delivery = new ModelDelivery(opened.delivery().id(), ordered, message.offset(), target, now);
            opened.handOut().ifPresent(delivery::handedOut);
            assertThat(opened.handOut().map(handOut -> handOut.receiver())).isEqualTo(receiver);
            assertThat(delivery.id.number()).isGreaterThan(highest);
            highest = delivery.id.number();
            open.put(highest, delivery);
            if (ordered) {
                cursors.put(target, message.offset() + 1);
            }
        }
        if (!ordered || accepted.get(target)) {
            FanOutModel fanOut = fanOuts.get(message.offset());
            if (fanOut != null) {
                fanOut.notOpened.remove(target);
            }
        } else if (message.brokerHandle().isPresent()) {
            fanOuts.computeIfAbsent(message.offset(), o -> new FanOutModel(Bytes.EMPTY))
                    .notOpened
                    .add(target);
        }
    }

    private void fanOut(Incoming message) {
        message.brokerHandle()
                .ifPresent(handle ->
                        fanOuts.computeIfAbsent(message.offset(), o -> new FanOutModel(handle.handle())).handle =
                                handle.handle());
    }

    void acked(Ack ack, AckResult result) {
        long number = ack.receipt().delivery().number();
        ModelDelivery delivery = open.get(number);
        if (delivery == null) {
            Settled mark = settled.get(number);
            if (mark == null) {
                assertThat(result).isEqualTo(new Refused.Unknown());
            } else if (mark.key().equals(Optional.of(ack.key().value()))) {
                assertThat(result)
                        .isEqualTo(new AckResult.Duplicate(mark.acked().orElseThrow()));
            } else {
                assertThat(result).isEqualTo(new Refused.Settled(mark.how()));
            }
        } else if (!delivery.receipt.equals(Optional.of(ack.receipt()))) {
            assertThat(result).isInstanceOf(Refused.Stale.class);
        } else if (!delivery.receiver.orElseThrow().client().equals(ack.from())) {
            assertThat(result)
                    .isEqualTo(new Refused.WrongReceiver(delivery.receiver.get().client()));
        } else {
            boolean before = complete(delivery.offset);
            settle(delivery);
            assertThat(result).isInstanceOf(AckResult.Acked.class);
            AckResult.Acked acked = (AckResult.Acked) result;
            assertThat(acked.position())
                    .isEqualTo(delivery.ordered ? position(delivery.subscriber) : OptionalLong.empty());
            assertThat(acked.completed().isPresent()).isEqualTo(!before && complete(delivery.offset));
            settled.put(
                    number,
                    new Settled(
                            Refused.How.ACKED,
                            Optional.of(ack.key().value()),
                            Optional.of(acked),
                            ack.receipt().epoch()));
        }
    }

    void nacked(Nack nack, Retry retry, NackResult result, long now) {
        long number = nack.receipt().delivery().number();
        ModelDelivery delivery = open.get(number);
        if (delivery == null) {
            Settled mark = settled.get(number);
            if (mark == null) {
                assertThat(result).isEqualTo(new Refused.Unknown());
            } else if (mark.how() == Refused.How.DEAD_LETTERED
                    && mark.epoch() == nack.receipt().epoch()) {
                assertThat(result).isInstanceOf(NackResult.DeadLettered.class);
            } else {
                assertThat(result).isEqualTo(new Refused.Settled(mark.how()));
            }
        } else if (delivery.lastNacked.equals(Optional.of(nack.receipt()))
                && delivery.receiver.isEmpty()
                && nack.from().equals(pushed.get(nack.receipt()))) {
            assertThat(result).isEqualTo(delivery.lastNack.orElseThrow());
        } else if (!delivery.receipt.equals(Optional.of(nack.receipt()))) {
            assertThat(result).isInstanceOf(Refused.Stale.class);
        } else if (!delivery.receiver.orElseThrow().client().equals(nack.from())) {
            assertThat(result).isInstanceOf(Refused.WrongReceiver.class);
        } else if (delivery.failures + 1 >= retry.maxFailures()) {
            settle(delivery);
            assertThat(result).isInstanceOf(NackResult.DeadLettered.class);
            dead(delivery, (NackResult.DeadLettered) result, nack.receipt().epoch());
        } else {
            delivery.failures++;
            delivery.ended(now + retry.delay(delivery.failures).toMillis());
            assertThat(result)
                    .isEqualTo(new NackResult.Rescheduled(delivery.failures, Instant.ofEpochMilli(delivery.dueAt)));
            delivery.lastNacked = Optional.of(nack.receipt());
            delivery.lastNack = Optional.of(result);
        }
    }

    private void dead(ModelDelivery delivery, NackResult.DeadLettered letter, long epoch) {
        assertThat(letter.position())
                .isEqualTo(delivery.ordered ? position(delivery.subscriber) : OptionalLong.empty());
        assertThat(letter.id().offset()).isEqualTo(delivery.offset);
        settled.put(
                delivery.id.number(),
                new Settled(Refused.How.DEAD_LETTERED, Optional.empty(), Optional.empty(), epoch));
    }

    void handedOut(HandOutResult.HandedOut result, int limit, int most, Set<Subscriber> routed, long now) {
        List<ModelDelivery> due = new ArrayList<>(open.values().stream()
                .filter(d -> d.dueAt <= now)
                .sorted(Comparator.<ModelDelivery>comparingLong(d -> d.dueAt).thenComparingLong(d -> d.id.number()))
                .toList());
        int given = 0;
        int dead = 0;
        for (ModelDelivery delivery : due) {
            if (given == limit) {
                break;
            }
            if (delivery.handOuts >= most) {
                settle(delivery);
                dead(delivery, result.exhausted().get(dead++), 0);
            } else if (routed.contains(delivery.subscriber)) {
                var handOut = result.given().get(given++);
                assertThat(handOut.delivery().id()).isEqualTo(delivery.id);
                delivery.handedOut(handOut);
                assertThat(handOut.delivery().handOuts()).isEqualTo(delivery.handOuts);
            }
        }
        assertThat(result.given()).hasSize(given);
        assertThat(result.exhausted()).hasSize(dead);
    }

    void released(Receiver receiver, SweepResult result, long now) {
        long count = 0;
        for (ModelDelivery delivery : open.values()) {
            if (delivery.receiver
                    .filter(held ->
                            held.client().equals(receiver.client()) && held.sessionEpoch() <= receiver.sessionEpoch())
                    .isPresent()) {
                delivery.ended(now);
                count++;
            }
        }
        assertThat(result).isEqualTo(new SweepResult.Done(count));
    }

    void withdrawn(Subscriber subscriber, SweepResult result) {
        long count = 0;
        for (ModelDelivery delivery : List.copyOf(open.values())) {
            if (delivery.subscriber.equals(subscriber)) {
                settle(delivery);
                settled.put(
                        delivery.id.number(),
                        new Settled(Refused.How.WITHDRAWN, Optional.empty(), Optional.empty(), 0));
                count++;
            }
        }
        cursors.remove(subscriber);
        fanOuts.values().forEach(fanOut -> fanOut.notOpened.remove(subscriber));
        assertThat(result).isEqualTo(new SweepResult.Done(count));
    }

    void reset(Subscriber subscriber, Reset reset, ResetResult result) {
        if (!position(subscriber).equals(reset.expected())) {
            assertThat(result).isEqualTo(new ResetResult.Unexpected(position(subscriber)));
            return;
        }
        OptionalLong from =
                cursors.containsKey(subscriber) ? OptionalLong.of(cursors.get(subscriber)) : OptionalLong.empty();
        cursors.put(subscriber, reset.to());
        assertThat(result)
                .isEqualTo(new ResetResult.Done(
                        from, reset.to(), position(subscriber).orElseThrow()));
    }

    void advanced(Subscriber subscriber, long to, AdvanceResult result) {
        Long cursor = cursors.get(subscriber);
        OptionalLong lowest = open.values().stream()
                .filter(d -> d.ordered && d.subscriber.equals(subscriber))
                .mapToLong(d -> d.offset)
                .min();
        if (cursor != null && cursor >= to) {
            assertThat(result).isEqualTo(new AdvanceResult.AlreadyAt(cursor));
        } else if (lowest.isPresent() && lowest.getAsLong() < to) {
            assertThat(result).isEqualTo(new AdvanceResult.HeldBack(lowest.getAsLong()));
        } else {
            cursors.put(subscriber, to);
            assertThat(result)
                    .isEqualTo(new AdvanceResult.Advanced(
                            cursor == null ? OptionalLong.empty() : OptionalLong.of(cursor), to));
        }
    }

    private void settle(ModelDelivery delivery) {
        open.remove(delivery.id.number());
        if (!delivery.ordered) {
            settledUnordered.add(delivery.offset + " " + delivery.subscriber);
        }
    }
}
