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
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.etcd.client.EtcdClient;

/** The leases of one engine. The server keeps their time; renewing them in time is the core's business. */
final class EtcdLeases {
    private final EtcdCalls calls;

    EtcdLeases(EtcdCalls calls) {
        this.calls = calls;
    }

    /** Sends a call, unless the engine is closed; what fails is a failure of the SPI. */
    interface EtcdCalls {
        <T> CompletionStage<T> send(Call<T> call);
    }

    /** One call. */
    interface Call<T> {
        /** Makes it, and has its answer by the deadline. */
        CompletionStage<T> to(EtcdClient client, Duration deadline);
    }

    /** The server knows whole seconds, so a lease is up to one longer than was asked for: never shorter. */
    CompletionStage<Lease> grant(Duration timeToLive) {
        long seconds = Math.max(1, timeToLive.plusNanos(999_999_999).toSeconds());
        return calls.send((client, deadline) -> client.grant(seconds, deadline))
                .thenApply(granted -> new EtcdLease(granted.lease(), calls));
    }

    /** What is left of it, rounded up by at most a second: only of a lease whose time is over nothing is left. */
    CompletionStage<Duration> remaining(long id) {
        return calls.send((client, deadline) -> client.timeToLive(id, deadline)).thenApply(Duration::ofSeconds);
    }

    /** A granted one. */
    private record EtcdLease(long id, EtcdCalls calls) implements Lease {
        @Override
        public CompletionStage<Boolean> renew() {
            return calls.send((client, deadline) -> client.keepAliveOnce(id, deadline))
                    .thenApply(left -> left > 0);
        }

        @Override
        public CompletionStage<Void> revoke() {
            return calls.send((client, deadline) -> client.revoke(id, deadline));
        }
    }
}
