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

import com.google.protobuf.Message;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.core.record.Codec;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;

/** What a transaction has read so far. Good during one decision only. */
public final class Seen {
    private final Map<Bytes, Optional<Entry>> entries = new HashMap<>();

    private final Set<Long> endedLeases = new HashSet<>();

    Seen() {}

    /** Whether the key was read, present or not. */
    public boolean knows(Bytes key) {
        return entries.containsKey(key);
    }

    /** All that were read. */
    Set<Bytes> keys() {
        return entries.keySet();
    }

    /**
     * Empty when the key was read and is absent.
     *
     * @throws IllegalStateException when it was not read
     */
    public Optional<Entry> entry(Bytes key) {
        Optional<Entry> entry = entries.get(key);
        if (entry == null) {
            throw new IllegalStateException(KeyText.of(key) + " was not read; ask for it first");
        }
        return entry;
    }

    /** The record; fails as {@link Codec#decode} does. */
    public <M extends Message> Optional<Stored<M>> get(Codec<M> codec, Bytes key) {
        return codec.decode(entry(key));
    }

    /** Holds while the key is as it was read, present or absent. */
    public Condition unchanged(Bytes key) {
        return entry(key).map(Condition::unchanged).orElseGet(() -> Condition.absent(key));
    }

    /** Whether the engine has refused a write because this lease had ended; nothing was applied then: grant another. */
    public boolean leaseEnded(long lease) {
        return endedLeases.contains(lease);
    }

    /** Notes it; {@code false} when that was known, and the decision paid no attention. */
    boolean noteEnded(long lease) {
        return endedLeases.add(lease);
    }

    void put(Bytes key, Optional<Entry> now) {
        entries.put(key, now);
    }

    void put(Collection<Bytes> keys, List<Entry> found) {
        keys.forEach(key -> entries.put(key, Optional.empty()));
        found.forEach(entry -> entries.put(entry.key(), Optional.of(entry)));
    }
}
