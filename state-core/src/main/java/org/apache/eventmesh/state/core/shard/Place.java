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

import java.util.Optional;
import org.apache.eventmesh.state.core.proto.ProgressRecord;

/**
 * Where a subscriber stands in the partition; its position follows from this and from what is open.
 *
 * @param stored as it was last read or made; its position may lag behind
 */
public record Place(ProgressRecord stored) {
    /** A new entry. */
    public static Place entered(long entry, Optional<String> generation, long cursor) {
        ProgressRecord.Builder stored =
                ProgressRecord.newBuilder().setEntry(entry).setCursor(cursor);
        generation.ifPresent(stored::setGeneration);
        return new Place(stored.build());
    }

    /** Which entry of the subscriber this is. */
    public long entry() {
        return stored.getEntry();
    }

    /** The life of the topic that the cursor belongs to; empty when it was only advanced or reset so far. */
    public Optional<String> generation() {
        return stored.hasGeneration() ? Optional.of(stored.getGeneration()) : Optional.empty();
    }

    /** The next offset to read. */
    public long cursor() {
        return stored.getCursor();
    }

    public Place at(long cursor) {
        return cursor == cursor()
                ? this
                : new Place(stored.toBuilder().setCursor(cursor).build());
    }

    public Place in(String generation) {
        return new Place(stored.toBuilder().setGeneration(generation).build());
    }

    ProgressRecord record(long position) {
        return stored.toBuilder().setPosition(position).build();
    }
}
