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

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;

/**
 * The dispatcher of one runtime instance. Start and restart are the same: {@link #serve} claims a partition and finds what
 * is open there, and the rounds go on from it. Safe for any number of threads.
 */
public final class Dispatcher implements AutoCloseable {
    private final StateStores stores;
    private final Member me;
    private final Transport transport;
    private final Trouble trouble;
    private final DispatcherSettings settings;
    private final Audience audience;
    private final Lanes lanes = new Lanes();
    private final Clients clients;
    private final Tasks tasks;
    private final Sessions sessions;
    private final Elsewhere elsewhere;
    private final Attempt attempt;
    private final Ticker ticker;

    /**
     * Neither the store set nor the member is closed by the dispatcher.
     *
     * @param trouble hears what goes wrong in the rounds
     */
    public Dispatcher(
            StateStores stores, Member me, Transport transport, Trouble trouble, DispatcherSettings settings) {
        this.stores = stores;
        this.me = me;
        this.transport = transport;
        this.trouble = trouble;
        this.settings = settings;
        this.audience = new Audience(stores.subscriptions().view());
        this.clients = new Clients(stores, me, lanes);
        this.tasks = new Tasks(stores, me, lanes, audience, settings);
        this.sessions = new Sessions(stores, settings);
        this.elsewhere = new Elsewhere(stores);
        this.attempt = new Attempt(trouble);
        this.ticker = new Ticker("dispatcher-" + me.holder().instance(), this::tick, trouble);
    }

    public Clients clients() {
        return clients;
    }

    public Tasks tasks() {
        return tasks;
    }

    public Sessions sessions() {
        return sessions;
    }

    /** Claims a partition of a log and serves it. Blocks. Idempotent. */
    public ClaimResult<Shard> serve(Partition partition, OrderedBroker broker) {
        return serve(partition, log(broker));
    }

    /** Claims a partition of a queue and serves it. Blocks. Idempotent. */
    public ClaimResult<Shard> serve(Partition partition, PopBroker broker) {
        return serve(partition, queue(broker));
    }

    /** Serves a partition of a log although another's lease lives: somebody knows that it is gone. Blocks. */
    public void takeOver(Partition partition, OrderedBroker broker) {
        add(Await.result(stores.deliveries().takeOver(me, partition)), log(broker));
    }

    /** Serves a partition of a queue although another's lease lives: somebody knows that it is gone. Blocks. */
    public void takeOver(Partition partition, PopBroker broker) {
        add(Await.result(stores.deliveries().takeOver(me, partition)), queue(broker));
    }

    private Function<Shard, Feed> log(OrderedBroker broker) {
        return shard -> new LogFeed(stores, shard, broker, audience, settings);
    }

    private Function<Shard, Feed> queue(PopBroker broker) {
        return shard -> new PopFeed(shard, broker, audience, settings);
    }

    private ClaimResult<Shard> serve(Partition partition, Function<Shard, Feed> feed) {
        ClaimResult<Shard> claim = Await.result(stores.deliveries().claim(me, partition));
        claim.claimed().ifPresent(shard -> add(shard, feed));
        return claim;
    }

    private void add(Shard shard, Function<Shard, Feed> feed) {
        lanes.add(new Lane(shard, feed.apply(shard), audience, transport, settings, trouble));
    }

    /**
     * A client acknowledges. Where the partition is served by another instance, {@link Fenced} names it: send the ack
     * there.
     *
     * @param from the client as the connection authenticated it
     */
    public CompletionStage<? extends AckResult> ack(ClientId from, Receipt receipt) {
        Optional<Lane> lane = lanes.of(receipt.partition());
        return lane.isPresent() ? lane.get().shard().ack(Ack.of(receipt, from)) : elsewhere.is(receipt.partition());
    }

    /** A client could not process a delivery; as {@link #ack}. */
    public CompletionStage<? extends NackResult> nack(ClientId from, Receipt receipt, String reason) {
        Optional<Lane> lane = lanes.of(receipt.partition());
        return lane.isPresent()
                ? lane.get().shard().nack(new Nack(receipt, from, reason), settings.retry())
                : elsewhere.is(receipt.partition());
    }

    /** Gives up a delivery whatever the retries say; as {@link #ack}. */
    public CompletionStage<? extends NackResult> giveUp(Receipt receipt, String reason) {
        Optional<Lane> lane = lanes.of(receipt.partition());
        return lane.isPresent() ? lane.get().shard().deadLetter(receipt, reason) : elsewhere.is(receipt.partition());
    }

    /** One round over everything that is served here. Blocks; what goes wrong is told, and never thrown. */
    public void tick() {
        lanes.all().forEach(Lane::round);
        attempt.to("ending idle sessions", sessions::sweep);
    }

    /** Makes rounds on a thread of its own until the dispatcher is closed. */
    public void start(Duration pause) {
        ticker.start(pause);
    }

    /** No round begins any more. */
    @Override
    public void close() {
        ticker.close();
    }
}
