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
package org.apache.eventmesh.state.tck.kit;

import java.time.Duration;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.jspecify.annotations.Nullable;

/** One runtime of a test: a store set of its own, with its member and what its listener heard. */
public final class Instance {
    /** Of every member that the kit joins. */
    public static final Duration LEASE = Duration.ofSeconds(30);

    private final String name;
    private final StateStores stores;
    private final Events events;
    private @Nullable Member member;

    Instance(String name, StateStores stores, Events events) {
        this.name = name;
        this.stores = stores;
        this.events = events;
    }

    public String name() {
        return name;
    }

    public StateStores stores() {
        return stores;
    }

    public Events events() {
        return events;
    }

    /** Joined under the instance's name at the first call. */
    public synchronized Member member() {
        if (member == null) {
            member = Stages.get(stores.join(name, LEASE));
        }
        return member;
    }

    /** Claims what nobody else holds. */
    public Shard shard(Partition partition) {
        return Stages.get(stores.deliveries().claim(member(), partition))
                .claimed()
                .orElseThrow(() -> new AssertionError(name + " cannot claim " + partition));
    }

    public OwnedClient client(String id) {
        return Stages.get(stores.subscriptions().connect(member(), new ClientId(id)));
    }

    /** Closes the store set as a runtime does that ends in good order. */
    public void close() {
        stores.close();
    }
}
