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
package org.apache.eventmesh.state.core.shard;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.eventmesh.state.core.key.DeliveryKind;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.id.Subscriber;
import org.jspecify.annotations.Nullable;

/** A subscriber in the index: its place, and what is open for it. */
public final class Reader {
    private static final long NOWHERE = -1;

    private final Subscriber subscriber;

    private @Nullable Place place;
    private @Nullable StateStoreException damage;

    /** By number, so that the oldest is first. */
    private final TreeMap<Long, OpenDelivery> open = new TreeMap<>();

    /** By offset. */
    private final TreeMap<Long, OpenDelivery> ordered = new TreeMap<>();

    /** By offset. */
    private final Map<Long, OpenDelivery> unordered = new HashMap<>();

    /** The position that the last applied commit left in the record. */
    private long written = -1;

    Reader(Subscriber subscriber) {
        this.subscriber = subscriber;
    }

    public Subscriber subscriber() {
        return subscriber;
    }

    /** Empty when it was never served, or withdrawn. */
    public Optional<Place> place() {
        return Optional.ofNullable(place);
    }

    /** Why its progress cannot be read; then nothing may move it, and the watermark stays where it is. */
    public Optional<StateStoreException> damage() {
        return Optional.ofNullable(damage);
    }

    /** The next offset to deliver; empty when it was never served. */
    public OptionalLong position() {
        return place == null
                ? OptionalLong.empty()
                : OptionalLong.of(Math.min(lowestOpen().orElse(Long.MAX_VALUE), place.cursor()));
    }

    /** Of the deliveries that hold its position back. */
    public OptionalLong lowestOpen() {
        return ordered.isEmpty() ? OptionalLong.empty() : OptionalLong.of(ordered.firstKey());
    }

    /** How many deliveries hold its position back. */
    public int orderedOpen() {
        return ordered.size();
    }

    /** What is open of an offset of the broker; null when nothing is. */
    public @Nullable OpenDelivery openAt(long offset, DeliveryKind kind) {
        return kind == DeliveryKind.ORDERED ? ordered.get(offset) : unordered.get(offset);
    }

    /** All that is open, of any kind, oldest first. */
    public NavigableMap<Long, OpenDelivery> open() {
        return open;
    }

    /**
     * Where it holds the watermark, negative when nowhere: a delivery holds it although its subscriber's entry has ended.
     */
    long held() {
        if (damage != null) {
            return 0;
        }
        long lowest = ordered.isEmpty() ? Long.MAX_VALUE : ordered.firstKey();
        long end = place == null ? Long.MAX_VALUE : place.cursor();
        long held = Math.min(lowest, end);
        return held == Long.MAX_VALUE ? NOWHERE : held;
    }

    long cursor() {
        return place == null ? NOWHERE : place.cursor();
    }

    /** @param why its progress cannot be read; null when it can, or there is none */
    void place(@Nullable Place now, @Nullable StateStoreException why) {
        place = now;
        damage = why;
    }

    void damaged(StateStoreException why) {
        damage = why;
    }

    void add(OpenDelivery delivery) {
        open.put(delivery.number(), delivery);
        if (delivery.key().kind() == DeliveryKind.ORDERED) {
            ordered.put(delivery.offset(), delivery);
        } else if (delivery.key().kind() == DeliveryKind.UNORDERED) {
            unordered.put(delivery.offset(), delivery);
        }
    }

    void remove(OpenDelivery delivery) {
        open.remove(delivery.number());
        if (delivery.key().kind() == DeliveryKind.ORDERED) {
            ordered.remove(delivery.offset());
        } else if (delivery.key().kind() == DeliveryKind.UNORDERED) {
            unordered.remove(delivery.offset());
        }
    }

    boolean forgotten() {
        return place == null && damage == null && open.isEmpty();
    }

    long written() {
        return written;
    }

    void written(long position) {
        written = position;
    }
}
