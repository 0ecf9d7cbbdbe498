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
package org.apache.eventmesh.state.tck.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.value.Attributes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** Sessions that end when they are idle. */
public final class SessionPart {
    static final int SESSIONS = 2;

    private static final Duration IDLE = Duration.ofMinutes(3);

    /** Keeping alive is coalesced over this time. */
    private static final Duration INTERVAL =
            StoreSettings.builder("any:").build().keepAliveInterval();

    private final World world;
    private final Map<Integer, Instant> expiry = new TreeMap<>();

    SessionPart(World world) {
        this.world = world;
    }

    private SessionId id(int session) {
        return new SessionId(world.name("session-" + session));
    }

    private boolean lives(int session) {
        Instant end = expiry.get(session);
        return end != null && world.now().isBefore(end);
    }

    private void touched(int session) {
        expiry.put(session, world.now().plus(IDLE).plus(INTERVAL));
    }

    public void open(int at, int session) {
        get(world.stores(at).sessions().open(new SessionSpec(id(session), IDLE, Attributes.NONE)));
        touched(session);
        find(at, session);
    }

    public void keepAlive(int at, int session) {
        Optional<Session> told = get(world.stores(at).sessions().keepAlive(id(session)));
        assertThat(told.isPresent()).as("kept alive").isEqualTo(lives(session));
        if (lives(session)) {
            touched(session);
        }
    }

    public void close(int at, int session) {
        get(world.stores(at).sessions().close(id(session)));
        expiry.remove(session);
    }

    public void expire(int at) {
        get(world.stores(at).sessions().expire(100));
    }

    public void find(int at, int session) {
        assertThat(get(world.stores(at).sessions().find(id(session))).isPresent())
                .as("session %d lives", session)
                .isEqualTo(lives(session));
    }

    void compare() {
        for (int session = 0; session < SESSIONS; session++) {
            find(0, session);
        }
    }
}
