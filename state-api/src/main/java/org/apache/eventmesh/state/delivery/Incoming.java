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

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/**
 * A broker message and all its targets: together they are the fan-out.
 *
 * @param targets each subscriber with its first receiver; without one the delivery is due at once and waits for
 *     {@link Shard#handOut}
 * @param brokerHandle present when the broker wants each message acknowledged by itself
 */
public record Incoming(
        long offset,
        Bytes payload,
        Attributes attributes,
        Map<Subscriber, Optional<Receiver>> targets,
        Optional<BrokerHandle> brokerHandle) {

    /**
     * What the broker wants back.
     *
     * @param life how long the broker accepts it from now on
     */
    public record BrokerHandle(Bytes handle, Duration life) {
        public BrokerHandle {
            Check.given("handle", handle);
            Check.given("life", life);
            Check.positive("life", life);
        }
    }

    public Incoming {
        Check.given("payload", payload);
        Check.given("attributes", attributes);
        Check.given("targets", targets);
        Check.given("brokerHandle", brokerHandle);
        Check.notNegative("offset", offset);
        targets.forEach((subscriber, receiver) -> {
            Check.given("a subscriber of targets", subscriber);
            Check.given("receiver of target " + subscriber, receiver);
        });
        targets = Collections.unmodifiableMap(new LinkedHashMap<>(targets));
    }

    /** A message whose progress is committed to the broker by watermark. */
    public static Incoming of(long offset, Bytes payload, Attributes attributes) {
        return new Incoming(offset, payload, attributes, Map.of(), Optional.empty());
    }

    /** One target more. */
    public Incoming to(Subscriber subscriber, Optional<Receiver> receiver) {
        Map<Subscriber, Optional<Receiver>> more = new LinkedHashMap<>(targets);
        more.put(subscriber, receiver);
        return new Incoming(offset, payload, attributes, more, brokerHandle);
    }

    /** One target more, handed out to {@code receiver}. */
    public Incoming to(Subscriber subscriber, Receiver receiver) {
        return to(subscriber, Optional.of(receiver));
    }

    /** One target more, that waits for a hand-out. */
    public Incoming to(Subscriber subscriber) {
        return to(subscriber, Optional.empty());
    }

    /** Acknowledged to the broker by this handle when the fan-out is complete. */
    public Incoming brokerHandle(Bytes handle, Duration life) {
        return new Incoming(offset, payload, attributes, targets, Optional.of(new BrokerHandle(handle, life)));
    }
}
