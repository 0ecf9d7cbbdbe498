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
package org.apache.eventmesh.state.id;

import org.apache.eventmesh.state.internal.Check;

/**
 * One hand-out as the client returns it: which delivery, under which hand-out epoch. It names the shard. It proves
 * nothing about who sends it: the runtime authenticates the client.
 *
 * @param epoch of the hand-out; positive
 */
public record Receipt(DeliveryId delivery, long epoch) {
    public Receipt {
        Check.given("delivery", delivery);
        Check.that(epoch > 0, "hand-out epoch is %d; it must be positive", epoch);
    }

    public Partition partition() {
        return delivery.partition();
    }

    /** Printable form for the wire, of URL-safe characters; good across restarts and owners. */
    public String encode() {
        return ReceiptText.write(this);
    }

    /**
     * Reads the wire form.
     *
     * @throws IllegalArgumentException when the text is not exactly what {@link #encode} writes
     */
    public static Receipt parse(String text) {
        return ReceiptText.read(text);
    }
}
