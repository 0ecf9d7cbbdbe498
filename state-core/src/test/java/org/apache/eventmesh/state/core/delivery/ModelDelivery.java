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
package org.apache.eventmesh.state.core.delivery;

import java.util.Optional;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;

/** An open delivery as a naive person keeps it. */
final class ModelDelivery {
    final DeliveryId id;
    final boolean ordered;
    final long offset;
    final Subscriber subscriber;
    Optional<Receiver> receiver = Optional.empty();
    Optional<Receipt> receipt = Optional.empty();
    Optional<Receipt> lastNacked = Optional.empty();
    Optional<NackResult> lastNack = Optional.empty();
    int handOuts;
    int failures;
    long dueAt;

    ModelDelivery(DeliveryId id, boolean ordered, long offset, Subscriber subscriber, long now) {
        this.id = id;
        this.ordered = ordered;
        this.offset = offset;
        this.subscriber = subscriber;
        this.dueAt = now;
    }

    void handedOut(HandOut handOut) {
        receiver = Optional.of(handOut.receiver());
        receipt = Optional.of(handOut.receipt());
        lastNacked = Optional.empty();
        handOuts++;
        dueAt = handOut.until().toEpochMilli();
    }

    void ended(long due) {
        receiver = Optional.empty();
        receipt = Optional.empty();
        dueAt = due;
    }

    String words() {
        return id.number() + " " + offset + " " + subscriber + " " + receiver + " " + handOuts + " " + failures + " "
                + dueAt;
    }
}
