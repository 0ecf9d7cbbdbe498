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

import org.apache.eventmesh.state.core.proto.ShardRecord;

/**
 * The one ascending sequence of a shard: numbers of deliveries and messages, entries of subscribers, hand-out epochs.
 * Reserved durably in blocks before any of them is told, so that none is ever used twice, whatever else was lost.
 */
final class Numbers {
    private static final long BLOCK = 1 << 18;

    private final long first;
    private ShardRecord stored;
    private long next;
    private long reserved;

    /** Of the record as it was read; a loaded shard begins a block of its own. */
    Numbers(ShardRecord stored) {
        this.stored = stored;
        this.next = Math.max(1, stored.getNextNumber());
        this.reserved = next;
        this.first = next;
    }

    /** All that it gives are this or greater; all that were ever used before are less. */
    long first() {
        return first;
    }

    long take() {
        if (next == reserved) {
            reserved += BLOCK;
        }
        return next++;
    }

    /** Makes sure that the next one is reserved. */
    void begin() {
        if (next == reserved) {
            reserved += BLOCK;
        }
    }

    /** Whether the next commit has to write {@link #record}. */
    boolean reserving() {
        return reserved > stored.getNextNumber();
    }

    ShardRecord record() {
        return stored.toBuilder().setNextNumber(reserved).build();
    }

    /** {@link #record} was committed. */
    void committed() {
        stored = record();
    }

    /** It was not. Numbers taken meanwhile were told to nobody, and are not used again all the same. */
    void failed() {
        reserved = Math.max(next, stored.getNextNumber());
    }
}
