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

import java.util.Optional;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The keys through which the letters of a filter are found, in order of time: of the subscriber if one is named, else of
 * the topic, else all. The keys say what else the filter asks for, so no letter is read that is not wanted.
 */
record DeadLetterPath(DeadLetterFilter filter) {
    /** From the filter's beginning to its end. */
    KeyRange all() {
        return new KeyRange(from(), prefix().end());
    }

    /** The part before a time, exclusive. */
    KeyRange before(long until) {
        Bytes end = prefix().number(until).key();
        Bytes from = from();
        return new KeyRange(from, from.compareTo(end) > 0 ? from : end);
    }

    DeadLetterKey.Listed read(Bytes key) {
        return switch (table()) {
            case DEAD_LETTER_BY_SUBSCRIBER -> DeadLetterKey.readBySubscriber(key);
            case DEAD_LETTER_BY_TOPIC -> DeadLetterKey.readByTopic(key);
            default -> DeadLetterKey.readByTime(key);
        };
    }

    boolean wants(DeadLetterKey.Listed listed) {
        return filter.topic().map(listed.id().partition().topic()::equals).orElse(true)
                && filter.subscriber().map(listed.id().subscriber()::equals).orElse(true);
    }

    private Bytes from() {
        return prefix().number(filter.since().map(Millis::from).orElse(0L)).key();
    }

    private Table table() {
        if (filter.subscriber().isPresent()) {
            return Table.DEAD_LETTER_BY_SUBSCRIBER;
        }
        return filter.topic().isPresent() ? Table.DEAD_LETTER_BY_TOPIC : Table.DEAD_LETTER_BY_TIME;
    }

    /** Anew for each use: what is written to it stays. */
    private KeyWriter prefix() {
        KeyWriter prefix = KeyWriter.of(table());
        Optional<Subscriber> subscriber = filter.subscriber();
        if (subscriber.isPresent()) {
            prefix.subscriber(subscriber.get());
        } else {
            filter.topic().ifPresent(prefix::text);
        }
        return prefix;
    }
}
