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
package org.apache.eventmesh.state.core.subscription;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.eventmesh.state.core.proto.SubscriptionRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.Subscription;

/** A registration as it is stored, and as callers see it. */
final class SubscriptionRecords {
    private SubscriptionRecords() {}

    /** Written over what was there: fields of a newer version are carried along. Equal when nothing changes. */
    static SubscriptionRecord record(
            Optional<SubscriptionRecord> before, Interest interest, Token<ClientId> client, long now) {
        SubscriptionRecord.Builder record = before.map(SubscriptionRecord::toBuilder)
                .orElseGet(SubscriptionRecord::newBuilder)
                .setMode(mode(interest.mode()))
                .setSubscriber(SharedValues.subscriber(interest.subscriber()))
                .clearFilter()
                .setAttributes(SharedValues.attributes(interest.attributes()))
                .setClientEpoch(client.epoch())
                .setInstance(client.holder().instance());
        interest.filter().ifPresent(record::setFilter);
        boolean same = before.isPresent() && before.get().equals(record.build());
        return same ? record.build() : record.setRegisteredAtMillis(now).build();
    }

    /** Empty when absent, and when it cannot be decoded: a registration over it, and its removal, are the way out. */
    static Optional<SubscriptionRecord> readable(Optional<Entry> entry) {
        try {
            return entry.map(Records.SUBSCRIPTION::decode).map(Stored::record);
        } catch (CorruptStateException e) {
            return Optional.empty();
        }
    }

    /**
     * The registration.
     *
     * @throws org.apache.eventmesh.state.failure.CorruptStateException when it cannot be decoded
     */
    static Subscription subscription(Entry entry) {
        return subscription(Records.SUBSCRIPTION.decode(entry));
    }

    static Subscription subscription(Stored<SubscriptionRecord> stored) {
        return SharedValues.value(stored, SubscriptionRecords::made);
    }

    /** Of what the caller gives besides identifiers. */
    static int size(Interest interest) {
        return SharedValues.attributes(interest.attributes()).getSerializedSize()
                + interest.filter()
                        .map(text -> text.getBytes(StandardCharsets.UTF_8).length)
                        .orElse(0);
    }

    private static Subscription made(Stored<SubscriptionRecord> stored) {
        SubscriptionKey key = SubscriptionKey.read(stored.key());
        SubscriptionRecord record = stored.record();
        Interest interest = new Interest(
                key.topic(),
                mode(record.getMode()),
                SharedValues.subscriber(record.getSubscriber()),
                record.hasFilter() ? Optional.of(record.getFilter()) : Optional.empty(),
                SharedValues.attributes(record.getAttributes()));
        return new Subscription(interest, new Receiver(key.client(), record.getClientEpoch(), record.getInstance()));
    }

    private static SubscriptionRecord.Mode mode(Interest.Mode mode) {
        return switch (mode) {
            case LOAD_BALANCE -> SubscriptionRecord.Mode.LOAD_BALANCE;
            case BROADCAST -> SubscriptionRecord.Mode.BROADCAST;
            case MULTICAST -> SubscriptionRecord.Mode.MULTICAST;
        };
    }

    private static Interest.Mode mode(SubscriptionRecord.Mode mode) {
        return switch (mode) {
            case LOAD_BALANCE -> Interest.Mode.LOAD_BALANCE;
            case BROADCAST -> Interest.Mode.BROADCAST;
            case MULTICAST -> Interest.Mode.MULTICAST;
            case MODE_UNSPECIFIED, UNRECOGNIZED ->
                throw new IllegalArgumentException("a registration has a mode that this version does not know");
        };
    }
}
