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
package org.apache.eventmesh.state.core.subscription;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.OwnedScope;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;

/** A client under its token. */
final class ConnectedClient implements OwnedClient {
    private final Subscriptions store;
    private final OwnedScope<ClientId> owned;

    ConnectedClient(Subscriptions store, Token<ClientId> token) {
        this.store = store;
        this.owned = new OwnedScope<>(store.claims(), StoreName.SUBSCRIPTIONS, token);
    }

    @Override
    public Token<ClientId> token() {
        return owned.token();
    }

    @Override
    public CompletionStage<Fenced> lost() {
        return owned.lost();
    }

    @Override
    public CompletionStage<Void> release() {
        return owned.release();
    }

    @Override
    public Receiver receiver() {
        return new Receiver(token().scope(), token().epoch(), token().holder().instance());
    }

    @Override
    public CompletionStage<RegisterResult> register(Interest interest) {
        Check.given("interest", interest);
        Operation operation = operation("register", interest.topic());
        long now = Millis.now(store.clock());
        return store.claims().told(operation, token(), Steps.run(store.backend(), operation, steps -> {
            store.checkSize(interest);
            store.backend().expectAbsent(List.of(new SubscriptionKey(interest.topic(), token().scope()).bytes()));
            return registered(steps, new Registration(token(), interest, now));
        }));
    }

    @Override
    public CompletionStage<RegisterResult> unregister(String topic) {
        Check.given("topic", topic);
        SubscriptionFilter.topic(topic);
        SubscriptionKey key = new SubscriptionKey(topic, token().scope());
        return store.claims()
                .write(
                        operation("unregister", topic),
                        token(),
                        List.of(key.bytes()),
                        (held, seen) -> {
                            Draft draft = new Draft().condition(held.fence());
                            return Removal.add(key, seen, draft)
                                    ? draft.write(new RegisterResult.Done(true))
                                    : Decision.answer(new RegisterResult.Done(false));
                        },
                        fenced -> fenced);
    }

    private CompletionStage<RegisterResult> registered(Steps steps, Registration registration) {
        return store.claims()
                .write(steps, token(), registration.keys(), registration::decide, fenced -> fenced)
                .thenCompose(answer -> {
                    if (answer == Registration.Answer.LAPSED) {
                        return store.members()
                                .renew(token().holder())
                                .thenCompose(renewed -> registered(steps, registration));
                    }
                    return CompletableFuture.completedStage(
                            answer instanceof Fenced fenced
                                    ? fenced
                                    : new RegisterResult.Done(answer == Registration.Answer.CHANGED));
                });
    }

    private Operation operation(String name, String topic) {
        return new Operation(StoreName.SUBSCRIPTIONS, name, token().scope() + " for topic " + topic);
    }
}
