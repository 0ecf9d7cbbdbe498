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
package org.apache.eventmesh.state.example;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.subscription.*;

/** Clients come, subscribe, move away and leave. */
final class Subscriptions {
    private final SubscriptionStore store;
    private final Member me;
    private final Map<ClientId, OwnedClient> here = new ConcurrentHashMap<>();

    Subscriptions(SubscriptionStore store, Member me) {
        this.store = store;
        this.me = me;
    }

    CompletionStage<OwnedClient> connected(ClientId id, Consumer<Receiver> gone) {
        return store.connect(me, id).thenApply(client -> {
            here.put(id, client);
            client.lost().thenRun(() -> {
                here.remove(id, client);
                gone.accept(client.receiver());
            });
            return client;
        });
    }

    CompletionStage<RegisterResult> subscribe(ClientId id, Interest interest) {
        return here.get(id).register(interest);
    }

    /** Late or not: a client that moved meanwhile is untouched. */
    void disconnected(OwnedClient client, Consumer<Receiver> gone) {
        here.remove(client.token().scope(), client);
        client.release().thenRun(() -> gone.accept(client.receiver()));
    }
}
