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

import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;

/** Where the records of a shard stand, beside those that have a key type of their own. */
public final class ShardKeys {
    private ShardKeys() {}

    public static Bytes shard(Partition partition) {
        return KeyWriter.of(Table.SHARD).partition(partition).key();
    }

    public static Bytes message(Partition partition, long message) {
        return KeyWriter.of(Table.MESSAGE).partition(partition).number(message).key();
    }

    public static Bytes fanOut(Partition partition, long offset) {
        return KeyWriter.of(Table.FAN_OUT).partition(partition).number(offset).key();
    }

    public static Bytes mark(Partition partition, long number) {
        return KeyWriter.of(Table.MARK).partition(partition).number(number).key();
    }

    public static Bytes markByMessage(Partition partition, long offset, Subscriber subscriber) {
        return KeyWriter.of(Table.MARK_BY_MESSAGE)
                .partition(partition)
                .number(offset)
                .subscriber(subscriber)
                .key();
    }

    public static Bytes outstanding(Partition partition, long number) {
        return KeyWriter.of(Table.OUTSTANDING)
                .partition(partition)
                .number(number)
                .key();
    }

    public static Bytes deadBefore(Partition partition, Subscriber subscriber, long offset) {
        return KeyWriter.of(Table.DEAD_BEFORE)
                .partition(partition)
                .subscriber(subscriber)
                .number(offset)
                .key();
    }

    /** All keys of a table that belong to a partition. */
    static KeyRange all(Table table, Partition partition) {
        return KeyWriter.of(table).partition(partition).under();
    }

    /** The keys of one delivery number: at most one. */
    public static KeyRange delivery(Partition partition, long number) {
        return KeyWriter.of(Table.DELIVERY).partition(partition).number(number).under();
    }
}
