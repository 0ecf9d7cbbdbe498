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

import java.time.Duration;
import java.time.InstantSource;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.key.ReplayKey;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.sweep.Sweep;

/** Keeps results of replays for a day by the clock, so that a repeat gets the first one, and forgets them some time after. */
public final class KeptReplayResults implements AutoCloseable {
    private static final Duration KEPT = Duration.ofDays(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMinutes(10);
    private static final int AT_ONCE = 1_000;

    private final Backend backend;
    private final InstantSource clock;
    private volatile boolean closed;

    /** Starts to look from time to time. */
    public KeptReplayResults(Backend backend, InstantSource clock) {
        this.backend = backend;
        this.clock = clock;
        later();
    }

    @Override
    public void close() {
        closed = true;
    }

    private void later() {
        if (!closed) {
            backend.deadlines().after(BETWEEN_LOOKS, this::look);
        }
    }

    private void look() {
        if (closed) {
            return;
        }
        long until;
        try {
            until = Math.max(0, Millis.now(clock) - KEPT.toMillis());
        } catch (RuntimeException | Error e) {
            // a clock that throws once must not end this for good
            later();
            throw e;
        }
        Steps.unattended(
                        backend,
                        DeadLetters.operation("forgetReplays", ""),
                        steps -> new Sweep(steps, ReplayRetention.PER_COMMIT, new ReplayRetention())
                                .run(ReplayKey.doneBefore(until), AT_ONCE))
                .whenComplete((swept, failure) -> {
                    if (failure == null && swept.more()) {
                        look();
                    } else {
                        later();
                    }
                });
    }
}
