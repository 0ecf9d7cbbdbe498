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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.PurgeResult;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** Messages of an unordered source for two subscribers each: hand-outs, settlements, fan-outs, dead letters. */
final class MessageWork implements Work {
    static final List<Subscriber> TARGETS = List.of(Subscriber.group("billing"), Subscriber.group("audit"));

    private static final MessageSpec SPEC = new MessageSpec(TARGETS.size(), 3);
    private static final Retry RETRY = Retry.immediately(SPEC.mostFailures());

    /** Names the partition among the things that calls are about; messages go by their offsets. */
    private static final long PARTITION = -1;

    /** Longer than any run. */
    private static final Duration LEASE = Duration.ofHours(1);

    private static final int MANY = 10_000;

    /** A receipt that somebody has. */
    private record Held(long offset, int target, Receipt receipt) {}

    /** A delivery that somebody saw opened. */
    private record Seen(long offset, int target) {}

    private final Partition partition;
    private final Recorder<Long, MessageInput, Object> recorder = new Recorder<>();
    private final Owners<Long> owners = new Owners<>(recorder);
    private final Map<Life, Shard> shards = new ConcurrentHashMap<>();
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final Map<Seen, DeliveryId> seen = new ConcurrentHashMap<>();

    /** Messages whose opening did not end well, to be opened again. */
    private final Queue<Long> again = new ConcurrentLinkedQueue<>();

    private final Set<Long> opened = ConcurrentHashMap.newKeySet();
    private final AtomicLong next = new AtomicLong();

    MessageWork(String name) {
        partition = new Partition(name + "-pop", 0);
    }

    @Override
    public void begin(Caller first) {
        own(first, first.life(), true);
    }

    private void own(Caller caller, Life life, boolean force) {
        var deliveries = life.instance().stores().deliveries();
        var ours = force
                ? owners.takeOver(caller, life, PARTITION, member -> deliveries.takeOver(member, partition))
                : owners.claim(caller, life, PARTITION, member -> deliveries.claim(member, partition));
        ours.ifPresent(shard -> shards.put(life, shard));
    }

    private static Receiver receiver(int target) {
        return new Receiver(new ClientId("receiver-" + target), 1, "somewhere");
    }

    @Override
    public void step(Caller caller) {
        int dice = caller.random().nextInt(100);
        Life life = caller.life();
        Shard shard = shards.get(life);
        if (shard == null || dice < 8) {
            own(caller, life, caller.onceIn(2));
        } else if (dice < 10) {
            owners.release(caller, life, PARTITION, shard);
        } else if (dice < 28) {
            Long failed = again.poll();
            open(caller, life, shard, failed == null ? next.getAndIncrement() : failed);
        } else if (dice < 62) {
            Held taken = held.poll();
            if (taken != null) {
                settle(caller, life, shard, taken, dice);
            }
        } else if (dice < 74) {
            handOut(caller, life, shard, 1 + caller.random().nextInt(3));
        } else if (dice < 86) {
            List<FanOut> done = completed(caller, life, shard);
            if (!done.isEmpty()) {
                confirm(caller, life, shard, done.get(caller.random().nextInt(done.size())));
            }
        } else {
            look(caller, life, dice);
        }
    }

    private void open(Caller caller, Life life, Shard shard, long offset) {
        Incoming message = Incoming.of(offset, Bytes.utf8("message " + offset), Attributes.NONE);
        for (int target = 0; target < TARGETS.size(); target++) {
            message = message.to(TARGETS.get(target), receiver(target));
        }
        message = message.brokerHandle(Bytes.utf8("handle " + offset), LEASE);
        opened.add(offset);
        var begun = recorder.begin(caller.name());
        Answer<OpenReport> answer = life.ask(shard.open(OpenBatch.unordered(List.of(message), LEASE)));
        begun.ended();
        boolean all = true;
        for (int n = 0; n < TARGETS.size(); n++) {
            int target = n;
            Answer<OpenResult> told =
                    answer.part(report -> Answer.outcome(report.deliveries().get(target)));
            begun.told(offset, new MessageInput.Open(shard.token(), target), told);
            all &= told.value().isPresent() && !(told.value().get() instanceof Fenced);
            told.value().ifPresent(result -> noteOpened(offset, target, result));
        }
        if (!all) {
            again.add(offset);
        }
    }

    private void noteOpened(long offset, int target, OpenResult result) {
        if (result instanceof OpenResult.Opened done) {
            note(offset, target, done.delivery());
        } else if (result instanceof OpenResult.AlreadyOpen already) {
            note(offset, target, already.existing());
        }
    }

    private void note(long offset, int target, Delivery delivery) {
        DeliveryId before = seen.putIfAbsent(new Seen(offset, target), delivery.id());
        assertThat(delivery.id())
                .as("the delivery of %d for %s", offset, TARGETS.get(target))
                .isEqualTo(before == null ? delivery.id() : before);
        if (delivery.receiver().isPresent()) {
            held.add(new Held(offset, target, new Receipt(delivery.id(), delivery.epoch())));
        }
    }

    private void settle(Caller caller, Life life, Shard shard, Held taken, int dice) {
        long epoch = taken.receipt().epoch();
        ClientId client = receiver(taken.target()).client();
        if (dice < 46) {
            var begun = recorder.begin(caller.name());
            Answer<AckResult> answer = life.ask(shard.ack(Ack.of(taken.receipt(), client)));
            begun.ended();
            begun.told(taken.offset(), new MessageInput.Settle(shard.token(), taken.target(), epoch), answer);
            keep(caller, taken, answer);
        } else if (dice < 58) {
            var begun = recorder.begin(caller.name());
            Answer<NackResult> answer = life.ask(shard.nack(new Nack(taken.receipt(), client, "no"), RETRY));
            begun.ended();
            begun.told(taken.offset(), new MessageInput.Fail(shard.token(), taken.target(), epoch), answer);
            keep(caller, taken, answer);
        } else {
            var begun = recorder.begin(caller.name());
            Answer<NackResult> answer = life.ask(shard.deadLetter(taken.receipt(), "given up"));
            begun.ended();
            begun.told(taken.offset(), new MessageInput.GiveUp(shard.token(), taken.target(), epoch), answer);
            keep(caller, taken, answer);
        }
    }

    /** Receipts that are not used up are used again; some others too. */
    private void keep(Caller caller, Held taken, Answer<?> answer) {
        boolean unused = answer.value().isEmpty() || answer.value().get() instanceof Fenced;
        if (unused || caller.onceIn(6)) {
            held.add(taken);
        }
    }

    private void handOut(Caller caller, Life life, Shard shard, int limit) {
        var begun = recorder.begin(caller.name());
        Answer<HandOutResult> answer =
                life.ask(shard.handOut(limit, LEASE, due -> Optional.of(receiver(TARGETS.indexOf(due.subscriber())))));
        begun.ended();
        MessageInput input = new MessageInput.HandOut(shard.token());
        if (answer.value().isEmpty() || answer.value().get() instanceof Fenced) {
            begun.told(PARTITION, input, answer);
            return;
        }
        for (HandOut given : answer.value().get().handOuts()) {
            int target = TARGETS.indexOf(given.delivery().subscriber());
            long offset = given.delivery().offset();
            begun.answered(
                    offset, input, new MessageSpec.Given(target, given.receipt().epoch()));
            note(offset, target, given.delivery());
        }
    }

    private List<FanOut> completed(Caller caller, Life life, Shard shard) {
        var begun = recorder.begin(caller.name());
        Answer<List<FanOut>> answer = life.ask(shard.completed(MANY));
        begun.ended();
        List<FanOut> found = answer.value().orElse(List.of());
        MessageInput input = new MessageInput.IsCompleted(shard.token());
        found.forEach(each -> begun.answered(each.offset(), input, true));
        if (answer.value().isPresent() && next.get() > 0) {
            long other = caller.random().nextInt((int) next.get());
            if (found.stream().noneMatch(each -> each.offset() == other)) {
                begun.answered(other, input, false);
            }
        }
        return found;
    }

    private void confirm(Caller caller, Life life, Shard shard, FanOut done) {
        var begun = recorder.begin(caller.name());
        Answer<SweepResult> answer = life.ask(shard.confirm(List.of(done)));
        begun.ended();
        Answer<Object> told = answer.part(result ->
                Answer.is(result instanceof SweepResult.Done confirmed ? (Object) confirmed.count() : result));
        begun.told(done.offset(), new MessageInput.Confirm(shard.token()), told);
    }

    private void look(Caller caller, Life life, int dice) {
        List<Seen> known = List.copyOf(seen.keySet());
        if (known.isEmpty()) {
            return;
        }
        Seen about = known.get(caller.random().nextInt(known.size()));
        if (dice < 92) {
            find(caller, life, about);
        } else {
            Optional<DeadLetter> letter = letter(caller, life, about);
            if (dice >= 98 && letter.isPresent()) {
                var begun = recorder.begin(caller.name());
                Answer<PurgeResult> answer =
                        life.ask(life.instance().stores().deadLetters().purge(letter.get()));
                begun.ended();
                begun.told(about.offset(), new MessageInput.Purge(about.target()), answer);
            }
        }
    }

    private void find(Caller caller, Life life, Seen about) {
        DeliveryId id = seen.get(about);
        if (id != null) {
            var begun = recorder.begin(caller.name());
            Answer<Optional<Delivery>> answer =
                    life.ask(life.instance().stores().deliveries().find(id));
            begun.ended();
            answer.value()
                    .ifPresent(found -> begun.answered(about.offset(), new MessageInput.Find(about.target()), found));
        }
    }

    private Optional<DeadLetter> letter(Caller caller, Life life, Seen about) {
        DeadLetterId id = new DeadLetterId(partition, about.offset(), TARGETS.get(about.target()));
        var begun = recorder.begin(caller.name());
        Answer<Optional<DeadLetter>> answer =
                life.ask(life.instance().stores().deadLetters().find(id));
        begun.ended();
        answer.value()
                .ifPresent(found ->
                        begun.answered(about.offset(), new MessageInput.FindLetter(about.target()), found.isPresent()));
        return answer.value().flatMap(found -> found);
    }

    @Override
    public void end(Caller last) {
        Life life = last.life();
        own(last, life, true);
        Shard shard = shards.get(life);
        if (shard == null) {
            throw new AssertionError("the last instance cannot take over " + partition);
        }
        for (Long offset = again.poll(); offset != null; offset = again.poll()) {
            open(last, life, shard, offset);
        }
        handOut(last, life, shard, MANY);
        open(life).forEach(delivery -> {
            int target = TARGETS.indexOf(delivery.subscriber());
            note(delivery.offset(), target, delivery);
            settle(
                    last,
                    life,
                    shard,
                    new Held(delivery.offset(), target, new Receipt(delivery.id(), delivery.epoch())),
                    0);
        });
        assertThat(open(life)).as("open when everything is acked").isEmpty();
        completed(last, life, shard).forEach(done -> confirm(last, life, shard, done));
        assertThat(get(shard.completed(MANY)))
                .as("completed when all are confirmed")
                .isEmpty();
        for (Seen about : seen.keySet()) {
            find(last, life, about);
            letter(last, life, about);
        }
        judge();
    }

    private List<Delivery> open(Life life) {
        return get(life.instance()
                        .stores()
                        .deliveries()
                        .list(DeliveryFilter.of(partition), PageRequest.first(PageRequest.MAX_LIMIT)))
                .items();
    }

    private void judge() {
        List<Call<MessageInput, Object>> everywhere = recorder.about(PARTITION);
        Judgement.epochsRise(partition.toString(), everywhere);
        assertThat(opened).isNotEmpty();
        for (long offset : opened) {
            List<Call<MessageInput, Object>> about = new ArrayList<>(recorder.about(offset));
            about.sort(Comparator.comparingLong(Call::started));
            MessageFacts.check("message " + offset + " of " + partition, about);
            about.addAll(everywhere);
            Judgement.linearizable("message " + offset + " of " + partition, SPEC, about);
        }
    }

    @Override
    public Tally tally() {
        return recorder.tally();
    }
}
