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
package org.apache.eventmesh.state;

import org.apache.eventmesh.state.internal.Check;

/**
 * Sizes and counts that are checked before writing; what exceeds them is a
 * {@link org.apache.eventmesh.state.failure.LimitExceededException}, what is too much at the moment an
 * {@link org.apache.eventmesh.state.failure.OverloadedException}.
 *
 * @param payloadBytes of one message, task input, output or artifact, and of the attributes of one record
 * @param batch elements of one batch
 * @param handOuts of one delivery; the next one dead-letters it
 * @param openDeliveries in the shards that this store set owns, together
 * @param outstanding operations that wait or are under way
 */
public record StoreLimits(int payloadBytes, int batch, int handOuts, int openDeliveries, int outstanding) {
    public static final StoreLimits DEFAULT = new StoreLimits(1 << 20, 10_000, 10, 1_000_000, 100_000);

    public StoreLimits {
        Check.that(payloadBytes > 0, "payloadBytes is %d; it must be positive", payloadBytes);
        Check.that(batch > 0, "batch is %d; it must be positive", batch);
        Check.that(handOuts > 0, "handOuts is %d; it must be positive", handOuts);
        Check.that(openDeliveries > 0, "openDeliveries is %d; it must be positive", openDeliveries);
        Check.that(outstanding > 0, "outstanding is %d; it must be positive", outstanding);
    }

    public StoreLimits withPayloadBytes(int limit) {
        return new StoreLimits(limit, batch, handOuts, openDeliveries, outstanding);
    }

    public StoreLimits withBatch(int limit) {
        return new StoreLimits(payloadBytes, limit, handOuts, openDeliveries, outstanding);
    }

    public StoreLimits withHandOuts(int limit) {
        return new StoreLimits(payloadBytes, batch, limit, openDeliveries, outstanding);
    }

    public StoreLimits withOpenDeliveries(int limit) {
        return new StoreLimits(payloadBytes, batch, handOuts, limit, outstanding);
    }

    public StoreLimits withOutstanding(int limit) {
        return new StoreLimits(payloadBytes, batch, handOuts, openDeliveries, limit);
    }
}
