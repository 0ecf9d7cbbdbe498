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
package org.apache.eventmesh.state.core.home;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.value.Bytes;

/** Where it stands which host a shard is at home on, and what a host has of it. */
final class HomeKeys {
    /**
     * What a host discards. The shard record stays, so that no number is used twice; and so does the home record, which
     * says how far the discarding is.
     */
    private static final List<Table> PRIVATE = List.of(
            Table.PROGRESS,
            Table.DELIVERY,
            Table.MESSAGE,
            Table.FAN_OUT,
            Table.MARK,
            Table.MARK_BY_MESSAGE,
            Table.OUTSTANDING,
            Table.DEAD_BEFORE);

    private HomeKeys() {}

    static Bytes home(Partition partition) {
        return KeyWriter.of(Table.SHARD_HOME).partition(partition).key();
    }

    /** The key that lists a private record elsewhere; empty when there is none, or nobody can tell. */
    static Optional<Bytes> listing(Bytes key) {
        if (key.buffer().get(0) != (byte) Table.PROGRESS.number()) {
            return Optional.empty();
        }
        try {
            return Optional.of(ProgressKey.read(key).bySubscriber());
        } catch (CorruptStateException e) {
            return Optional.empty();
        }
    }

    static List<KeyRange> privateTo(Partition partition) {
        return PRIVATE.stream()
                .map(table -> KeyWriter.of(table).partition(partition).under())
                .toList();
    }
}
