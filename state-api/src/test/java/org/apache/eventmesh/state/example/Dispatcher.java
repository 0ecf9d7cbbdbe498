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
package org.apache.eventmesh.state.example;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.*;
import org.apache.eventmesh.state.id.*;
import org.apache.eventmesh.state.owner.*;
import org.apache.eventmesh.state.subscription.Subscription;

/** A dispatcher as a runtime would write it: the measure of the API. */
final class Dispatcher {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Retry THREE = new Retry(3, Duration.ofSeconds(1), Duration.ofMinutes(1));
    private final StateStores stores;
    private final Member me;
    private final Broker broker;
    private final Push push;
    private final Executor worker;
    private final Map<Partition, Shard> shards = new ConcurrentHashMap<>();

    Dispatcher(StateStores stores, Member me, Broker broker, Push push, Executor worker) {
        this.stores = stores;
        this.me = me;
        this.broker = broker;
        this.push = push;
        this.worker = worker;
    }

    /** Start, and takeover by another instance: the same call. Recovery is an ordinary tick. */
    void acquire(Partition p) {
        stores.deliveries().claim(me, p).whenComplete((claim, failure) -> {
            if (claim instanceof ClaimResult.Claimed<Shard> ours) {
                begin(ours.handle());
            } else if (claim instanceof ClaimResult.HeldByOther<Shard> other) {
                later(other.remaining(), () -> acquire(p));
            } else {
                later(Duration.ofSeconds(1), () -> acquire(p));
            }
        });
    }

    private void begin(Shard shard) {
        Partition p = shard.token().scope();
        shards.put(p, shard);
        shard.lost().thenAccept(fenced -> shards.remove(p, shard));
        shard.view().readNext().ifPresent(offset -> broker.seek(p, offset));
        tick(shard);
    }

    /** One broker poll: every group and every broadcast client of the topic in one batch. */
    CompletionStage<OpenReport> onPoll(Shard shard, long from, long to, List<Broker.Message> polled) {
        Map<Subscriber, List<Subscription>> readers = readers(shard);
        List<Incoming> in = new ArrayList<>();
        for (Broker.Message m : polled) {
            Incoming i = Incoming.of(m.offset(), m.payload(), m.attributes());
            for (Subscriber s : readers.keySet()) {
                i = m.matches(readers.get(s)) ? i.to(s, push.pick(readers.get(s))) : i;
            }
            in.add(
                    m.brokerHandle().isEmpty()
                            ? i
                            : i.brokerHandle(m.brokerHandle().get(), Duration.ofHours(1)));
        }
        Partition p = shard.token().scope();
        OpenBatch batch = broker.ordered()
                ? OpenBatch.range(broker.generation(p), from, to, readers.keySet(), in, LEASE)
                : OpenBatch.unordered(in, LEASE);
        return shard.open(batch).whenComplete((report, failure) -> {
            if (failure == null) {
                report.handOuts().forEach(push::send);
            }
            long next = failure == null ? report.readNext().orElse(to) : from;
            if (broker.ordered() && next != to) {
                broker.seek(p, next);
            }
        });
    }

    /** The client's ack, now or after a restart: the receipt finds the shard. */
    CompletionStage<Integer> onAck(String receiptText, ClientId from, String key) {
        Receipt receipt = Receipt.parse(receiptText);
        Shard shard = shards.get(receipt.partition());
        if (shard == null) {
            return push.forwardAck(receipt, from, key);
        }
        return shard.ack(new Ack(receipt, from, RequestKey.of(key))).thenApply(r -> {
            if (r instanceof AckResult.Acked a) {
                a.completed().ifPresent(done -> finish(shard, List.of(done)));
            }
            return r.done() ? 200 : r instanceof Fenced ? 503 : r instanceof Refused.Unknown ? 404 : 409;
        });
    }

    /** Three failures dead-letter, in the same atomic step as the third nack. */
    void onNack(Shard shard, Receipt receipt, ClientId from, String reason) {
        shard.nack(new Nack(receipt, from, reason), THREE).thenAccept(r -> {
            if (r instanceof NackResult.Rescheduled again) {
                later(Duration.between(Instant.now(), again.dueAt()), () -> handOut(shard));
            }
        });
    }

    void onDisconnect(Receiver gone) {
        shards.values().forEach(s -> s.release(gone).thenRun(() -> handOut(s)));
    }

    private void tick(Shard shard) {
        if (shards.get(shard.token().scope()) != shard) {
            return;
        }
        handOut(shard);
        shard.completed(500).thenAccept(done -> finish(shard, done));
        shard.view().watermark().ifPresent(w -> broker.commit(shard.token().scope(), w));
        later(Duration.ofMillis(500), () -> tick(shard));
    }

    private void handOut(Shard shard) {
        Map<Subscriber, List<Subscription>> readers = readers(shard);
        shard.handOut(500, LEASE, due -> push.pick(readers.getOrDefault(due.subscriber(), List.of())))
                .thenAccept(r -> r.handOuts().forEach(push::send));
    }

    private void finish(Shard shard, List<FanOut> done) {
        broker.acknowledge(done).thenAccept(shard::confirm);
    }

    private Map<Subscriber, List<Subscription>> readers(Shard shard) {
        return stores.subscriptions().view().of(shard.token().scope().topic()).stream()
                .collect(Collectors.groupingBy(s -> s.interest().subscriber()));
    }

    private void later(Duration delay, Runnable work) {
        CompletableFuture.delayedExecutor(Math.max(0, delay.toMillis()), TimeUnit.MILLISECONDS, worker)
                .execute(work);
    }
}
