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
package org.apache.eventmesh.state.delivery;

import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.internal.Check;

/** Why a receipt does not hold its delivery; nothing was changed. */
public sealed interface Refused extends AckResult, NackResult {
    /** A later hand-out, nack or release took its place. */
    record Stale(long currentEpoch) implements Refused {}

    /** The hand-out is another client's. */
    record WrongReceiver(ClientId holder) implements Refused {
        public WrongReceiver {
            Check.given("holder", holder);
        }
    }

    /** Settled before, by another key or in another way. */
    record Settled(How how) implements Refused {
        public Settled {
            Check.given("how", how);
        }
    }

    /** Never opened here, or settled so long ago that its mark is gone. */
    record Unknown() implements Refused {}

    /** How a delivery was settled. */
    enum How {
        ACKED,
        DEAD_LETTERED,
        WITHDRAWN
    }
}
