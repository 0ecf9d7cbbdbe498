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
package org.apache.eventmesh.state.core.key;

import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/** The record of a dead letter, and the keys that list it; times are epoch milliseconds. */
public final class DeadLetterKey {
    private DeadLetterKey() {}

    /** What a key that lists a letter says of it. */
    public record Listed(long deadAt, DeadLetterId id) {}

    public static Bytes bytes(DeadLetterId id) {
        return id(KeyWriter.of(Table.DEAD_LETTER), id).key();
    }

    public static Bytes byTime(long deadAt, DeadLetterId id) {
        return id(KeyWriter.of(Table.DEAD_LETTER_BY_TIME).number(deadAt), id).key();
    }

    public static Bytes byTopic(long deadAt, DeadLetterId id) {
        return KeyWriter.of(Table.DEAD_LETTER_BY_TOPIC)
                .text(id.partition().topic())
                .number(deadAt)
                .integer(id.partition().number())
                .number(id.offset())
                .subscriber(id.subscriber())
                .key();
    }

    public static Bytes bySubscriber(long deadAt, DeadLetterId id) {
        return KeyWriter.of(Table.DEAD_LETTER_BY_SUBSCRIBER)
                .subscriber(id.subscriber())
                .number(deadAt)
                .partition(id.partition())
                .number(id.offset())
                .key();
    }

    /** Marks a letter whose new delivery is not settled. */
    public static Bytes replaying(DeadLetterId id) {
        return id(KeyWriter.of(Table.REPLAYING), id).key();
    }

    /** Marked letters of a partition. */
    public static KeyRange replayingIn(Partition partition) {
        return KeyWriter.of(Table.REPLAYING).partition(partition).under();
    }

    public static DeadLetterId readReplaying(Bytes key) {
        return KeyReader.read(Table.REPLAYING, key, DeadLetterKey::id);
    }

    /** All letters of a partition. */
    public static KeyRange in(Partition partition) {
        return KeyWriter.of(Table.DEAD_LETTER).partition(partition).under();
    }

    /** The replay of a letter under a request key. */
    public static Bytes replay(DeadLetterId id, RequestKey request) {
        return id(KeyWriter.of(Table.REPLAY), id).text(request.value()).key();
    }

    public static DeadLetterId read(Bytes key) {
        return KeyReader.read(Table.DEAD_LETTER, key, DeadLetterKey::id);
    }

    public static Listed readByTime(Bytes key) {
        return KeyReader.read(Table.DEAD_LETTER_BY_TIME, key, in -> new Listed(in.number(), id(in)));
    }

    public static Listed readByTopic(Bytes key) {
        return KeyReader.read(Table.DEAD_LETTER_BY_TOPIC, key, in -> {
            String topic = in.text();
            long deadAt = in.number();
            return new Listed(
                    deadAt, new DeadLetterId(new Partition(topic, in.integer()), in.number(), in.subscriber()));
        });
    }

    public static Listed readBySubscriber(Bytes key) {
        return KeyReader.read(Table.DEAD_LETTER_BY_SUBSCRIBER, key, in -> {
            Subscriber subscriber = in.subscriber();
            long deadAt = in.number();
            return new Listed(deadAt, new DeadLetterId(in.partition(), in.number(), subscriber));
        });
    }

    private static KeyWriter id(KeyWriter to, DeadLetterId id) {
        return to.partition(id.partition()).number(id.offset()).subscriber(id.subscriber());
    }

    private static DeadLetterId id(KeyReader in) {
        return new DeadLetterId(in.partition(), in.number(), in.subscriber());
    }
}
