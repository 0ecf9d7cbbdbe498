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

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.engine.WatchEvent;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a watch has told against a listing, from time to time: a backend that drops a change and says nothing must not
 * leave a copy wrong for ever. Of what was told it keeps the revisions.
 */
final class Comparison {
    private final Map<Bytes, Long> told = new HashMap<>();
    private @Nullable Snapshot listing;

    /** Everything was told anew. */
    void replaced(NavigableMap<Bytes, Entry> all) {
        listing = null;
        told.clear();
        all.forEach((key, entry) -> told.put(key, entry.revision()));
    }

    /** A change was told. */
    void changed(WatchEvent.Changed change) {
        change.now()
                .ifPresentOrElse(entry -> told.put(change.key(), entry.revision()), () -> told.remove(change.key()));
        if (listing != null) {
            listing.add(change);
        }
    }

    /** A listing begins. */
    void begin() {
        listing = new Snapshot();
    }

    /** The listing under way came to nothing. */
    void stop() {
        listing = null;
    }

    boolean isUnderWay() {
        return listing != null;
    }

    void add(Slice page) {
        if (listing != null) {
            listing.add(page);
        }
    }

    /**
     * All changes up to this revision were told.
     *
     * @return a record in which the listing, which is complete with this, differs from what was told
     */
    Optional<String> reached(long revision) {
        Snapshot open = listing;
        if (open == null) {
            return Optional.empty();
        }
        open.reached(revision);
        if (!open.consistent()) {
            return Optional.empty();
        }
        listing = null;
        // what came after it was told as well
        NavigableMap<Bytes, Entry> all = open.latest();
        return told.keySet().stream()
                .filter(key -> !all.containsKey(key))
                .findFirst()
                .or(() -> all.values().stream()
                        .filter(entry -> told.getOrDefault(entry.key(), 0L) != entry.revision())
                        .map(Entry::key)
                        .findFirst())
                .map(KeyText::of);
    }
}
