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

import java.util.Optional;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.internal.Check;

/**
 * Which open deliveries to list; absent parts match all.
 *
 * @param partition in the order of delivery numbers; without it all partitions are read
 * @param heldBy the client that the last hand-out went to
 */
public record DeliveryFilter(
        Optional<Partition> partition, Optional<Subscriber> subscriber, Optional<ClientId> heldBy) {
    public DeliveryFilter {
        Check.given("partition", partition);
        Check.given("subscriber", subscriber);
        Check.given("heldBy", heldBy);
    }

    public static DeliveryFilter all() {
        return new DeliveryFilter(Optional.empty(), Optional.empty(), Optional.empty());
    }

    public static DeliveryFilter of(Partition partition) {
        return new DeliveryFilter(Optional.of(partition), Optional.empty(), Optional.empty());
    }

    public DeliveryFilter of(Subscriber subscriber) {
        return new DeliveryFilter(partition, Optional.of(subscriber), heldBy);
    }

    public DeliveryFilter heldBy(ClientId client) {
        return new DeliveryFilter(partition, subscriber, Optional.of(client));
    }
}
