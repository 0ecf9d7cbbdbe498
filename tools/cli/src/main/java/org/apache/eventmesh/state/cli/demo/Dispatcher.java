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
package org.apache.eventmesh.state.cli.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A dispatcher as small as it can be: poll, open, push, take acks and nacks, hand out what is due, acknowledge to the
 * broker. It keeps nothing that matters in memory.
 */
final class Dispatcher {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration HANDLE_LIFE = Duration.ofMinutes(10);
    private static final Retry THREE = Retry.immediately(World.FAILURES);
    private static final String GENERATION = "first";
    private static final int MOST = 100;

    private final StateStores stores;
    private final Member me;
    private final Consumer<Wire> world;
    private final Map<String, OwnedClient> clients = new ConcurrentHashMap<>();
    private final Map<String, Shard> shards = new ConcurrentHashMap<>();
    private final Map<Long, FanOut> acknowledging = new ConcurrentHashMap<>();
    private final AtomicLong turn = new AtomicLong();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private @Nullable ScheduledFuture<?> ticking;

    Dispatcher(StateStores stores, Member me, Consumer<Wire> world) {
        this.stores = stores;
        this.me = me;
        this.world = world;
    }

    /** Something came from the world. */
    void handle(Wire wire) {
        switch (wire.word()) {
            case "CONNECT" -> connect(wire.text(0));
            case "CONNECTED" -> begin();
            case "DISCONNECT" -> disconnect(wire.text(0));
            case "MESSAGES" -> open(wire);
            case "ACK" -> ack(wire.number(0), Receipt.parse(wire.text(1)), wire.text(2));
            case "NACK" -> nack(wire.number(0), Receipt.parse(wire.text(1)), wire.text(2));
            case "ACKNOWLEDGED" -> confirm(wire.number(0));
            default -> throw new IllegalStateException("the world said " + wire);
        }
    }

    void stop() {
        if (ticking != null) {
            ticking.cancel(false);
        }
        timer.shutdown();
    }

    private void connect(String name) {
        OwnedClient client = Await.result(stores.subscriptions().connect(me, Topics.client(name)));
        for (String topic : List.of(Topics.ORDERED, Topics.UNORDERED)) {
            Await.result(client.register(Topics.interest(topic, Topics.subscriberOf(name))));
        }
        clients.put(name, client);
    }

    /** Start and restart are the same: claim, go on from the lowest cursor, hand out what is due. */
    private void begin() {
        for (String topic : List.of(Topics.ORDERED, Topics.UNORDERED)) {
            Shard shard = Await.result(stores.deliveries().claim(me, Topics.partition(topic)))
                    .claimed()
                    .orElseThrow();
            shards.put(topic, shard);
            poll(topic, shard.view().readNext().orElse(0));
        }
        // A dead letter's answer may have died with the former process.
        Await.result(stores.deadLetters().list(DeadLetterFilter.all(), PageRequest.first(PageRequest.MAX_LIMIT)))
                .items()
                .forEach(letter -> dead(letter.id()));
        ticking = timer.scheduleWithFixedDelay(this::tick, 0, 50, TimeUnit.MILLISECONDS);
    }

    private void disconnect(String name) {
        OwnedClient gone = Objects.requireNonNull(clients.remove(name), name);
        gone.release();
        shards.values().forEach(shard -> shard.release(gone.receiver()));
    }

    private void poll(String topic, long from) {
        world.accept(Wire.of("POLL", topic, from));
    }

    private void open(Wire wire) {
        String topic = wire.text(0);
        long from = wire.number(1);
        long to = wire.number(2);
        List<Incoming> in = new ArrayList<>();
        for (int i = 3; i < wire.fields().size(); i += 3) {
            in.add(incoming(topic, wire.number(i), wire.text(i + 1), wire.text(i + 2)));
        }
        if (in.isEmpty()) {
            return;
        }
        OpenBatch batch = topic.equals(Topics.ORDERED)
                ? OpenBatch.range(GENERATION, from, to, Topics.subscribers(), in, LEASE)
                : OpenBatch.unordered(in, LEASE);
        shard(topic).open(batch).whenComplete((report, failure) -> opened(topic, from, report, failure));
    }

    private Incoming incoming(String topic, long offset, String handle, String json) {
        Incoming message = Incoming.of(offset, Bytes.utf8(json), Attributes.NONE);
        for (Subscriber subscriber : Topics.subscribers()) {
            message = message.to(subscriber, pick(topic, subscriber));
        }
        return handle.isEmpty() ? message : message.brokerHandle(Bytes.utf8(handle), HANDLE_LIFE);
    }

    private void opened(String topic, long from, OpenReport report, @Nullable Throwable failure) {
        if (failure != null) {
            System.err.println("open failed, reading again: " + failure);
            poll(topic, from);
            return;
        }
        report.handOuts().forEach(this::push);
        poll(topic, report.readNext().orElse(0));
    }

    private Optional<Receiver> pick(String topic, Subscriber subscriber) {
        List<Receiver> candidates = stores.subscriptions().view().of(topic).stream()
                .filter(s -> s.interest().subscriber().equals(subscriber))
                .map(Subscription::receiver)
                .toList();
        return candidates.isEmpty()
                ? Optional.empty()
                : Optional.of(candidates.get((int) (turn.incrementAndGet() % candidates.size())));
    }

    private void push(HandOut h) {
        world.accept(Wire.of(
                "DELIVER",
                h.receipt().encode(),
                h.receiver().client().value(),
                h.delivery().id().partition().topic(),
                h.delivery().offset(),
                Topics.name(h.delivery().subscriber())));
    }

    private void ack(long question, Receipt receipt, String from) {
        shard(receipt.partition().topic())
                .ack(Ack.of(receipt, Topics.client(from)))
                .whenComplete((result, failure) -> answer(question, result, failure));
    }

    private void nack(long question, Receipt receipt, String from) {
        shard(receipt.partition().topic())
                .nack(new Nack(receipt, Topics.client(from), "cannot process it"), THREE)
                .whenComplete((result, failure) -> answer(question, result, failure));
    }

    private void answer(long question, Object result, @Nullable Throwable failure) {
        String answer = failure == null ? result.getClass().getSimpleName() : "Failed";
        world.accept(Wire.of("ANSWER", question, answer));
    }

    private void tick() {
        try {
            long open = 0;
            for (Shard shard : shards.values()) {
                handOut(shard);
                Await.result(shard.completed(MOST)).forEach(this::acknowledge);
                open += shard.view().all().open();
            }
            for (Subscriber subscriber : Topics.subscribers()) {
                Await.result(stores.offsets().position(Topics.partition(Topics.ORDERED), subscriber))
                        .ifPresent(p -> world.accept(Wire.of("POSITION", Topics.ORDERED, Topics.name(subscriber), p)));
            }
            shard(Topics.ORDERED).view().watermark().ifPresent(w -> world.accept(Wire.of("COMMIT", Topics.ORDERED, w)));
            world.accept(Wire.of("IDLE", open));
        } catch (RuntimeException e) {
            System.err.println("this tick failed, the next one goes on: " + e);
        }
    }

    private void handOut(Shard shard) {
        String topic = shard.token().scope().topic();
        HandOutResult result = Await.result(shard.handOut(MOST, LEASE, due -> pick(topic, due.subscriber())));
        result.handOuts().forEach(this::push);
        if (result instanceof HandOutResult.HandedOut done) {
            done.exhausted().stream().map(NackResult.DeadLettered::id).forEach(this::dead);
        }
    }

    private void dead(DeadLetterId id) {
        world.accept(Wire.of("DEAD", id.partition().topic(), id.offset(), Topics.name(id.subscriber())));
    }

    private void acknowledge(FanOut done) {
        if (acknowledging.put(done.offset(), done) == null) {
            world.accept(Wire.of(
                    "ACKNOWLEDGE",
                    done.offset(),
                    done.offset(),
                    done.brokerHandle().toUtf8()));
        }
    }

    private void confirm(long offset) {
        FanOut accepted = acknowledging.remove(offset);
        if (accepted != null) {
            shard(accepted.partition().topic()).confirm(List.of(accepted));
        }
    }

    private Shard shard(String topic) {
        return Objects.requireNonNull(shards.get(topic), topic);
    }
}
