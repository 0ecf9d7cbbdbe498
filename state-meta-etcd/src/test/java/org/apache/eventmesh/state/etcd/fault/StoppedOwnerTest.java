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
package org.apache.eventmesh.state.etcd.fault;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.etcd.server.EtcdFixture;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** A runtime whose process is stopped past its lease, and goes on when another owns what it had. */
@Timeout(120)
class StoppedOwnerTest {
    private static final PageRequest ALL = PageRequest.first(100);

    @Test
    void required_E05_an_owner_process_that_was_stopped_past_its_lease_is_refused_in_every_store_when_it_goes_on() {
        String place = EtcdFixture.on(1).uri();
        try (StateStores stores = Possessions.open(List.of(place));
                OwnerProcess owner = OwnerProcess.start(place)) {
            Member member = get(stores.join("successor", Possessions.LEASE.multipliedBy(10)));
            assertThat(get(stores.deliveries().claim(member, Possessions.ORDERS)))
                    .isInstanceOf(ClaimResult.HeldByOther.class);
            owner.pause();
            Shard shard = claimEverything(stores, member);
            Map<String, Object> before = facts(stores);

            owner.resume();

            assertThat(owner.tell("write")).hasSize(9).allMatch(line -> line.endsWith(": Fenced"));
            assertThat(facts(stores)).isEqualTo(before);
            assertThat(shard.view().all().open()).isEqualTo(Possessions.MESSAGES + 1);
        }
    }

    /** Claims, and does not take over: each succeeds when its lease has ended. */
    private static Shard claimEverything(StateStores stores, Member member) {
        Eventually.holds(() -> assertThat(get(stores.deliveries().claim(member, Possessions.ORDERS)))
                .isInstanceOf(ClaimResult.Claimed.class));
        Eventually.holds(() -> assertThat(
                        get(stores.sessions().register(member, Possessions.AGENT, Possessions.LEASE.multipliedBy(10))))
                .isInstanceOf(ClaimResult.Claimed.class));
        Eventually.holds(() -> assertThat(get(stores.tasks().claim(member, new TaskId("task"))))
                .isInstanceOf(ClaimResult.Claimed.class));
        get(stores.subscriptions().connect(member, Possessions.CLIENT));
        return get(stores.deliveries().claim(member, Possessions.ORDERS))
                .claimed()
                .orElseThrow();
    }

    /** All that the six stores tell. */
    private static Map<String, Object> facts(StateStores stores) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(
                "offsets",
                get(stores.offsets().list(ProgressFilter.topic("orders"), ALL)).items());
        facts.put(
                "deliveries",
                get(stores.deliveries().list(DeliveryFilter.of(Possessions.ORDERS), ALL))
                        .items());
        facts.put("dead letters", get(stores.deadLetters().count(DeadLetterFilter.all())));
        facts.put(
                "subscriptions",
                get(stores.subscriptions().list(SubscriptionFilter.client(Possessions.CLIENT), ALL))
                        .items());
        facts.put("agent", get(stores.sessions().find(Possessions.AGENT.id())));
        facts.put("tasks", get(stores.tasks().list(TaskFilter.all(), ALL)).items());
        return facts;
    }
}
