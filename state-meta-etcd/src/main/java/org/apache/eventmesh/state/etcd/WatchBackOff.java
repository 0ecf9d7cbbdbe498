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
package org.apache.eventmesh.state.etcd;

import java.time.Duration;
import org.apache.eventmesh.state.etcd.client.EtcdCallException;
import org.apache.eventmesh.state.etcd.client.Failure;

/** How long a watch waits before its next stream, and when it gives up; anew after everything that it hears. */
final class WatchBackOff {
    private static final Duration FIRST = Duration.ofMillis(20);
    private static final int MAX_DOUBLINGS = 7;

    /** A login may just have to be made again; a role that was taken away does not come back by asking. */
    private static final int MAX_REFUSALS = 5;

    private int attempts;
    private int refusals;

    /** Whether another stream would end in the same way. */
    boolean isOver(EtcdCallException why) {
        if (why.failure() == Failure.FUTURE_REVISION) {
            return true;
        }
        if (why.failure() == Failure.PERMISSION || why.failure() == Failure.LOGIN) {
            refusals++;
        }
        return refusals >= MAX_REFUSALS;
    }

    long nextNanos() {
        long pause = FIRST.toNanos() << Math.min(attempts, MAX_DOUBLINGS);
        attempts++;
        return pause;
    }
}
