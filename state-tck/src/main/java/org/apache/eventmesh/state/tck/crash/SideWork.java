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
package org.apache.eventmesh.state.tck.crash;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.value.Attributes;

/** What happens beside the deliveries: what brokers are told, a follower's progress, registrations. */
final class SideWork {
    private static final int CLIENTS = 3;
    private static final int TOPICS = 20;

    private final Promises promises;
    private final Life life;
    private final Shard log;
    private final Shard pop;
    private final Shard mirror;
    private final OwnedClient[] clients = new OwnedClient[CLIENTS];
    private final AtomicBoolean confirming = new AtomicBoolean();
    private long position;

    SideWork(Promises promises, Life life, Shard log, Shard pop) {
        this.promises = promises;
        this.life = life;
        this.log = log;
        this.pop = pop;
        this.mirror = life.shard(Plan.MIRROR);
    }

    void from(long reached) {
        position = reached;
    }

    /** @param synced whether something may be made that is synced at any level */
    void any(Random random, boolean synced) {
        switch (random.nextInt(synced ? 4 : 3)) {
            case 0 -> confirm();
            case 1 -> advance(random);
            case 2 -> log.view().watermark().ifPresent(at -> Life.say("watermark " + at));
            default -> register(random);
        }
    }

    private void confirm() {
        if (!confirming.compareAndSet(false, true)) {
            return;
        }
        List<FanOut> completed = Await.result(pop.completed(50));
        Map<String, String> things = new TreeMap<>();
        for (FanOut fanOut : completed) {
            if (!fanOut.brokerHandle().equals(Plan.handle(fanOut.offset()))) {
                Life.say("wrong: the handle of " + fanOut);
            }
            things.put(Openings.fanOut(fanOut.offset()), Ledger.CONFIRMED);
        }
        promises.many(things, () -> pop.confirm(completed), result -> {
            confirming.set(false);
            long count = ((SweepResult.Done) result).count();
            if (count != completed.size()) {
                throw new IllegalStateException(count + " of " + completed.size() + " confirmed");
            }
            return things;
        });
    }

    private void advance(Random random) {
        position += 1 + random.nextInt(10);
        long to = position;
        String thing = "position/" + Plan.MIRROR.topic() + "/" + Plan.name(Plan.FOLLOWER);
        promises.one(
                Map.of(thing, Long.toString(to)),
                () -> life.stores().offsets().advance(mirror, Map.of(Plan.FOLLOWER, to)),
                results -> {
                    AdvanceResult result =
                            Objects.requireNonNull(results.get(Plan.FOLLOWER)).orThrow();
                    long reached = result instanceof AdvanceResult.Advanced advanced
                            ? advanced.to()
                            : ((AdvanceResult.AlreadyAt) result).current();
                    if (reached < to) {
                        throw new IllegalStateException("not at " + to);
                    }
                    return Map.of(thing, Long.toString(reached));
                });
    }

    private void register(Random random) {
        int number = random.nextInt(CLIENTS);
        String topic = "topic-" + random.nextInt(TOPICS);
        OwnedClient client = clients[number];
        if (client == null) {
            ClientId id = new ClientId("client-" + number);
            client = Await.result(life.stores().subscriptions().connect(life.member(), id));
            clients[number] = client;
            Life.say("epoch " + id.value() + " " + client.token().epoch());
        }
        OwnedClient connected = client;
        Interest interest = new Interest(
                topic, Interest.Mode.LOAD_BALANCE, Plan.FOLLOWER, Optional.of("color = 'red'"), Attributes.NONE);
        Map<String, String> things = Map.of("registration/client-" + number + "/" + topic, "there");
        promises.one(things, () -> registered(connected, interest), result -> things);
    }

    private static CompletionStage<RegisterResult.Done> registered(OwnedClient client, Interest interest) {
        return client.register(interest).thenApply(RegisterResult.Done.class::cast);
    }
}
