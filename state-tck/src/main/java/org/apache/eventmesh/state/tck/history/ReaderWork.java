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
package org.apache.eventmesh.state.tck.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

import static java.util.Objects.requireNonNull;
import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** Subscribers of one partition of an ordered log, which is fought for: positions, resets, openings, acks. */
final class ReaderWork implements Work {
    private static final List<Subscriber> SUBSCRIBERS =
            List.of(Subscriber.group("billing"), Subscriber.group("audit"), Subscriber.group("mirror"));

    /** Names the partition among the things that calls are about; subscribers go by their place in the list. */
    private static final int PARTITION = -1;

    /** Longer than any run, so that a delivery stays with its receiver. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final Receiver RECEIVER = new Receiver(new ClientId("receiver"), 1, "somewhere");

    /** A receipt that somebody has. */
    private record Held(int subscriber, long offset, Receipt receipt) {}

    private final Partition partition;
    private final Recorder<Integer, ReaderInput, Object> recorder = new Recorder<>();
    private final Owners<Integer> owners = new Owners<>(recorder);
    private final Map<Life, Shard> shards = new ConcurrentHashMap<>();
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();

    /** Where somebody read on last, by subscriber: a guess. */
    private final AtomicLongArray next = new AtomicLongArray(SUBSCRIBERS.size());

    ReaderWork(String name) {
        partition = new Partition(name + "-log", 0);
    }

    @Override
    public void begin(Caller first) {
        Shard shard = takeOver(first);
        for (Subscriber subscriber : SUBSCRIBERS) {
            assertThat(get(first.life().instance().stores().offsets().advance(shard, Map.of(subscriber, 0L))))
                    .containsEntry(subscriber, new Outcome.Done<>(new AdvanceResult.Advanced(OptionalLong.empty(), 0)));
        }
    }

    /** When nothing is wrong. */
    private Shard takeOver(Caller caller) {
        own(caller, caller.life(), true);
        Shard shard = shards.get(caller.life());
        if (shard == null) {
            throw new AssertionError(caller.name() + " cannot take over " + partition);
        }
        return shard;
    }

    private void own(Caller caller, Life life, boolean force) {
        var deliveries = life.instance().stores().deliveries();
        var ours = force
                ? owners.takeOver(caller, life, PARTITION, member -> deliveries.takeOver(member, partition))
                : owners.claim(caller, life, PARTITION, member -> deliveries.claim(member, partition));
        ours.ifPresent(shard -> shards.put(life, shard));
    }

    @Override
    public void step(Caller caller) {
        int dice = caller.random().nextInt(100);
        int subscriber = caller.random().nextInt(SUBSCRIBERS.size());
        Life life = caller.life();
        Shard shard = shards.get(life);
        if (shard == null || dice < 8) {
            own(caller, life, caller.onceIn(2));
        } else if (dice < 10) {
            owners.release(caller, life, PARTITION, shard);
        } else if (dice < 22) {
            advance(caller, life, shard, subscriber);
        } else if (dice < 27) {
            reset(caller, life, shard, subscriber);
        } else if (dice < 54) {
            open(caller, life, shard, subscriber);
        } else if (dice < 80) {
            Held taken = held.poll();
            if (taken != null) {
                ack(caller, life, shard, taken);
            }
        } else {
            position(caller, life, subscriber);
        }
    }

    private OptionalLong position(Caller caller, Life life, int subscriber) {
        var offsets = life.instance().stores().offsets();
        var begun = recorder.begin(caller.name());
        Answer<OptionalLong> answer = life.ask(offsets.position(partition, SUBSCRIBERS.get(subscriber)));
        begun.ended();
        answer.value().ifPresent(at -> begun.answered(subscriber, new ReaderInput.Position(), at));
        return answer.value().orElse(OptionalLong.empty());
    }

    private void advance(Caller caller, Life life, Shard shard, int subscriber) {
        long to = Math.max(0, next.get(subscriber) + caller.random().nextInt(5) - 1);
        Subscriber named = SUBSCRIBERS.get(subscriber);
        var offsets = life.instance().stores().offsets();
        var begun = recorder.begin(caller.name());
        Answer<Map<Subscriber, Outcome<AdvanceResult>>> answer = life.ask(offsets.advance(shard, Map.of(named, to)));
        begun.ended();
        Answer<AdvanceResult> told = answer.part(each -> Answer.outcome(requireNonNull(each.get(named))));
        begun.told(subscriber, new ReaderInput.Advance(shard.token(), to), told);
        if (told.value().isPresent() && told.value().get() instanceof AdvanceResult.Advanced) {
            next.set(subscriber, to);
        }
    }

    private void reset(Caller caller, Life life, Shard shard, int subscriber) {
        OptionalLong expected = position(caller, life, subscriber);
        if (expected.isEmpty()) {
            return;
        }
        long to = Math.max(0, expected.getAsLong() + caller.random().nextInt(4) - 2);
        var offsets = life.instance().stores().offsets();
        var begun = recorder.begin(caller.name());
        Answer<ResetResult> answer =
                life.ask(offsets.reset(shard, SUBSCRIBERS.get(subscriber), Reset.from(expected.getAsLong(), to)));
        begun.ended();
        begun.told(subscriber, new ReaderInput.Rewind(shard.token(), expected, to), answer);
        if (answer.value().isPresent() && answer.value().get() instanceof ResetResult.Done) {
            next.set(subscriber, to);
        }
    }

    private void open(Caller caller, Life life, Shard shard, int subscriber) {
        long from = next.get(subscriber);
        long to = from + 1 + caller.random().nextInt(3);
        Subscriber named = SUBSCRIBERS.get(subscriber);
        List<Incoming> messages = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            messages.add(Incoming.of(offset, Bytes.utf8("message " + offset), Attributes.NONE)
                    .to(named, RECEIVER));
        }
        var begun = recorder.begin(caller.name());
        Answer<OpenReport> answer =
                life.ask(shard.open(OpenBatch.range("first", from, to, Set.of(named), messages, LEASE)));
        begun.ended();
        for (int n = 0; n < messages.size(); n++) {
            int at = n;
            Answer<OpenResult> told =
                    answer.part(report -> Answer.outcome(report.deliveries().get(at)));
            begun.told(subscriber, new ReaderInput.Open(shard.token(), from, from + n), told);
        }
        answer.value().ifPresent(report -> {
            report.readNext().ifPresent(cursor -> next.set(subscriber, cursor));
            report.handOuts()
                    .forEach(given ->
                            held.add(new Held(subscriber, given.delivery().offset(), given.receipt())));
        });
    }

    private void ack(Caller caller, Life life, Shard shard, Held taken) {
        long number = taken.receipt().delivery().number();
        var begun = recorder.begin(caller.name());
        Answer<AckResult> answer = life.ask(shard.ack(Ack.of(taken.receipt(), RECEIVER.client())));
        begun.ended();
        begun.told(taken.subscriber(), new ReaderInput.Settle(shard.token(), taken.offset(), number), answer);
        boolean done = answer.value().isPresent() && answer.value().get().done();
        if (!done || caller.onceIn(6)) {
            held.add(taken);
        }
    }

    @Override
    public void end(Caller last) {
        Life life = last.life();
        Shard shard = takeOver(last);
        for (int subscriber = 0; subscriber < SUBSCRIBERS.size(); subscriber++) {
            position(last, life, subscriber);
            for (Delivery open : open(life, subscriber)) {
                ack(last, life, shard, new Held(subscriber, open.offset(), new Receipt(open.id(), open.epoch())));
            }
            position(last, life, subscriber);
            assertThat(open(life, subscriber))
                    .as("open when everything is acked")
                    .isEmpty();
        }
        judge();
    }

    private List<Delivery> open(Life life, int subscriber) {
        DeliveryFilter all = DeliveryFilter.of(partition).of(SUBSCRIBERS.get(subscriber));
        return get(life.instance().stores().deliveries().list(all, PageRequest.first(PageRequest.MAX_LIMIT)))
                .items();
    }

    private void judge() {
        List<Call<ReaderInput, Object>> claims = recorder.about(PARTITION);
        Judgement.epochsRise(partition.toString(), claims);
        for (int subscriber = 0; subscriber < SUBSCRIBERS.size(); subscriber++) {
            List<Call<ReaderInput, Object>> calls = new ArrayList<>(claims);
            calls.addAll(recorder.about(subscriber));
            Judgement.linearizable(SUBSCRIBERS.get(subscriber) + " in " + partition, new ReaderSpec(0), calls);
        }
    }

    @Override
    public Tally tally() {
        return recorder.tally();
    }
}
