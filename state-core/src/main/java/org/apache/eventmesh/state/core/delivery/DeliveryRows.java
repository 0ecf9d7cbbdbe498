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

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.key.DeliveryKey;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.core.read.Row;
import org.apache.eventmesh.state.core.read.Rows;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardKeys;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.value.Bytes;

/** Open deliveries as they were scanned, each with the payload of its message. */
record DeliveryRows(DeliveryFilter filter, String incarnation) implements Rows<Delivery> {

    @Override
    public CompletionStage<List<Row<Delivery>>> of(List<Entry> scanned, Backend backend) {
        Set<Bytes> messages = new LinkedHashSet<>();
        for (Entry entry : scanned) {
            try {
                if (wanted(entry).isPresent()) {
                    messages.add(message(entry));
                }
            } catch (StateStoreException e) {
                // its row says so
            }
        }
        return backend.read(messages).thenCompose(found -> {
            Map<Bytes, Entry> payloads = new HashMap<>();
            found.forEach(payload -> payloads.put(payload.key(), payload));
            return settledMeanwhile(scanned, payloads, backend)
                    .thenApply(settled -> scanned.stream()
                            .map(entry -> settled.contains(entry.key())
                                    ? new Row<Delivery>(
                                            entry.key(), entry.key().size(), Optional.empty(), Optional.empty())
                                    : row(entry, payloads))
                            .toList());
        });
    }

    /** A message goes with its last delivery; so one that is not there may be no damage. */
    private CompletionStage<Set<Bytes>> settledMeanwhile(
            List<Entry> scanned, Map<Bytes, Entry> payloads, Backend backend) {
        Set<Bytes> doubtful = new LinkedHashSet<>();
        for (Entry entry : scanned) {
            try {
                if (wanted(entry).isPresent() && !payloads.containsKey(message(entry))) {
                    doubtful.add(entry.key());
                }
            } catch (StateStoreException e) {
                // its row says so
            }
        }
        if (doubtful.isEmpty()) {
            return CompletableFuture.completedStage(doubtful);
        }
        return backend.read(doubtful).thenApply(still -> {
            still.forEach(entry -> doubtful.remove(entry.key()));
            return doubtful;
        });
    }

    private Row<Delivery> row(Entry entry, Map<Bytes, Entry> payloads) {
        int bytes = entry.key().size() + entry.value().size();
        Row<OpenDelivery> open = Row.of(entry.key(), entry.key(), bytes, () -> wanted(entry));
        if (open.item().isEmpty()) {
            return new Row<>(entry.key(), bytes, Optional.empty(), open.unreadable());
        }
        Bytes message = message(entry);
        Entry payload = payloads.get(message);
        int all = bytes + (payload == null ? 0 : payload.value().size());
        return Row.of(
                entry.key(),
                message,
                all,
                () -> Optional.of(told(open.item().get(), message, Optional.ofNullable(payload))));
    }

    /** Empty when the filter does not want it, as far as its key and its record tell. */
    private Optional<OpenDelivery> wanted(Entry entry) {
        DeliveryKey key = DeliveryKey.read(entry.key());
        if (!filter.subscriber().map(key.subscriber()::equals).orElse(true)) {
            return Optional.empty();
        }
        OpenDelivery delivery = OpenDelivery.read(key, entry);
        return filter.heldBy()
                        .map(client -> delivery.receiver()
                                .map(Receiver::client)
                                .filter(client::equals)
                                .isPresent())
                        .orElse(true)
                ? Optional.of(delivery)
                : Optional.empty();
    }

    private Delivery told(OpenDelivery delivery, Bytes messageKey, Optional<Entry> payload) {
        DeliveryId id = new DeliveryId(delivery.key().partition(), incarnation, delivery.number());
        return Messages.told(
                id,
                delivery,
                payload.map(Records.MESSAGE::decode)
                        .orElseThrow(() -> missing(messageKey))
                        .record());
    }

    static CorruptStateException missing(Bytes messageKey) {
        return new CorruptStateException("Record " + KeyText.of(messageKey)
                + " is missing while a delivery of it is open; discard the delivery or restore a backup");
    }

    private static Bytes message(Entry entry) {
        DeliveryKey key = DeliveryKey.read(entry.key());
        return ShardKeys.message(key.partition(), key.message());
    }
}
