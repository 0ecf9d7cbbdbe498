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
package org.apache.eventmesh.state.core.record;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import java.util.function.Function;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** What several records share, as it stands on disk and as callers see it. */
public final class SharedValues {
    private SharedValues() {}

    /**
     * A record as the value that a caller gets.
     *
     * @throws CorruptStateException when it can be parsed and still holds what no such value may
     */
    public static <M extends Message, T> T value(Stored<M> stored, Function<Stored<M>, T> conversion) {
        try {
            return conversion.apply(stored);
        } catch (IllegalArgumentException e) {
            throw new CorruptStateException(
                    "Record " + KeyText.of(stored.key()) + " is no value of its kind: " + e.getMessage()
                            + "; it was left as it is, restore it from a backup or discard it",
                    e);
        }
    }

    /**
     * Refuses what is larger than a record may hold.
     *
     * @param what for the message
     * @param size in bytes
     * @throws LimitExceededException when it is too large
     */
    public static void checkSize(String what, int size, int limit) {
        if (size > limit) {
            throw new LimitExceededException(
                    what + " have " + size + " bytes; the limit is " + limit + ", nothing was written: give less");
        }
    }

    public static Attributes attributes(org.apache.eventmesh.state.core.proto.Attributes stored) {
        return new Attributes(stored.getValuesMap());
    }

    public static org.apache.eventmesh.state.core.proto.Attributes attributes(Attributes given) {
        return org.apache.eventmesh.state.core.proto.Attributes.newBuilder()
                .putAllValues(given.values())
                .build();
    }

    public static Subscriber subscriber(org.apache.eventmesh.state.core.proto.Subscriber stored) {
        return switch (stored.getKindCase()) {
            case GROUP -> new Subscriber.Group(stored.getGroup());
            case CLIENT -> new Subscriber.Single(new ClientId(stored.getClient()));
            case KIND_NOT_SET ->
                throw new IllegalArgumentException("a subscriber is of no kind that this version knows");
        };
    }

    public static org.apache.eventmesh.state.core.proto.Subscriber subscriber(Subscriber given) {
        org.apache.eventmesh.state.core.proto.Subscriber.Builder stored =
                org.apache.eventmesh.state.core.proto.Subscriber.newBuilder();
        if (given instanceof Subscriber.Group group) {
            stored.setGroup(group.name());
        } else {
            stored.setClient(((Subscriber.Single) given).client().value());
        }
        return stored.build();
    }

    public static Receiver receiver(org.apache.eventmesh.state.core.proto.Receiver stored) {
        return new Receiver(new ClientId(stored.getClient()), stored.getSessionEpoch(), stored.getInstance());
    }

    public static org.apache.eventmesh.state.core.proto.Receiver receiver(Receiver given) {
        return org.apache.eventmesh.state.core.proto.Receiver.newBuilder()
                .setClient(given.client().value())
                .setSessionEpoch(given.sessionEpoch())
                .setInstance(given.instance())
                .build();
    }

    public static Bytes bytes(ByteString stored) {
        return Bytes.of(stored.toByteArray());
    }

    /** Without a copy: both are immutable. */
    public static ByteString bytes(Bytes given) {
        return UnsafeByteOperations.unsafeWrap(given.buffer());
    }
}
