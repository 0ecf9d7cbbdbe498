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
package org.apache.eventmesh.state.core.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A table as it was at one revision, from pages that were read at several: the changes after the first page are laid over the
 * pages, up to the revision of the last one.
 */
final class Snapshot {
    private static final long NOT_YET = Long.MAX_VALUE;

    private final NavigableMap<Bytes, Entry> entries = new TreeMap<>();

    /** A page that is older than the deletion of a key must not bring it back. */
    private final Map<Bytes, Long> deleted = new HashMap<>();

    /** Of revisions that more changes may belong to: half of a commit is no state that the table was in. */
    private final Deque<WatchEvent.Changed> ahead = new ArrayDeque<>();

    private long reached;
    private long needed = NOT_YET;

    void add(Slice page) {
        page.entries().forEach(this::put);
        if (!page.more()) {
            needed = page.revision();
        }
    }

    void add(WatchEvent.Changed change) {
        ahead.add(change);
        reached(reached);
    }

    /** All changes up to this revision are in. */
    void reached(long revision) {
        reached = Math.max(reached, revision);
        while (!ahead.isEmpty() && ahead.element().revision() <= reached) {
            WatchEvent.Changed change = ahead.remove();
            change.now().ifPresentOrElse(this::put, () -> delete(change.key(), change.revision()));
        }
    }

    /** Changes that came already and are not in the state; they go behind it, in order. */
    List<WatchEvent.Changed> ahead() {
        return List.copyOf(ahead);
    }

    /** Whether it is a state that the table was in. */
    boolean consistent() {
        return reached >= needed;
    }

    /** Every change up to this revision is in. */
    long revision() {
        return reached;
    }

    NavigableMap<Bytes, Entry> entries() {
        return entries;
    }

    /** With what is ahead laid over it, which ends it: half of a commit may be in, and no more can be added. */
    NavigableMap<Bytes, Entry> latest() {
        reached(Long.MAX_VALUE);
        return entries;
    }

    private void put(Entry entry) {
        if (deleted.getOrDefault(entry.key(), 0L) < entry.revision()) {
            entries.merge(entry.key(), entry, (a, b) -> a.revision() >= b.revision() ? a : b);
        }
    }

    private void delete(Bytes key, long revision) {
        deleted.merge(key, revision, Math::max);
        entries.computeIfPresent(key, (k, entry) -> entry.revision() <= revision ? null : entry);
    }
}
