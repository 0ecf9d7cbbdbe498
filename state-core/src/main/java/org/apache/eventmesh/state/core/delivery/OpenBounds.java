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

import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.record.LetterRoom;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.value.Attributes;

/** Sizes that are checked before anything is written. */
final class OpenBounds {
    /** Of a broker handle, in bytes: the index keeps that of every fan-out that is not confirmed in memory. */
    private static final int HANDLE = 64 << 10;

    private OpenBounds() {}

    /** @param commit bytes that one commit with its dead letter may hold, in whichever backend */
    static Optional<LimitExceededException> exceeded(Incoming message, StoreLimits limits, int commit) {
        int limit = limits.payloadBytes();
        if (message.payload().size() > limit) {
            return Optional.of(new LimitExceededException("the payload of offset " + message.offset() + " has "
                    + message.payload().size() + " bytes, the limit is " + limit
                    + "; it was not opened: raise payloadBytes, or step over it with a reset"));
        }
        long attributes = bytes(message.attributes());
        if (attributes > limit) {
            return Optional.of(new LimitExceededException("the attributes of offset " + message.offset() + " have "
                    + attributes + " bytes, the limit is " + limit
                    + "; it was not opened: raise payloadBytes, or step over it with a reset"));
        }
        int handle = message.brokerHandle().map(each -> each.handle().size()).orElse(0);
        if (handle > HANDLE) {
            return Optional.of(new LimitExceededException("the broker handle of offset " + message.offset() + " has "
                    + handle + " bytes, the limit is " + HANDLE
                    + "; it was not opened: give a shorter one, by which the message is found at the broker"));
        }
        // what could not be given up would hold its subscriber for ever
        int most = commit - LetterRoom.of(commit);
        long together = message.payload().size() + attributes + handle;
        if (together > most) {
            return Optional.of(new LimitExceededException("payload, attributes and broker handle of offset "
                    + message.offset() + " have " + together + " bytes; one write to the backend takes "
                    + most + " of them beside what a dead letter adds; it was not opened: step over it with a reset"));
        }
        return Optional.empty();
    }

    /** In UTF-8, at most. */
    static long bytes(Attributes attributes) {
        long bytes = 0;
        for (Map.Entry<String, String> attribute : attributes.values().entrySet()) {
            bytes += utf8(attribute.getKey()) + utf8(attribute.getValue());
        }
        return bytes;
    }

    static long utf8(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // each half of a pair is two of its four bytes
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
