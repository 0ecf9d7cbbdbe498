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
package org.apache.eventmesh.state.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/** One message after the other is opened for a receiver and acknowledged, many at a time. */
final class OpenAndAck {
    static final int PAYLOAD = 100;

    private static final Subscriber READER = Subscriber.group("billing");
    private static final Receiver RECEIVER = new Receiver(new ClientId("billing-1"), 1, "bench");
    private static final Bytes CONTENT = Bytes.of(new byte[PAYLOAD]);
    private static final Duration LEASE = Duration.ofMinutes(5);

    private final Path place;
    private final Durability level;
    private final int outstanding;
    private final Semaphore free;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private long cycles;

    OpenAndAck(Path place, Durability level, int outstanding) {
        this.place = place;
        this.level = level;
        this.outstanding = outstanding;
        this.free = new Semaphore(outstanding);
    }

    /** Cycles a second. */
    long run(int seconds) throws Exception {
        StoreSettings settings = StoreSettings.builder("rocksdb://" + place.resolve("state"))
                .durability(level)
                .build();
        try (StateStores stores = StateStores.open(settings)) {
            Member me = Await.result(stores.join("bench", Duration.ofSeconds(30)));
            Shard shard = Await.result(stores.deliveries().claim(me, new Partition("orders", 0)))
                    .claimed()
                    .orElseThrow();
            long begun = System.nanoTime();
            long end = begun + TimeUnit.SECONDS.toNanos(seconds);
            long offset = 0;
            while (System.nanoTime() < end && failure.get() == null) {
                free.acquire();
                cycle(shard, offset++);
            }
            free.acquire(outstanding);
            Throwable why = failure.get();
            if (why != null) {
                throw new IllegalStateException("a cycle failed", why);
            }
            return cycles * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begun);
        }
    }

    private void cycle(Shard shard, long offset) {
        Incoming message = Incoming.of(offset, CONTENT, Attributes.NONE).to(READER, RECEIVER);
        OpenBatch batch = OpenBatch.range("first", offset, offset + 1, Set.of(READER), List.of(message), LEASE);
        shard.open(batch).thenCompose(report -> ack(shard, report)).whenComplete((result, why) -> {
            if (why != null) {
                failure.compareAndSet(null, why);
            } else if (result instanceof AckResult.Acked) {
                count();
            } else {
                failure.compareAndSet(null, new IllegalStateException("the ack was answered with " + result));
            }
            free.release();
        });
    }

    private synchronized void count() {
        cycles++;
    }

    private static CompletionStage<AckResult> ack(Shard shard, OpenReport report) {
        return shard.ack(Ack.of(report.handOuts().findFirst().orElseThrow().receipt(), RECEIVER.client()));
    }
}
