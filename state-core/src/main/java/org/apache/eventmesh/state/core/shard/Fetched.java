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

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;

/** The records that one read brought for a batch; absent ones are known to be absent. */
final class Fetched {
    static final Fetched NOTHING = new Fetched(List.of(), List.of());

    private final Map<Bytes, Optional<Entry>> entries = new HashMap<>();

    Fetched(Collection<Bytes> asked, List<Entry> found) {
        asked.forEach(key -> entries.put(key, Optional.empty()));
        found.forEach(entry -> entries.put(entry.key(), Optional.of(entry)));
    }

    /** @throws MissingRecord when it was not asked for */
    Optional<Entry> get(Bytes key) {
        Optional<Entry> entry = entries.get(key);
        if (entry == null) {
            throw new MissingRecord(key);
        }
        return entry;
    }
}
