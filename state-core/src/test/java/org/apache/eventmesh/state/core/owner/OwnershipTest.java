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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.owner.Owner;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OwnershipTest extends TwoInstances {
    @Test
    void epochs_rise_across_release_takeover_and_reopening() {
        List<Long> epochs = new ArrayList<>();
        Token<Partition> first = a.claimed(alice, ORDERS).token();
        epochs.add(first.epoch());
        Await.result(a.handle(first).release());
        epochs.add(b.claimed(bob, ORDERS).token().epoch());
        epochs.add(a.takeOver(alice, ORDERS).token().epoch());
        a.close();
        try (Instance again = new Instance(map)) {
            epochs.add(again.takeOver(again.join("alice"), ORDERS).token().epoch());
        }
        assertThat(epochs).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void two_claims_at_once_never_get_one_epoch() {
        List<Long> between = new ArrayList<>();
        a.engine()
                .beforeCommit(() -> between.add(b.takeOver(bob, ORDERS).token().epoch()));
        Token<Partition> last = a.takeOver(alice, ORDERS).token();
        assertThat(between)
                .singleElement()
                .satisfies(epoch -> assertThat(last.epoch()).isGreaterThan(epoch));
        assertThat(a.write(last)).isEmpty();
    }

    @Test
    void the_same_member_gets_the_same_token_again() {
        Held<Partition> first = a.claimed(alice, ORDERS);
        assertThat(a.claimed(alice, ORDERS)).isEqualTo(first);
        assertThat(a.takeOver(alice, ORDERS)).isEqualTo(first);
    }

    @Test
    void two_members_of_one_name_never_both_own() {
        Member twin = b.join("alice");
        Held<Partition> mine = a.claimed(alice, ORDERS);
        ClaimResult<Held<Partition>> theirs = b.claim(twin, ORDERS);
        assertThat(theirs).isInstanceOfSatisfying(ClaimResult.HeldByOther.class, held -> {
            assertThat(held.holder()).isEqualTo(alice.holder());
            assertThat(held.epoch()).isEqualTo(mine.token().epoch());
            assertThat(held.remaining()).isEqualTo(Instance.LEASE);
        });
    }

    @Test
    void a_lapse_without_a_takeover_takes_nothing() {
        Token<Partition> token = a.claimed(alice, ORDERS).token();
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        assertThat(a.write(token)).isEmpty();
        a.wake();
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED_AFTER_LAPSE);
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED);
        assertThat(alice.live()).isTrue();
        assertThat(a.claimed(alice, ORDERS).token()).isEqualTo(token);
    }

    @Test
    void a_claim_of_a_lapsed_member_renews_it_first() {
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        Token<Partition> token = a.claimed(alice, ORDERS).token();
        assertThat(Await.result(b.mesh().reading().owner(ORDERS))).contains(new Owner<>(token, Instance.LEASE));
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED_AFTER_LAPSE);
    }

    @Test
    void when_the_lease_has_ended_another_claims_and_the_first_is_fenced() {
        Token<Partition> old = a.claimed(alice, ORDERS).token();
        CompletionStage<Fenced> lost = a.handle(old).lost();
        a.pause();
        map.pass(Instance.LEASE.plusSeconds(1));
        Token<Partition> current = b.claimed(bob, ORDERS).token();
        Fenced expected = new Fenced(Optional.of(new Fenced.Current(current.epoch(), bob.holder())));
        assertThat(a.write(old)).contains(expected);
        assertThat(Await.result(lost)).isEqualTo(expected);
        assertThat(b.write(current)).isEmpty();
        Await.result(a.handle(old).release());
        assertThat(b.write(current)).isEmpty();
    }

    @Test
    void renewals_keep_a_claim_while_time_passes() {
        a.claimed(alice, ORDERS);
        for (int i = 0; i < 10; i++) {
            map.pass(Instance.LEASE.dividedBy(3).plusMillis(20));
            Awaitility.await().until(alice::live);
            Awaitility.await()
                    .until(() -> Await.result(b.mesh().reading().owner(ORDERS))
                                    .orElseThrow()
                                    .remaining()
                                    .compareTo(Instance.LEASE.minusSeconds(1))
                            > 0);
        }
        assertThat(b.claim(bob, ORDERS)).isInstanceOf(ClaimResult.HeldByOther.class);
        assertThat(Await.result(alice.renew())).isEqualTo(Renewal.RENEWED);
    }

    @Test
    void the_watch_tells_of_a_takeover_that_nobody_writes_into() {
        Token<Partition> old = a.claimed(alice, ORDERS).token();
        CompletionStage<Fenced> lost = a.handle(old).lost();
        CompletionStage<Fenced> again = a.handle(old).lost();
        long epoch = b.takeOver(bob, ORDERS).token().epoch();
        assertThat(Await.result(lost).current().orElseThrow().epoch()).isEqualTo(epoch);
        assertThat(Await.result(again)).isEqualTo(Await.result(lost));
        // asked for afterwards
        assertThat(Await.result(a.handle(old).lost())).isEqualTo(Await.result(lost));
    }

    @Test
    void losses_of_different_scopes_are_told_apart() {
        CompletionStage<Fenced> lost =
                a.handle(a.claimed(alice, ORDERS).token()).lost();
        CompletionStage<Fenced> other =
                a.handle(a.claimed(alice, new ClientId("c")).token()).lost();
        b.takeOver(bob, ORDERS);
        assertThat(Await.result(lost).current()).isPresent();
        assertThat(other.toCompletableFuture()).isNotDone();
        Await.result(b.handle(b.takeOver(bob, new ClientId("c")).token()).release());
        Await.result(other);
    }

    @Test
    void who_leaves_gives_everything_back() {
        List<Token<ClientId>> tokens = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            tokens.add(a.claimed(alice, new ClientId("client " + i)).token());
        }
        Token<Partition> shard = a.claimed(alice, ORDERS).token();
        b.takeOver(bob, new ClientId("client 7"));
        Await.result(alice.leave());
        assertThat(a.write(shard)).contains(new Fenced(Optional.empty()));
        assertThat(a.write(tokens.get(150))).contains(new Fenced(Optional.empty()));
        assertThat(Await.result(a.mesh().reading().ownedBy("alice", PageRequest.first(10)))
                        .items())
                .isEmpty();
        assertThat(Await.result(a.mesh().reading().ownedBy("bob", PageRequest.first(10)))
                        .items())
                .hasSize(1);
        assertThat(alice.live()).isFalse();
        assertThatThrownBy(() -> a.claim(alice, ORDERS)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Await.result(alice.renew())).isInstanceOf(IllegalStateException.class);
        Await.result(alice.leave());
    }

    @Test
    void a_token_of_another_incarnation_or_of_an_epoch_that_never_was_is_fenced() {
        Token<Partition> token = a.claimed(alice, ORDERS).token();
        Fenced current = new Fenced(Optional.of(new Fenced.Current(token.epoch(), alice.holder())));
        assertThat(a.write(new Token<>("another life", ORDERS, token.epoch(), token.holder())))
                .contains(current);
        assertThat(a.write(new Token<>(token.incarnation(), ORDERS, token.epoch() + 1, token.holder())))
                .contains(current);
        assertThat(a.write(new Token<>(token.incarnation(), ORDERS, token.epoch(), bob.holder())))
                .contains(current);
        assertThat(a.write(token)).isEmpty();
    }

    @Test
    void what_a_dead_member_held_can_still_be_listed_page_by_page() {
        for (int i = 0; i < 25; i++) {
            a.claimed(alice, new Partition("orders", i));
        }
        a.close();
        map.pass(Duration.ofHours(1));
        List<Owner<?>> all = new ArrayList<>();
        Page<Owner<?>> page = Await.result(b.mesh().reading().ownedBy("alice", PageRequest.first(10)));
        all.addAll(page.items());
        while (page.next().isPresent()) {
            page = Await.result(b.mesh().reading().ownedBy("alice", page.next().get()));
            all.addAll(page.items());
        }
        assertThat(all).hasSize(25).allSatisfy(owner -> {
            assertThat(owner.remaining()).isZero();
            assertThat(owner.token().holder()).isEqualTo(alice.holder());
        });
    }

    @Test
    void a_member_of_another_store_set_is_refused() {
        assertThatThrownBy(() -> b.claim(alice, ORDERS)).isInstanceOf(IllegalArgumentException.class);
    }
}
