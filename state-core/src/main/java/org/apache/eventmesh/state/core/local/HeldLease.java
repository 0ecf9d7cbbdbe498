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
package org.apache.eventmesh.state.core.local;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.apache.eventmesh.state.value.Bytes;

/** What the lease table knows of a lease; guarded by the table. */
final class HeldLease {
    final long id;
    final long timeToLive;
    long due;
    boolean ended;

    /** The keys under it, each with the revision of the put that brought it there. */
    final Map<Bytes, Long> keys = new HashMap<>();

    /** Keys of puts that are not decided, with their number. */
    final Map<Bytes, Integer> underWay = new HashMap<>();

    /** After the end: whether its keys are being deleted, and who waits for that. */
    boolean deleting;

    CompletableFuture<Void> gone = new CompletableFuture<>();

    HeldLease(long id, long timeToLive, long due) {
        this.id = id;
        this.timeToLive = timeToLive;
        this.due = due;
    }

    boolean holds(Predicate<Bytes> asked) {
        return keys.keySet().stream().anyMatch(asked)
                || underWay.keySet().stream().anyMatch(asked);
    }

    void enter(Bytes key) {
        underWay.merge(key, 1, Integer::sum);
    }

    void leave(Bytes key) {
        underWay.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1);
    }
}
