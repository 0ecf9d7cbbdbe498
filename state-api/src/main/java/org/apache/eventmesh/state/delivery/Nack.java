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
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.internal.Check;

/**
 * A client's refusal.
 *
 * @param from the client as the runtime authenticated it
 * @param reason for people; kept in the failure history: at most 4096 bytes in UTF-8, a longer one is refused by the shard
 *     with {@link org.apache.eventmesh.state.failure.LimitExceededException}
 */
public record Nack(Receipt receipt, ClientId from, String reason) {
    public Nack {
        Check.given("receipt", receipt);
        Check.given("from", from);
        Check.given("reason", reason);
        Check.text("reason", reason);
    }
}
