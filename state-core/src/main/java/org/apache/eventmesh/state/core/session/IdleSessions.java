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

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Decider;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Transactions;
import org.apache.eventmesh.state.core.proto.SessionRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.value.Bytes;

/** Sessions that end when nothing keeps them alive, by the wall clock. */
final class IdleSessions {
    private final Backend backend;
    private final InstantSource clock;
    private final Duration interval;
    private final int attributeBytes;

    /**
     * Starts nothing.
     *
     * @param interval how long keep-alives are coalesced
     */
    IdleSessions(Backend backend, InstantSource clock, Duration interval, int attributeBytes) {
        this.backend = backend;
        this.clock = clock;
        this.interval = interval;
        this.attributeBytes = attributeBytes;
    }

    CompletionStage<Session> open(SessionSpec spec) {
        long now = Millis.now(clock);
        Bytes key = SessionKeys.session(spec.id());
        backend.expectAbsent(List.of(key));
        return run("open", spec.id(), List.of(key), seen -> {
            SessionRecord opened = SessionRecords.opened(spec, interval, now);
            SharedValues.checkSize(
                    "attributes of the session", opened.getAttributes().getSerializedSize(), attributeBytes);
            Optional<Stored<SessionRecord>> before = seen.get(Records.SESSION, key);
            return before.filter(stored -> !SessionRecords.expired(stored.record(), now))
                    .map(stored -> kept(stored, now, session -> session))
                    .orElseGet(() -> written(seen.unchanged(key), before, opened, session -> session));
        });
    }

    CompletionStage<Optional<Session>> find(SessionId id) {
        long now = Millis.now(clock);
        Bytes key = SessionKeys.session(id);
        return run(
                "find",
                id,
                List.of(key),
                seen -> Decision.answer(living(seen, key, now).map(SessionRecords::session)));
    }

    CompletionStage<Optional<Session>> keepAlive(SessionId id) {
        long now = Millis.now(clock);
        Bytes key = SessionKeys.session(id);
        return run(
                "keepAlive",
                id,
                List.of(key),
                seen -> living(seen, key, now)
                        .map(stored -> kept(stored, now, Optional::of))
                        .orElseGet(() -> Decision.answer(Optional.empty())));
    }

    CompletionStage<Boolean> close(SessionId id) {
        SessionEnd end = new SessionEnd(id);
        return run("close", id, end.keys(), end::always);
    }

    /** Nothing is written while what is stored is late enough; so at most once in each interval. */
    private <R> Decision<R> kept(Stored<SessionRecord> stored, long now, Function<Session, R> result) {
        return SessionRecords.coversIdle(stored.record(), now)
                ? Decision.answer(result.apply(SessionRecords.session(stored)))
                : written(
                        stored.unchanged(),
                        Optional.of(stored),
                        SessionRecords.keptAlive(stored.record(), interval, now),
                        result);
    }

    private static <R> Decision<R> written(
            Condition unchanged,
            Optional<Stored<SessionRecord>> before,
            SessionRecord after,
            Function<Session, R> result) {
        SessionId id = SessionKeys.readSession(unchanged.key());
        Draft draft = new Draft().condition(unchanged);
        before.ifPresent(stored -> draft.change(
                Change.delete(SessionKeys.sessionByExpiry(stored.record().getExpiresAtMillis(), id))));
        draft.change(Records.SESSION.put(unchanged.key(), after))
                .change(Change.put(SessionKeys.sessionByExpiry(after.getExpiresAtMillis(), id), Records.NOTHING));
        return draft.write(
                revision -> result.apply(SessionRecords.session(new Stored<>(unchanged.key(), after, revision))));
    }

    private static Optional<Stored<SessionRecord>> living(Seen seen, Bytes key, long now) {
        return seen.get(Records.SESSION, key).filter(stored -> !SessionRecords.expired(stored.record(), now));
    }

    private <R> CompletionStage<R> run(String name, SessionId session, List<Bytes> keys, Decider<R> decider) {
        return new Transactions(backend).run(new Operation(StoreName.SESSIONS, name, session), keys, decider);
    }
}
