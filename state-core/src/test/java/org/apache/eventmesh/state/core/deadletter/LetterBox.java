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
package org.apache.eventmesh.state.core.deadletter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Shards;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;

/** A store of dead letters over a map, in a process that owns no partition, and letters put there by hand. */
final class LetterBox implements AutoCloseable {
    /** No partition is ours. */
    static final Shards ELSEWHERE = new Shards() {
        @Override
        public Collection<ShardLoop> owned() {
            return List.of();
        }

        @Override
        public Optional<ShardLoop> owned(Partition partition) {
            return Optional.empty();
        }

        @Override
        public ShardLoop owned(Token<Partition> token) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ShardLoop of(Token<Partition> token) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ShardLoop loop(Shard handle) {
            throw new UnsupportedOperationException();
        }
    };

    final MapEngine engine;
    final TestBackend backend;
    final DeadLetters store;
    volatile Instant now = Instant.ofEpochMilli(1_000_000);

    LetterBox() {
        this(new MapEngine());
    }

    LetterBox(MapEngine engine) {
        this.engine = engine;
        this.backend = new TestBackend(engine);
        this.store = new DeadLetters(backend.get(), new Replays(backend.get(), ELSEWHERE, () -> now));
    }

    static DeadLetterId id(String topic, long offset, String group) {
        return new DeadLetterId(new Partition(topic, 0), offset, Subscriber.group(group));
    }

    /** Puts one as a shard would, or again. */
    void put(DeadLetterId id, long deadAt) {
        put(id, deadAt, Optional.empty());
    }

    void put(DeadLetterId id, long deadAt, Optional<String> task) {
        Optional<DeadLetterRecord> replaced = engine.get(DeadLetterKey.bytes(id))
                .map(entry -> Records.DEAD_LETTER.decode(entry).record());
        DeadLetterRecord.Builder record = DeadLetterRecord.newBuilder()
                .setPayload(SharedValues.bytes(Bytes.utf8("payload")))
                .setReason("given up")
                .setDeadAtMillis(deadAt)
                .setIncarnation("map")
                .setDelivery(70_000 + id.offset());
        task.ifPresent(record::setTask);
        engine.apply(new Commit(List.of(), DeadLetterRecords.put(id, record.build(), replaced)));
    }

    DeadLetter find(DeadLetterId id) {
        return Await.result(store.find(id)).orElseThrow();
    }

    /** All pages, with what happens between them. */
    List<DeadLetterId> listed(DeadLetterFilter filter, int limit, Runnable between) {
        List<DeadLetterId> all = new ArrayList<>();
        Optional<PageRequest> next = Optional.of(PageRequest.first(limit));
        while (next.isPresent()) {
            Page<DeadLetter> page = Await.result(store.list(filter, next.get()));
            page.items().forEach(letter -> all.add(letter.id()));
            next = page.next();
            between.run();
        }
        return all;
    }

    List<DeadLetterId> listed(DeadLetterFilter filter) {
        return listed(filter, 3, () -> {});
    }

    long count(DeadLetterFilter filter) {
        return Await.result(store.count(filter));
    }

    @Override
    public void close() {
        backend.close();
    }
}
