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

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.owner.ClaimStep;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Members;
import org.apache.eventmesh.state.core.owner.Mesh;
import org.apache.eventmesh.state.core.proto.SubscriptionRecord;
import org.apache.eventmesh.state.core.read.Listing;
import org.apache.eventmesh.state.core.read.TableView;
import org.apache.eventmesh.state.core.read.ViewWatch;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.internal.Check;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.subscription.SubscriptionListener;
import org.apache.eventmesh.state.subscription.SubscriptionStore;
import org.apache.eventmesh.state.subscription.SubscriptionView;
import org.apache.eventmesh.state.subscription.SubscriptionWatch;

/** The subscriptions of a mesh over one backend. */
public final class Subscriptions implements SubscriptionStore, AutoCloseable {
    private final Backend backend;
    private final Mesh mesh;
    private final InstantSource clock;
    private final int attributeBytes;
    private final TableView<Subscription> copy;

    /**
     * Starts to follow the registrations.
     *
     * @param attributeBytes the most that filter and attributes of a registration may have
     */
    public Subscriptions(Backend backend, Mesh mesh, InstantSource clock, int attributeBytes) {
        this.backend = backend;
        this.mesh = mesh;
        this.clock = clock;
        this.attributeBytes = attributeBytes;
        this.copy = new TableView<>(
                backend, StoreName.SUBSCRIPTIONS, SubscriptionKey.all(), SubscriptionRecords::subscription);
        mesh.claims().ending(ClientId.class, new ClientParting(mesh.claims()));
    }

    @Override
    public CompletionStage<OwnedClient> connect(Member member, ClientId client) {
        Check.given("member", member);
        Check.given("client", client);
        Operation operation = new Operation(StoreName.SUBSCRIPTIONS, "connect", client);
        return claims().as(
                        member,
                        operation,
                        steps -> claims().takeOver(steps, member, client, ClaimStep.none())
                                .thenApply(held -> client(held.token())));
    }

    @Override
    public OwnedClient client(Token<ClientId> token) {
        Check.given("token", token);
        return new ConnectedClient(this, token);
    }

    @Override
    public SubscriptionView view() {
        backend.requireOpen();
        return new CopiedSubscriptions(backend, copy);
    }

    @Override
    public SubscriptionWatch watch(SubscriptionListener listener) {
        Check.given("listener", listener);
        backend.requireOpen();
        ViewWatch running = copy.watch(new ToldSubscriptions(listener));
        return running::close;
    }

    @Override
    public CompletionStage<Page<Subscription>> list(SubscriptionFilter filter, PageRequest page) {
        Check.given("filter", filter);
        Check.given("page", page);
        return listing(filter).page(backend, new Operation(StoreName.SUBSCRIPTIONS, "list", filter), page);
    }

    @Override
    public CompletionStage<Page<String>> topics(PageRequest page) {
        Check.given("page", page);
        return Listing.of("topics", SubscriptionKey.all(), new TopicRows())
                .page(backend, new Operation(StoreName.SUBSCRIPTIONS, "topics"), page);
    }

    /** How old the local copy is. */
    public Duration age() {
        return copy.age();
    }

    /** Stops to follow. */
    @Override
    public void close() {
        copy.close();
    }

    Backend backend() {
        return backend;
    }

    Claims claims() {
        return mesh.claims();
    }

    Members members() {
        return mesh.members();
    }

    InstantSource clock() {
        return clock;
    }

    void checkSize(Interest interest) {
        SharedValues.checkSize(
                "filter and attributes of the registration", SubscriptionRecords.size(interest), attributeBytes);
    }

    private static Listing<Subscription> listing(SubscriptionFilter filter) {
        if (filter instanceof SubscriptionFilter.OfTopic of) {
            return Listing.ofRecords(
                    "subscriptions of topic",
                    SubscriptionKey.ofTopic(of.topic()),
                    Records.SUBSCRIPTION,
                    stored -> Optional.of(SubscriptionRecords.subscription(stored)));
        }
        if (filter instanceof SubscriptionFilter.OfClient of) {
            return Listing.byIndex(
                    "subscriptions of client",
                    SubscriptionKey.ofClient(of.client()),
                    key -> SubscriptionKey.readByClient(key).bytes(),
                    Records.SUBSCRIPTION,
                    (key, stored) -> Optional.of(SubscriptionRecords.subscription(stored)));
        }
        String instance = ((SubscriptionFilter.OfInstance) filter).instance();
        return Listing.byIndex(
                "subscriptions of instance",
                SubscriptionKey.ofInstance(instance),
                key -> SubscriptionKey.readByInstance(key).bytes(),
                Records.SUBSCRIPTION,
                (key, stored) -> at(instance, stored));
    }

    /** A key that was left behind by a registration that could not be decoded lists nothing. */
    private static Optional<Subscription> at(String instance, Stored<SubscriptionRecord> stored) {
        return Optional.of(SubscriptionRecords.subscription(stored))
                .filter(found -> found.receiver().instance().equals(instance));
    }
}
