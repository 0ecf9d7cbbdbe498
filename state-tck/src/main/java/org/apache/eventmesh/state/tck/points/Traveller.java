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
package org.apache.eventmesh.state.tck.points;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Stages;

/** One process on the way through the steps: it owns everything, whoever owned it before. */
final class Traveller {
    private static final PageRequest ALL = PageRequest.first(100);

    private final Instance instance;
    private final Places places;
    private final Member member;
    private final Shard log;
    private final Shard pop;
    private final OwnedClient client;
    private final OwnedAgent agent;

    /**
     * Joins, and takes over whatever there is.
     *
     * @throws Died when the process is killed meanwhile
     */
    Traveller(Instance instance, Places places) {
        this.instance = instance;
        this.places = places;
        member = ask(stores().join(instance.name(), Instance.LEASE));
        log = ask(stores().deliveries().takeOver(member, places.log()));
        pop = ask(stores().deliveries().takeOver(member, places.pop()));
        client = ask(stores().subscriptions().connect(member, new ClientId(places.name() + "-client")));
        AgentSpec spec = places.agentSpec();
        agent = ask(stores().sessions().takeOver(member, spec, Instance.LEASE));
    }

    StateStores stores() {
        return instance.stores();
    }

    Places places() {
        return places;
    }

    Shard log() {
        return log;
    }

    Shard pop() {
        return pop;
    }

    OwnedClient client() {
        return client;
    }

    OwnedAgent agent() {
        return agent;
    }

    /** From whoever has it. */
    OwnedTask task(TaskId id) {
        return ask(stores().tasks().takeOver(member, id));
    }

    /** @throws Died when the process is killed before there is an answer */
    <T> T ask(CompletionStage<T> stage) {
        CompletableFuture<T> answer = stage.toCompletableFuture();
        try {
            CompletableFuture.anyOf(answer, instance.died().toCompletableFuture())
                    .get(Stages.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            // thrown below, as callers hear it
        } catch (TimeoutException late) {
            throw new AssertionError("neither an answer nor a crash within " + Stages.PATIENCE, late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for an answer", stopped);
        }
        if (!answer.isDone()) {
            throw new Died();
        }
        return Await.result(answer);
    }

    List<Delivery> open(Partition partition, Subscriber subscriber) {
        return ask(stores().deliveries().list(DeliveryFilter.of(partition).of(subscriber), ALL))
                .items();
    }

    /** The open delivery of a message, if there is one; those of replays and tasks are not meant. */
    Optional<Delivery> open(Partition partition, Subscriber subscriber, long offset) {
        return open(partition, subscriber).stream()
                .filter(each -> each.offset() == offset && each.task().isEmpty())
                .findFirst();
    }

    static Receipt receipt(Delivery delivery) {
        return new Receipt(delivery.id(), delivery.epoch());
    }

    static ClientId holder(Delivery delivery) {
        return delivery.receiver()
                .map(Receiver::client)
                .orElseThrow(() -> new AssertionError("nobody holds " + delivery));
    }
}
