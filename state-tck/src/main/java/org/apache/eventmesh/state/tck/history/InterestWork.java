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
package org.apache.eventmesh.state.tck.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.RegisterResult;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.value.Attributes;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** Clients that connect at all instances, register and go, and a watch of every instance that must hear of it all. */
final class InterestWork implements Work {
    private static final int CLIENTS = 4;
    private static final int TOPICS = 4;
    private static final Subscriber GROUP = Subscriber.group("billing");

    /** A client as one life has it. */
    private record Mine(Life life, ClientId client) {}

    /**
     * A registration that was answered.
     *
     * @param before how many snapshots each watch had been told when it was asked for
     */
    private record Done(String filter, Map<Life, Long> before) {}

    private final String name;
    private final Map<Mine, OwnedClient> owned = new ConcurrentHashMap<>();
    private final Map<Life, Ear> ears = new ConcurrentHashMap<>();
    private final Queue<Done> done = new ConcurrentLinkedQueue<>();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    InterestWork(String name) {
        this.name = name;
    }

    private ClientId client(int number) {
        return new ClientId(name + "-client-" + number);
    }

    private String topic(int number) {
        return name + "-topic-" + number;
    }

    @Override
    public void begin(Caller first) {
        listen(first.life());
    }

    private Ear listen(Life life) {
        return ears.computeIfAbsent(life, listening -> {
            Ear ear = new Ear(name + "-topic-");
            listening.instance().stores().subscriptions().watch(ear);
            return ear;
        });
    }

    @Override
    public void step(Caller caller) {
        int dice = caller.random().nextInt(100);
        Life life = caller.life();
        listen(life);
        ClientId client = client(caller.random().nextInt(CLIENTS));
        String topic = topic(caller.random().nextInt(TOPICS));
        OwnedClient ours = owned.get(new Mine(life, client));
        if (ours == null || dice < 10) {
            ask(life.ask(life.instance()
                            .stores()
                            .subscriptions()
                            .connect(life.instance().member(), client)))
                    .ifPresent(now -> {
                        connections.incrementAndGet();
                        owned.put(new Mine(life, client), now);
                    });
        } else if (dice < 65) {
            register(life, ours, topic);
        } else if (dice < 92) {
            ask(life.ask(ours.unregister(topic)));
        } else {
            ask(life.ask(ours.release().thenApply(nothing -> "released")));
        }
    }

    private void register(Life life, OwnedClient ours, String topic) {
        String filter = name + "-" + numbers.incrementAndGet();
        Map<Life, Long> before = new HashMap<>();
        ears.forEach((watching, ear) -> before.put(watching, ear.snapshots()));
        Interest interest =
                new Interest(topic, Interest.Mode.LOAD_BALANCE, GROUP, Optional.of(filter), Attributes.NONE);
        ask(life.ask(ours.register(interest)))
                .filter(RegisterResult.Done.class::isInstance)
                .ifPresent(answer -> done.add(new Done(filter, before)));
    }

    private <T> Optional<T> ask(Answer<T> answer) {
        calls.incrementAndGet();
        if (answer.lost()) {
            unknown.incrementAndGet();
        }
        return answer.value();
    }

    @Override
    public void converge(List<Life> lives) {
        for (Life life : lives) {
            Ear ear = listen(life);
            String who = life.instance().name();
            // leases of those who crashed may end meanwhile
            Eventually.holds(() -> {
                Set<Subscription> stored = stored(lives.get(0).instance().stores());
                assertThat(viewed(life)).as("the view of %s", who).isEqualTo(stored);
                assertThat(ear.now()).as("the watch of %s", who).isEqualTo(stored);
            });
            assertThat(ear.wrong()).as("what %s was told", who).isEmpty();
            for (Done each : done) {
                Long snapshots = each.before().get(life);
                if (snapshots != null && snapshots > 0 && snapshots == ear.snapshots()) {
                    assertThat(ear.heard(each.filter()))
                            .as("registration %s was told to %s", each.filter(), who)
                            .isTrue();
                }
            }
        }
    }

    private Set<Subscription> viewed(Life life) {
        Set<Subscription> viewed = new HashSet<>();
        for (int n = 0; n < TOPICS; n++) {
            viewed.addAll(life.instance().stores().subscriptions().view().of(topic(n)));
        }
        return viewed;
    }

    private Set<Subscription> stored(StateStores stores) {
        List<Subscription> stored = new ArrayList<>();
        for (int n = 0; n < TOPICS; n++) {
            stored.addAll(get(stores.subscriptions()
                            .list(SubscriptionFilter.topic(topic(n)), PageRequest.first(PageRequest.MAX_LIMIT)))
                    .items());
        }
        return Set.copyOf(stored);
    }

    /** S05: nobody is left who registered anything. */
    @Override
    public void end(Caller last) {
        Eventually.holds(() -> assertThat(stored(last.life().instance().stores()))
                .as("registrations of instances that are gone")
                .isEmpty());
    }

    @Override
    public Tally tally() {
        return new Tally(calls.get(), unknown.get(), connections.get());
    }
}
