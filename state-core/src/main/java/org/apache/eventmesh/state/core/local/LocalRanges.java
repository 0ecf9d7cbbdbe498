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

import java.util.List;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;

/**
 * What the engine must know of the key space to keep leases and watches for it.
 *
 * @param leased where keys stand under leases; cleared when the engine is opened, since no lease outlives the process
 * @param watched where watches are allowed, and whose changes are therefore remembered; empty: everywhere. Name them
 *     where other keys change often: a watch must start before what it missed is forgotten
 */
public record LocalRanges(List<KeyRange> leased, List<KeyRange> watched) {
    /** Nothing is cleared, everything can be watched. */
    public static final LocalRanges ANYTHING = new LocalRanges(List.of(), List.of());

    public LocalRanges {
        leased = List.copyOf(leased);
        watched = List.copyOf(watched);
    }

    /** Those of the changes that a watch may ask for. */
    List<Change> remembered(List<Change> changes) {
        return watched.isEmpty()
                ? changes
                : changes.stream().filter(change -> remembers(change.key())).toList();
    }

    private boolean remembers(Bytes key) {
        return watched.stream().anyMatch(range -> range.contains(key));
    }

    boolean remembers(KeyRange asked) {
        return watched.isEmpty()
                || watched.stream()
                        .anyMatch(range -> range.from().compareTo(asked.from()) <= 0
                                && asked.to().compareTo(range.to()) <= 0);
    }
}
