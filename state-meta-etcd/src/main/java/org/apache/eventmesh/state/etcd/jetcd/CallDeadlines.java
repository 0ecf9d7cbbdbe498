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
package org.apache.eventmesh.state.etcd.jetcd;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.etcd.Guarded;

/**
 * Ends the calls of one client whose time is over, {@value #TICK_MILLIS} ms late at most. gRPC's own deadline wakes a
 * thread for each call that has no other beside it, which on two processors takes a twentieth of a round trip.
 */
final class CallDeadlines {
    private static final long TICK_MILLIS = 20;

    private final Set<Bounded> underWay = ConcurrentHashMap.newKeySet();

    /** A call that has a time. Safe for any number of threads. */
    interface Bounded {
        /** Whether it has ended: then it is forgotten. */
        boolean isOver();

        /** Whether its time is over, by {@link System#nanoTime()}. */
        boolean isLate(long now);

        /** Ends it without an answer; does nothing when it is over. */
        void end();
    }

    /** @param timer when it is shut down, so are the channels, which ends all calls */
    CallDeadlines(ScheduledExecutorService timer) {
        var unused = timer.scheduleWithFixedDelay(
                Guarded.periodic("ending calls to etcd whose time is over", this::look),
                TICK_MILLIS,
                TICK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    void begun(Bounded call) {
        underWay.add(call);
    }

    private void look() {
        long now = System.nanoTime();
        underWay.removeIf(Bounded::isOver);
        underWay.forEach(call -> {
            if (call.isLate(now)) {
                call.end();
            }
        });
    }
}
