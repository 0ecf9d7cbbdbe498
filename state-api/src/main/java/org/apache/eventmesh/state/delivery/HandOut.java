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

import java.time.Instant;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.internal.Check;

/**
 * A delivery given to a receiver: push it.
 *
 * @param receipt what the client returns to ack or nack
 * @param until when it is due again; an ack that comes later is good until the next hand-out
 */
public record HandOut(Delivery delivery, Receiver receiver, Receipt receipt, Instant until) {
    public HandOut {
        Check.given("delivery", delivery);
        Check.given("receiver", receiver);
        Check.given("receipt", receipt);
        Check.given("until", until);
    }
}
