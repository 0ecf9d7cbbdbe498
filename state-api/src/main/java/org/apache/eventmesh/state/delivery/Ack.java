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
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.internal.Check;

/**
 * A client's acknowledgement.
 *
 * @param from the client as the runtime authenticated it, in whatever session
 * @param key the client's idempotency key; the receipt itself when it sends none
 */
public record Ack(Receipt receipt, ClientId from, RequestKey key) {
    public Ack {
        Check.given("receipt", receipt);
        Check.given("from", from);
        Check.given("key", key);
    }

    /** With the receipt itself as the request key: enough for clients that send none. */
    public static Ack of(Receipt receipt, ClientId from) {
        return new Ack(receipt, from, byReceipt(receipt));
    }

    /** Whether the key is the receipt itself. */
    public boolean keyedByReceipt() {
        return key.equals(byReceipt(receipt));
    }

    private static RequestKey byReceipt(Receipt receipt) {
        return RequestKey.of("receipt:" + receipt.delivery().number() + ":" + receipt.epoch());
    }
}
