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
import org.apache.eventmesh.state.core.proto.SessionRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;

/** A session as it is stored, and as callers see it. */
final class SessionRecords {
    private SessionRecords() {}

    static SessionRecord opened(SessionSpec spec, Duration interval, long now) {
        return keptAlive(
                SessionRecord.newBuilder()
                        .setIdleMillis(Millis.of(spec.idle()))
                        .setAttributes(SharedValues.attributes(spec.attributes()))
                        .setOpenedAtMillis(now)
                        .build(),
                interval,
                now);
    }

    /** The stored expiry is later than the idle time by the interval in which nobody writes: no session ends early. */
    static SessionRecord keptAlive(SessionRecord record, Duration interval, long now) {
        long idleUntil = Millis.after(now, record.getIdleMillis());
        return record.toBuilder()
                .setExpiresAtMillis(Millis.after(idleUntil, Millis.of(interval)))
                .build();
    }

    /** Whether what is stored keeps the session long enough when it is kept alive now. */
    static boolean coversIdle(SessionRecord record, long now) {
        return record.getExpiresAtMillis() >= Millis.after(now, record.getIdleMillis());
    }

    static boolean expired(SessionRecord record, long now) {
        return record.getExpiresAtMillis() <= now;
    }

    static Session session(Stored<SessionRecord> stored) {
        return SharedValues.value(stored, of -> {
            SessionRecord record = of.record();
            SessionSpec spec = new SessionSpec(
                    SessionKeys.readSession(of.key()),
                    Duration.ofMillis(record.getIdleMillis()),
                    SharedValues.attributes(record.getAttributes()));
            return new Session(spec, Millis.instant(record.getExpiresAtMillis()));
        });
    }
}
