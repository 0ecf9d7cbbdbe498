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
package org.apache.eventmesh.state.etcd;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.EtcdClient;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.etcd.client.TxnAnswer;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commit slots of this engine. They stand under a lease of their own, so that those of a process that died vanish by
 * themselves; it is long, so that no outage that anybody waits for ends it while the fate of a write is unknown. Every
 * slot is put before its first transaction: an absent one has ended, and whatever is conditioned on it never applies.
 */
final class Slots {
    private static final Logger LOG = LoggerFactory.getLogger(Slots.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A week; kept alive far more often. */
    static final long LEASE_SECONDS = TimeUnit.DAYS.toSeconds(7);

    private static final int SESSION_BYTES = 8;

    private final EtcdClient client;
    private final KeySpace keys;
    private final int count;
    private final Duration deadline;

    /** Guarded by this; under way or begun. */
    private @Nullable CompletableFuture<List<Slot>> current;

    Slots(EtcdClient client, KeySpace keys, int count, Duration deadline) {
        this.client = client;
        this.keys = keys;
        this.count = count;
        this.deadline = deadline;
    }

    /** The slots, put anew when there are none or when these have ended; the next call tries again what failed. */
    CompletionStage<List<Slot>> after(Slot.@Nullable Session ended) {
        CompletableFuture<List<Slot>> begun;
        synchronized (this) {
            if (current != null && !isOver(current, ended)) {
                return current;
            }
            begun = new CompletableFuture<>();
            current = begun;
        }
        begin().whenComplete((slots, failure) -> {
            if (failure == null) {
                begun.complete(slots);
            } else {
                begun.completeExceptionally(failure);
            }
        });
        return begun;
    }

    private static boolean isOver(CompletableFuture<List<Slot>> slots, Slot.@Nullable Session ended) {
        if (!slots.isDone()) {
            return false;
        }
        return slots.isCompletedExceptionally()
                || (ended != null && slots.join().get(0).session().equals(ended));
    }

    private CompletionStage<List<Slot>> begin() {
        byte[] random = new byte[SESSION_BYTES];
        RANDOM.nextBytes(random);
        String id = HexFormat.of().formatHex(random);
        return client.grant(LEASE_SECONDS, deadline).thenCompose(granted -> {
            Slot.Session session = new Slot.Session(id, granted.lease());
            List<Step> puts = new ArrayList<>();
            for (int number = 0; number < count; number++) {
                puts.add(new Step.Put(keys.slot(id, number), start(number), session.lease()));
            }
            return client.transact(new Txn(List.of(), puts, List.of()), deadline)
                    .thenApply(answer -> slots(session, answer.revision()));
        });
    }

    private static Bytes start(int number) {
        // not as long as an id: never taken for one
        return Bytes.of(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    private List<Slot> slots(Slot.Session session, long revision) {
        List<Slot> slots = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            slots.add(new Slot(session, number, keys.slot(session.id(), number), revision));
        }
        return List.copyOf(slots);
    }

    /** Starts the life of the lease anew, now and then. */
    void keepAlive() {
        Slot.Session session = session();
        if (session != null) {
            client.keepAliveOnce(session.lease(), deadline).whenComplete((left, failure) -> {
                if (failure != null) {
                    // for a week there is a next time
                    LOG.debug("the lease of the commit slots could not be kept alive", failure);
                }
            });
        }
    }

    /** Writes a key beside the slots that nobody reads, and that ends with them: to see whether writes are taken. */
    CompletionStage<TxnAnswer> tryToWrite(Duration patience) {
        Slot.Session session = session();
        if (session == null) {
            return CompletableFuture.failedStage(
                    new EtcdCallException(Failure.NOT_SENT, "try to write: there are no commit slots yet", null));
        }
        Step.Put put = new Step.Put(keys.slot(session.id(), count), Bytes.EMPTY, session.lease());
        return client.transact(new Txn(List.of(), List.of(put), List.of()), patience);
    }

    /** Deletes them; what is lost of them ends with the lease. */
    CompletionStage<Void> end(Duration patience) {
        Slot.Session session = session();
        return session == null ? CompletableFuture.completedStage(null) : client.revoke(session.lease(), patience);
    }

    private synchronized Slot.@Nullable Session session() {
        return current != null && current.isDone() && !current.isCompletedExceptionally()
                ? current.join().get(0).session()
                : null;
    }
}
