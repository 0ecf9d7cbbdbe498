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
package org.apache.eventmesh.state.core.owner;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Ownership when answers are late, watches break, and what was written is damaged. */
class UnknownOwnershipTest {
    private static final Partition ORDERS = new Partition("orders", 3);

    private final List<String> events = new CopyOnWriteArrayList<>();
    private final SharedMap map = new SharedMap();
    private final Instance a = new Instance(map, new StoreListener() {
        @Override
        public void fenced(StoreName store, String operation, Scope scope, long epoch, long currentEpoch) {
            events.add(operation + " " + epoch + " " + currentEpoch);
        }
    });
    private final Instance b = new Instance(map);
    private final Member alice = a.join("alice");
    private final Member bob = b.join("bob");

    @AfterEach
    void close() {
        a.engine().release();
        a.close();
        b.close();
        map.close();
    }

    @Test
    void a_claim_whose_fate_was_unknown_gives_the_same_token_when_it_is_repeated() {
        a.engine().holdAnswers();
        CompletionStage<ClaimResult<Held<Partition>>> first = a.claiming(alice, ORDERS);
        Awaitility.await()
                .until(() -> Await.result(b.mesh().reading().owner(ORDERS)).isPresent());
        map.pass(Instance.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(first)).isInstanceOf(OutcomeUnknownException.class);
        Token<Partition> standing =
                Await.result(b.mesh().reading().owner(ORDERS)).orElseThrow().token();
        assertThat(a.claimed(alice, ORDERS).token()).isEqualTo(standing);
        a.engine().release();
        assertThat(a.claimed(alice, ORDERS).token()).isEqualTo(standing);
    }

    @Test
    void a_member_that_joined_too_late_does_not_live_on() {
        a.engine().holdAnswers();
        CompletionStage<Member> joining = a.mesh().members().join("late", Instance.LEASE);
        Awaitility.await().until(() -> members() == 3);
        map.pass(Instance.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(joining)).isInstanceOf(OutcomeUnknownException.class);
        a.engine().release();
        Awaitility.await().until(() -> members() == 2);
    }

    @Test
    void a_broken_watch_finds_what_happened_meanwhile() {
        CompletionStage<Fenced> taken =
                a.handle(a.claimed(alice, ORDERS).token()).lost();
        CompletionStage<Fenced> kept =
                a.handle(a.claimed(alice, new ClientId("c")).token()).lost();
        // the watch runs when it has told something
        CompletionStage<Fenced> first =
                a.handle(a.claimed(alice, new ClientId("d")).token()).lost();
        b.takeOver(bob, new ClientId("d"));
        Await.result(first);

        a.engine().breakWatches(() -> b.takeOver(bob, ORDERS));
        assertThat(Await.result(taken).current().orElseThrow().holder()).isEqualTo(bob.holder());
        assertThat(kept.toCompletableFuture()).isNotDone();
        b.takeOver(bob, new ClientId("c"));
        Await.result(kept);
    }

    @Test
    void a_refused_write_is_an_event_and_the_handle_knows_before_the_caller() {
        Token<Partition> old = a.claimed(alice, ORDERS).token();
        long current = b.takeOver(bob, ORDERS).token().epoch();
        OwnedScope<Partition> handle = a.handle(old);
        CompletionStage<Fenced> lost = handle.lost();
        assertThat(a.write(old)).isPresent();
        assertThat(lost.toCompletableFuture().isDone()).isTrue();
        assertThat(a.handle(old).lost().toCompletableFuture().isDone()).isTrue();
        Awaitility.await().until(() -> events.equals(List.of("write " + old.epoch() + " " + current)));
    }

    @Test
    void a_holder_record_that_cannot_be_decoded_is_named_and_a_takeover_is_the_way_out() {
        Token<Partition> old = a.claimed(alice, ORDERS).token();
        map.map().put(OwnerKeys.holder(ORDERS), Bytes.of((byte) 1, (byte) 2));
        assertThatThrownBy(() -> b.claim(bob, ORDERS))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("HOLDER")
                .hasMessageContaining("orders");
        assertThat(Await.result(b.mesh().reading().ownedBy("alice", PageRequest.first(10)))
                        .unreadable())
                .hasSize(1);
        Token<Partition> now = b.takeOver(bob, ORDERS).token();
        assertThat(now.epoch()).isGreaterThan(old.epoch());
        assertThat(a.write(old)).isPresent();
    }

    @Test
    void epochs_of_scopes_that_share_a_counter_rise_for_each() {
        AgentId agent = new AgentId("x");
        ClientId sharing = sharingCounterWith(agent);
        long first = a.claimed(alice, agent).token().epoch();
        long second = a.claimed(alice, sharing).token().epoch();
        Await.result(a.handle(a.claimed(alice, agent).token()).release());
        assertThat(second).isGreaterThan(first);
        assertThat(a.claimed(alice, agent).token().epoch()).isGreaterThan(second);
    }

    private long members() {
        return Await.result(map.engine().scan(KeyWriter.of(Table.MEMBER).under(), 10))
                .entries()
                .size();
    }

    private static ClientId sharingCounterWith(Scope scope) {
        for (int i = 0; ; i++) {
            ClientId client = new ClientId("client " + i);
            if (OwnerKeys.counter(client).equals(OwnerKeys.counter(scope))) {
                return client;
            }
        }
    }
}
