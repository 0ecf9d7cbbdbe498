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
package org.apache.eventmesh.state.deadletter;

import java.time.Instant;
import java.util.Optional;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;

/**
 * Which dead letters; absent parts match all.
 *
 * @param since inclusive
 */
public record DeadLetterFilter(Optional<String> topic, Optional<Subscriber> subscriber, Optional<Instant> since) {
    public DeadLetterFilter {
        Check.given("topic", topic);
        Check.given("subscriber", subscriber);
        Check.given("since", since);
        topic.ifPresent(name -> Check.identifier("topic", name));
    }

    public static DeadLetterFilter all() {
        return new DeadLetterFilter(Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static DeadLetterFilter topic(String topic) {
        return new DeadLetterFilter(Optional.of(topic), Optional.empty(), Optional.empty());
    }

    public static DeadLetterFilter subscriber(Subscriber subscriber) {
        return new DeadLetterFilter(Optional.empty(), Optional.of(subscriber), Optional.empty());
    }

    public DeadLetterFilter since(Instant time) {
        return new DeadLetterFilter(topic, subscriber, Optional.of(time));
    }
}
