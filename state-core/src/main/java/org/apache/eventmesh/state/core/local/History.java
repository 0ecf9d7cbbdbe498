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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.WatchEvent.Changed;

/**
 * The latest changes in the order of their revisions, bounded by number and size. All watches read from here, each at
 * its own pace, so a slow one costs nothing but its own place.
 */
final class History {
    /** What follows a revision; {@code upTo} is the revision that it reaches, {@code more} whether there is more. */
    record Part(List<Changed> changes, long upTo, boolean more) {}

    private static final long NOTHING = Long.MAX_VALUE;

    private final HistoryBounds bounds;
    private final NavigableMap<Long, List<Change>> commits = new TreeMap<>();

    /** Every change after it is held. */
    private long floor = NOTHING;

    private long published;
    private int changes;
    private long bytes;

    /** Holds nothing yet; {@link #beginAt} says from where on it will. */
    History(HistoryBounds bounds) {
        this.bounds = bounds;
    }

    /** Everything after this revision will be appended. */
    synchronized void beginAt(long revision) {
        floor = revision;
        published = Math.max(published, revision);
    }

    /** Drops all, and holds nothing until {@link #beginAt}. */
    synchronized void forget() {
        commits.clear();
        floor = NOTHING;
        changes = 0;
        bytes = 0;
    }

    synchronized boolean isForgotten() {
        return floor == NOTHING;
    }

    /** The next revision that changed something; called in ascending order. */
    synchronized void append(long revision, List<Change> made) {
        if (revision <= floor) {
            return;
        }
        published = Math.max(published, revision);
        commits.put(revision, made);
        changes += made.size();
        bytes += size(made);
        // the newest commit stays even where it alone is larger than the bounds: somebody waits for it
        while (bounds.exceededBy(changes, bytes) && commits.size() > 1) {
            Map.Entry<Long, List<Change>> oldest = commits.firstEntry();
            commits.remove(oldest.getKey());
            floor = oldest.getKey();
            changes -= oldest.getValue().size();
            bytes -= size(oldest.getValue());
        }
    }

    /** Whatever was changed up to this revision has been appended. */
    synchronized void reached(long revision) {
        published = Math.max(published, revision);
    }

    synchronized long reached() {
        return published;
    }

    /** Whole commits after a revision, about {@code max} changes; empty when some of them are not held any more. */
    synchronized Optional<Part> after(long revision, int max) {
        if (revision < floor) {
            return Optional.empty();
        }
        List<Changed> found = new ArrayList<>();
        for (Map.Entry<Long, List<Change>> commit :
                commits.tailMap(revision, false).entrySet()) {
            if (found.size() >= max) {
                return Optional.of(new Part(found, found.get(found.size() - 1).revision(), true));
            }
            commit.getValue().forEach(change -> found.add(changed(commit.getKey(), change)));
        }
        return Optional.of(new Part(found, Math.max(revision, published), false));
    }

    private static Changed changed(long revision, Change change) {
        return new Changed(
                revision,
                change.key(),
                change instanceof Change.Put put
                        ? Optional.of(new Entry(put.key(), put.value(), revision))
                        : Optional.empty());
    }

    static long size(List<Change> changes) {
        long size = 0;
        for (Change change : changes) {
            size += change.key().size()
                    + (change instanceof Change.Put put ? put.value().size() : 0);
        }
        return size;
    }
}
