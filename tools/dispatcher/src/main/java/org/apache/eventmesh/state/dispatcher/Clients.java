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
package org.apache.eventmesh.state.dispatcher;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.RegisterResult;

/** The clients that are connected here. What one of them does after it has gone elsewhere changes nothing. */
public final class Clients {
    private final StateStores stores;
    private final Member me;
    private final Lanes lanes;
    private final Map<ClientId, OwnedClient> connected = new ConcurrentHashMap<>();

    Clients(StateStores stores, Member me, Lanes lanes) {
        this.stores = stores;
        this.me = me;
        this.lanes = lanes;
    }

    /** A client's connection was accepted, here and from now on nowhere else. Idempotent. */
    public CompletionStage<Receiver> connect(ClientId client) {
        return stores.subscriptions().connect(me, client).thenApply(owned -> {
            connected.put(client, owned);
            return owned.receiver();
        });
    }

    /** Fenced when the client has connected elsewhere since; it is registered there then. Idempotent. */
    public CompletionStage<RegisterResult> subscribe(ClientId client, Interest interest) {
        return with(client, owned -> owned.register(interest));
    }

    /** Fenced when the client has connected elsewhere since: what it registered there stays. Idempotent. */
    public CompletionStage<RegisterResult> unsubscribe(ClientId client, String topic) {
        return with(client, owned -> owned.unregister(topic));
    }

    /**
     * The connection is gone: the client's registrations of this connection end, and what it held is due for others at
     * once. Idempotent.
     */
    public CompletionStage<Void> disconnect(ClientId client) {
        OwnedClient gone = connected.remove(client);
        return gone == null
                ? CompletableFuture.completedStage(null)
                : gone.release().thenCompose(released -> dueAtOnce(gone.receiver()));
    }

    private CompletionStage<Void> dueAtOnce(Receiver gone) {
        return CompletableFuture.allOf(lanes.all().stream()
                .map(lane -> lane.shard().release(gone).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    private <R> CompletionStage<R> with(ClientId client, Function<OwnedClient, CompletionStage<R>> operation) {
        return Optional.ofNullable(connected.get(client))
                .map(operation)
                .orElseGet(() -> CompletableFuture.failedStage(new IllegalStateException(
                        client + " is not connected to " + me.holder().instance() + "; connect it first")));
    }
}
