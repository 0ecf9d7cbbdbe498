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
import org.apache.eventmesh.state.value.Bytes;

/** The replay of a dead letter under a request key: its record, its place while it waits, its place until it is forgotten. */
public record ReplayKey(DeadLetterId id, RequestKey request) {

    public Bytes bytes() {
        return DeadLetterKey.replay(id, request);
    }

    public Bytes queued() {
        return write(KeyWriter.of(Table.REPLAY_QUEUED));
    }

    public Bytes byTime(long doneAt) {
        return write(KeyWriter.of(Table.REPLAY_BY_TIME).number(doneAt));
    }

    /** What waits for the owner of a partition. */
    public static KeyRange queuedIn(Partition partition) {
        return KeyWriter.of(Table.REPLAY_QUEUED).partition(partition).under();
    }

    public static ReplayKey readQueued(Bytes key) {
        return KeyReader.read(Table.REPLAY_QUEUED, key, ReplayKey::read);
    }

    /** What a key by time says. */
    public record Done(long at, ReplayKey key) {}

    public static Done readByTime(Bytes key) {
        return KeyReader.read(Table.REPLAY_BY_TIME, key, in -> new Done(in.number(), read(in)));
    }

    /** Results from before a time, exclusive. */
    public static KeyRange doneBefore(long until) {
        return new KeyRange(
                KeyWriter.of(Table.REPLAY_BY_TIME).key(),
                KeyWriter.of(Table.REPLAY_BY_TIME).number(until).key());
    }

    /** All that wait for owners. */
    public static KeyRange allQueued() {
        return KeyWriter.of(Table.REPLAY_QUEUED).under();
    }

    private Bytes write(KeyWriter to) {
        return to.partition(id.partition())
                .number(id.offset())
                .subscriber(id.subscriber())
                .text(request.value())
                .key();
    }

    private static ReplayKey read(KeyReader in) {
        return new ReplayKey(new DeadLetterId(in.partition(), in.number(), in.subscriber()), new RequestKey(in.text()));
    }
}
