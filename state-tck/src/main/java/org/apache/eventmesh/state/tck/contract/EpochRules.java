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
package org.apache.eventmesh.state.tck.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Owner;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.task.OwnedTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.task.TransitionResult;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** E01, E02 and E06: where epochs come from, and that a name is no proof. */
public interface EpochRules extends Rules {
    @Test
    default void required_E01_each_claim_of_a_scope_has_a_greater_epoch() {
        Instance a = open("A");
        Instance b = open("B");
        List<Token<Partition>> tokens = new ArrayList<>();

        for (int round = 0; round < 5; round++) {
            Shard claimed = a.shard(ORDERS_0);
            tokens.add(claimed.token());
            tokens.add(
                    get(b.stores().deliveries().takeOver(b.member(), ORDERS_0)).token());
            Shard back = get(a.stores().deliveries().takeOver(a.member(), ORDERS_0));
            tokens.add(back.token());
            get(back.release());
        }

        assertThat(tokens).extracting(Token::epoch).isSorted().doesNotHaveDuplicates();
        assertThat(tokens)
                .extracting(Token::incarnation)
                .containsOnly(tokens.get(0).incarnation());
        assertThat(tokens).extracting(Token::scope).containsOnly(ORDERS_0);
    }

    @Test
    default void required_E01_epochs_of_many_scopes_rise_each_for_itself() {
        Instance a = open("A");
        Map<Partition, Long> last = new HashMap<>();
        // more rounds than scopes that can collide in the counters would hide; the counters are fewer than all names
        for (int round = 0; round < 3; round++) {
            for (int number = 0; number < 200; number++) {
                Partition partition = new Partition("topic-" + number % 20, number);
                Shard shard = a.shard(partition);
                long epoch = shard.token().epoch();

                assertThat(epoch).as(partition.toString()).isGreaterThan(last.getOrDefault(partition, 0L));
                last.put(partition, epoch);
                get(shard.release());
            }
        }
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_E01_epochs_rise_across_a_restart_and_across_a_crash() {
        Instance first = open("A");
        Shard before = first.shard(ORDERS_0);
        first.close();
        Instance second = open("A");
        Shard between = second.shard(ORDERS_0);
        second.crash();

        // where a server keeps the lease of the killed, it lives on
        Instance third = open("A");
        Shard after = get(third.stores().deliveries().takeOver(third.member(), ORDERS_0));

        assertThat(between.token().epoch()).isGreaterThan(before.token().epoch());
        assertThat(after.token().epoch()).isGreaterThan(between.token().epoch());
        assertThat(after.token().incarnation()).isEqualTo(before.token().incarnation());
    }

    @Test
    @Lacks(Capability.DURABLE)
    default void required_E01_without_durability_a_restart_is_another_incarnation() {
        Instance first = open("A");
        Scene scene = new Scene("s", first);
        Token<Partition> old = scene.shard.token();
        first.close();

        Instance second = open("A");
        Shard fresh = second.shard(scene.partition);

        assertThat(fresh.token().incarnation()).isNotEqualTo(old.incarnation());
        assertThat(get(second.stores().tasks().find(scene.task.id()))).isEmpty();
        assertThat(get(second.stores().deliveries().shard(old).withdraw(scene.reader)))
                .isInstanceOf(Fenced.class);
    }

    @Test
    default void required_E01_epochs_rise_after_everything_of_the_scope_was_deleted() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        long task = scene.ownedTask.token().epoch();
        long agent = scene.agent.token().epoch();
        long client = scene.client.token().epoch();
        Task canceled = ((TransitionResult.Moved)
                        get(a.stores().tasks().cancel(scene.task.id(), scene.task.version(), "")))
                .task();
        kit().time().jump(Duration.ofSeconds(1));
        get(a.stores().tasks().purge(kit().time().now(), 10));
        get(scene.ownedTask.release());
        get(scene.agent.release());
        get(scene.client.release());
        assertThat(get(a.stores().tasks().find(canceled.id()))).isEmpty();

        get(a.stores().tasks().create(scene.shard, scene.newTask("task"), scene.carrier()));
        OwnedTask again = get(a.stores().tasks().claim(a.member(), canceled.id()))
                .claimed()
                .orElseThrow();

        assertThat(again.token().epoch()).isGreaterThan(task);
        assertThat(get(a.stores().sessions().register(a.member(), scene.agentSpec(), Scene.AGENT_LEASE))
                        .claimed()
                        .orElseThrow()
                        .token()
                        .epoch())
                .isGreaterThan(agent);
        assertThat(a.client("s-alice").token().epoch()).isGreaterThan(client);
    }

    @Test
    default void required_E01_a_token_of_another_incarnation_is_fenced() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        Token<Partition> real = scene.shard.token();
        Shard forged = a.stores()
                .deliveries()
                .shard(new Token<>("another-incarnation", real.scope(), real.epoch(), real.holder()));
        Map<String, Object> before = Digest.of(scene, a.stores());

        assertThat(get(forged.withdraw(scene.reader))).isInstanceOf(Fenced.class);
        assertThat(get(forged.ack(scene.ack(0)))).isInstanceOf(Fenced.class);
        assertThat(Digest.of(scene, a.stores())).isEqualTo(before);
    }

    @Test
    default void required_E02_a_claim_is_there_before_it_is_returned() {
        Instance a = open("A");
        Instance b = open("B");
        Shard shard = a.shard(ORDERS_0);
        a.crash();

        assertThat(get(b.stores().ownership().owner(ORDERS_0)).map(Owner::token))
                .hasValue(shard.token());
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_E02_a_claim_survives_a_crash_of_all() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        a.crash();

        Instance b = open("B");

        assertThat(get(b.stores().ownership().owner(ORDERS_0)).map(Owner::token))
                .hasValue(shard.token());
    }

    @Test
    default void required_E02_only_claims_move_epochs() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        List<Scope> scopes = List.of(
                scene.partition,
                scene.client.token().scope(),
                scene.agent.token().scope(),
                scene.task.id());
        List<Token<?>> before = new ArrayList<>();
        scopes.forEach(scope -> before.add(standing(a.stores(), scope)));

        Operation.reads().forEach(operation -> Operation.answers(operation.on(scene)));
        Operation.owned().forEach(operation -> Operation.answers(operation.on(scene)));
        get(a.member().renew());

        for (int n = 0; n < scopes.size(); n++) {
            Token<?> now = standing(a.stores(), scopes.get(n));
            assertThat(now).isEqualTo(before.get(n));
        }
    }

    private Token<?> standing(StateStores stores, Scope scope) {
        return get(stores.ownership().owner(scope)).orElseThrow().token();
    }

    @Test
    default void required_E06_two_processes_of_one_name_never_both_own() {
        Instance one = open("same");
        Instance other = open("same");
        assertThat(one.member().holder().process())
                .isNotEqualTo(other.member().holder().process());
        Scene scene = new Scene("s", one);
        StateStores stores = other.stores();

        SoftAssertions soft = new SoftAssertions();
        for (CompletionStage<? extends ClaimResult<?>> claim : List.of(
                stores.deliveries().claim(other.member(), scene.partition),
                stores.sessions().register(other.member(), scene.agentSpec(), Scene.AGENT_LEASE),
                stores.tasks().claim(other.member(), scene.task.id()))) {
            soft.assertThat(get(claim))
                    .isInstanceOfSatisfying(
                            ClaimResult.HeldByOther.class,
                            held -> assertThat(held.holder())
                                    .isEqualTo(one.member().holder()));
        }
        soft.assertAll();
        get(stores.subscriptions().connect(other.member(), new ClientId("s-alice")));
        get(stores.sessions().takeOver(other.member(), scene.agentSpec(), Scene.AGENT_LEASE));
        assertThat(get(scene.client.register(scene.interest("t")))).isInstanceOf(Fenced.class);
        assertThat(get(scene.agent.heartbeat(true, 0))).isInstanceOf(Fenced.class);
        assertThat(get(stores.sessions().find(new AgentId("s-agent")))
                        .orElseThrow()
                        .holder())
                .isEqualTo(other.member().holder());
    }
}
