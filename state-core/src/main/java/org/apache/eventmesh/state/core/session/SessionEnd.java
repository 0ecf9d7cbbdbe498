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
package org.apache.eventmesh.state.core.session;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.proto.SessionRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.value.Bytes;

/** The end of a session. Its binding ends with it, so that its place at the agent is free. */
final class SessionEnd {
    private final SessionId session;
    private final Bytes key;

    SessionEnd(SessionId session) {
        this.session = session;
        this.key = SessionKeys.session(session);
    }

    List<Bytes> keys() {
        return List.of(key, SessionKeys.binding(session));
    }

    /** Whatever it is; tells whether there was something to end. */
    Decision<Boolean> always(Seen seen) {
        return end(seen, readable(seen));
    }

    /**
     * Only if it has expired, and nobody kept it alive meanwhile.
     *
     * @param listed the key under its expiry that led here; it goes when it is out of date
     */
    Decision<Boolean> ifExpired(Seen seen, Bytes listed, long now) {
        Optional<Stored<SessionRecord>> stored = seen.get(Records.SESSION, key);
        if (stored.isPresent() && SessionRecords.expired(stored.get().record(), now)) {
            return end(seen, stored);
        }
        boolean current =
                stored.filter(present -> byExpiry(present).equals(listed)).isPresent();
        return current
                ? Decision.answer(false)
                : new Draft()
                        .condition(seen.unchanged(key))
                        .change(Change.delete(listed))
                        .write(false);
    }

    private Decision<Boolean> end(Seen seen, Optional<Stored<SessionRecord>> stored) {
        SeenBinding binding = new SeenBinding(session, seen);
        List<Bytes> unread = binding.unreadForEnd();
        if (!unread.isEmpty()) {
            return new Decision.ReadMore<>(unread);
        }
        Draft draft = new Draft();
        if (seen.entry(key).isPresent()) {
            draft.condition(seen.unchanged(key)).change(Change.delete(key));
        }
        stored.ifPresent(present -> draft.change(Change.delete(byExpiry(present))));
        binding.end(draft);
        return draft.changesNothing() ? Decision.answer(false) : draft.write(true);
    }

    private Bytes byExpiry(Stored<SessionRecord> stored) {
        return SessionKeys.sessionByExpiry(stored.record().getExpiresAtMillis(), session);
    }

    /** Closing is the way out of a record that cannot be decoded; its key under its expiry goes when that is due. */
    private Optional<Stored<SessionRecord>> readable(Seen seen) {
        try {
            return seen.get(Records.SESSION, key);
        } catch (CorruptStateException e) {
            return Optional.empty();
        }
    }
}
