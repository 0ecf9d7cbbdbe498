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
package org.apache.eventmesh.state.subscription;

import java.util.Optional;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.value.Attributes;

/**
 * What a client wants of a topic.
 *
 * @param subscriber whose progress its deliveries are
 * @param filter the caller's filter expression, not interpreted
 */
public record Interest(String topic, Mode mode, Subscriber subscriber, Optional<String> filter, Attributes attributes) {
    public Interest {
        Check.given("mode", mode);
        Check.given("subscriber", subscriber);
        Check.given("filter", filter);
        Check.given("attributes", attributes);
        Check.identifier("topic", topic);
        filter.ifPresent(text -> Check.text("filter", text));
    }

    /** How a topic's messages are spread. */
    public enum Mode {
        /** Each message to one client of the group. */
        LOAD_BALANCE,
        /** Each message to every client. */
        BROADCAST,
        /** Each message to the clients that it names. */
        MULTICAST
    }
}
