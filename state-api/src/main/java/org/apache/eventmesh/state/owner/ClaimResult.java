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
package org.apache.eventmesh.state.owner;

import java.time.Duration;
import java.util.Optional;
import org.apache.eventmesh.state.internal.Check;

/**
 * Answer to a claim.
 *
 * @param <H> the handle that carries the token
 */
public sealed interface ClaimResult<H> {
    /** Ours, durably. A repeat by the same member gives the same token. */
    record Claimed<H>(H handle) implements ClaimResult<H> {
        public Claimed {
            Check.given("handle", handle);
        }
    }

    /**
     * Another's lease lives.
     *
     * @param remaining of the lease as far as known; claim again then, or take over
     */
    record HeldByOther<H>(Holder holder, long epoch, Duration remaining) implements ClaimResult<H> {
        public HeldByOther {
            Check.given("holder", holder);
            Check.given("remaining", remaining);
        }
    }

    /** The handle, if it is ours. */
    default Optional<H> claimed() {
        return this instanceof Claimed<H> ours ? Optional.of(ours.handle()) : Optional.empty();
    }
}
