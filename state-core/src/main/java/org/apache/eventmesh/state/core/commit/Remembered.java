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
package org.apache.eventmesh.state.core.commit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The entries that this store set saw last, so that a write need not read what it conditions on: with a remote engine
 * that saves one of two round trips. An entry may be out of date: a commit that relies on one must condition on it, and an
 * answer without a commit must look again. Bounded by bytes; the longest unused go first.
 */
final class Remembered {
    /** What an entry costs beside its key and value, about: the map's node, the entry, two headers of bytes. */
    private static final int OVERHEAD = 200;

    private final long maxBytes;
    private final int maxEntryBytes;

    /** Guarded by this; in the order of use. */
    private final Map<Bytes, Optional<Entry>> entries = new LinkedHashMap<>(64, 0.75f, true);

    /** Guarded by this. */
    private long bytes;

    /**
     * Remembers nothing yet.
     *
     * @param maxBytes of keys, values and what keeps them, about
     * @param maxEntryBytes larger ones are not kept: they would push many small ones out
     */
    Remembered(long maxBytes, int maxEntryBytes) {
        this.maxBytes = maxBytes;
        this.maxEntryBytes = maxEntryBytes;
    }

    /** All of these, present or absent; empty when one of them is not known. */
    synchronized Optional<List<Entry>> all(Collection<Bytes> keys) {
        List<Entry> found = new ArrayList<>(keys.size());
        for (Bytes key : keys) {
            Optional<Entry> entry = entries.get(key);
            if (entry == null) {
                return Optional.empty();
            }
            entry.ifPresent(found::add);
        }
        return Optional.of(found);
    }

    /** These were read: what was not found is absent. */
    synchronized void read(Collection<Bytes> keys, Collection<Entry> found) {
        keys.forEach(key -> put(key, Optional.empty()));
        found.forEach(entry -> put(entry.key(), Optional.of(entry)));
        trim();
    }

    /** These were committed. */
    synchronized void written(Collection<Change> changes, long revision) {
        for (Change change : changes) {
            put(
                    change.key(),
                    change instanceof Change.Put put
                            ? Optional.of(new Entry(put.key(), put.value(), revision))
                            : Optional.empty());
        }
        trim();
    }

    /** Those that are not known are taken for absent. */
    synchronized void expectAbsent(Collection<Bytes> keys) {
        for (Bytes key : keys) {
            if (!entries.containsKey(key)) {
                put(key, Optional.empty());
            }
        }
        trim();
    }

    /** These are about to change, or were not. */
    synchronized void forget(Collection<Change> changes) {
        changes.forEach(change -> remove(change.key()));
    }

    private void remove(Bytes key) {
        Optional<Entry> before = entries.remove(key);
        if (before != null) {
            bytes -= size(key, before);
        }
    }

    private void put(Bytes key, Optional<Entry> now) {
        remove(key);
        int size = size(key, now);
        if (size <= maxEntryBytes) {
            entries.put(key, now);
            bytes += size;
        }
    }

    private void trim() {
        Iterator<Map.Entry<Bytes, Optional<Entry>>> longestUnused =
                entries.entrySet().iterator();
        while (bytes > maxBytes && longestUnused.hasNext()) {
            Map.Entry<Bytes, Optional<Entry>> gone = longestUnused.next();
            bytes -= size(gone.getKey(), gone.getValue());
            longestUnused.remove();
        }
    }

    private static int size(Bytes key, Optional<Entry> entry) {
        return OVERHEAD + key.size() + entry.map(there -> there.value().size()).orElse(0);
    }
}
