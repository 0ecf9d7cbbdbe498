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
package org.apache.eventmesh.state.tck.fault;

import java.util.function.Predicate;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Which commits, or which reads, a fault hits. Counted from when the fault is armed, in the order in which they are
 * handed to the engine; only those that match are counted.
 *
 * @param keys a commit matches by a key that it changes, or conditions on if it changes none; a read by a key that it
 *     asks for; a scan by the first key of its range
 * @param first the number of the first one that is hit, from 1
 * @param times how many are hit from there on
 */
public record Which(Predicate<Bytes> keys, long first, long times) {
    /** The next one. */
    public static Which next() {
        return nth(1);
    }

    /** One alone: {@code nth(1)} is the next. */
    public static Which nth(long number) {
        return new Which(key -> true, number, 1);
    }

    /** All, until the fault is disarmed. */
    public static Which every() {
        return new Which(key -> true, 1, Long.MAX_VALUE);
    }

    /** Counts and hits only what has such a key. */
    public Which touching(Predicate<Bytes> wanted) {
        return new Which(wanted, first, times);
    }

    /** Counts and hits only what has a key in the range. */
    public Which touching(KeyRange range) {
        return touching(range::contains);
    }

    boolean matches(Commit commit) {
        return commit.changes().isEmpty()
                ? commit.conditions().stream().map(Condition::key).anyMatch(keys)
                : commit.changes().stream().map(Change::key).anyMatch(keys);
    }
}
