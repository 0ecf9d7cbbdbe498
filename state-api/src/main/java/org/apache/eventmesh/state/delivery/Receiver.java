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

/**
 * Who holds a hand-out; {@code OwnedClient} gives it.
 *
 * @param sessionEpoch the epoch of the client's claim
 * @param instance where it is connected
 */
public record Receiver(ClientId client, long sessionEpoch, String instance) {
    public Receiver {
        Check.given("client", client);
        Check.that(sessionEpoch > 0, "session epoch is %d; it must be positive", sessionEpoch);
        Check.identifier("instance", instance);
    }
}
