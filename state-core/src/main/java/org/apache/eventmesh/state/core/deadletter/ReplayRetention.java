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
package org.apache.eventmesh.state.core.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.sweep.SweepRule;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.value.Bytes;

/** Forgets results of replays; not one of a later request that was made under the same key when the first was forgotten. */
record ReplayRetention() implements SweepRule {
    static final int PER_COMMIT = 32;

    @Override
    public Collection<Bytes> reads(Bytes index) {
        return List.of(ReplayKey.readByTime(index).key().bytes());
    }

    @Override
    public boolean remove(Bytes index, Seen seen, Draft draft) {
        ReplayKey.Done done = ReplayKey.readByTime(index);
        Bytes key = done.key().bytes();
        Optional<Entry> entry = seen.entry(key);
        draft.condition(seen.unchanged(key)).change(Change.delete(index));
        boolean removed = entry.isPresent() && isOf(done.at(), entry.get());
        if (removed) {
            draft.change(Change.delete(key));
        }
        return removed;
    }

    private static boolean isOf(long doneAt, Entry entry) {
        try {
            return Records.REPLAY.decode(entry).record().getDoneAtMillis() == doneAt;
        } catch (CorruptStateException | IncompatibleFormatException e) {
            return true;
        }
    }
}
