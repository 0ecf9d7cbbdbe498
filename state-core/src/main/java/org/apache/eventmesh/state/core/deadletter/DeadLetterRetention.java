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
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.sweep.SweepRule;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Removes letters, each as it was listed: one that was given up again meanwhile stays. A damaged record goes too, because
 * the key says when it was given up, and retention is how an operator gets rid of it.
 */
record DeadLetterRetention(DeadLetterPath path) implements SweepRule {
    /** Each is read with its payload, and takes a condition and four changes. */
    static final int PER_COMMIT = 16;

    @Override
    public boolean wants(Bytes index) {
        return path.wants(path.read(index));
    }

    @Override
    public Collection<Bytes> reads(Bytes index) {
        return List.of(DeadLetterKey.bytes(path.read(index).id()));
    }

    @Override
    public boolean remove(Bytes index, Seen seen, Draft draft) {
        DeadLetterKey.Listed listed = path.read(index);
        Bytes key = DeadLetterKey.bytes(listed.id());
        Optional<Entry> entry = seen.entry(key);
        Standing standing = entry.map(there -> standing(listed, there)).orElse(Standing.OTHER);
        if (standing == Standing.LATER_FORMAT) {
            return false;
        }
        draft.condition(seen.unchanged(key));
        (standing == Standing.AS_LISTED
                        ? DeadLetterRecords.removal(listed.id(), listed.deadAt())
                        : DeadLetterRecords.unlisting(listed.id(), listed.deadAt()))
                .forEach(draft::change);
        return standing == Standing.AS_LISTED;
    }

    private enum Standing {
        AS_LISTED,
        /** Gone, or given up again: the key is a remainder. */
        OTHER,
        LATER_FORMAT
    }

    private static Standing standing(DeadLetterKey.Listed listed, Entry entry) {
        try {
            long deadAt = Records.DEAD_LETTER.decode(entry).record().getDeadAtMillis();
            return deadAt == listed.deadAt() ? Standing.AS_LISTED : Standing.OTHER;
        } catch (CorruptStateException e) {
            return Standing.AS_LISTED;
        } catch (IncompatibleFormatException e) {
            return Standing.LATER_FORMAT;
        }
    }
}
