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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.DeliveryFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Receipt;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.BOB;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_1;
import static org.apache.eventmesh.state.tck.contract.Examples.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** E01, of the restore: what is restored from a checkpoint is the state of then, in another life. */
public interface CheckpointRules extends Rules {
    @Test
    @OneBackend
    @Needs(Capability.CHECKPOINTS)
    default void required_E01_what_is_restored_from_a_checkpoint_is_the_state_of_then_and_no_token_of_before_counts() {
        Instance a = open("A");
        Shard first = a.shard(ORDERS_0);
        List<HandOut> given =
                get(first.open(range(0, 4, BILLING, ALICE))).handOuts().toList();
        get(first.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        Path checkpoint = kit().newPath();
        AtomicLong answered = new AtomicLong();

        // others go on meanwhile
        Path written = beside(a.shard(ORDERS_1), answered, () -> get(a.stores().checkpoint(checkpoint)));
        assertThat(written).isEqualTo(checkpoint.toAbsolutePath());
        List<Delivery> then = open(a);
        get(first.ack(Ack.of(given.get(1).receipt(), ALICE.client())));
        HandOut later = get(first.open(range(4, 5, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        Shard moved = get(a.stores().deliveries().takeOver(a.member(), ORDERS_0));
        a.close();

        Instance b = kit().openRestored("B", checkpoint);

        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).hasValue(1);
        assertThat(get(b.stores().offsets().position(ORDERS_1, BILLING)).orElse(0))
                .isBetween(0L, answered.get());
        for (Token<Partition> old : List.of(first.token(), moved.token())) {
            assertThat(get(b.stores().deliveries().shard(old).withdraw(BILLING)))
                    .isInstanceOf(Fenced.class);
        }
        Shard next = b.shard(ORDERS_0);
        assertThat(next.token().incarnation()).isNotEqualTo(first.token().incarnation());
        assertThat(next.token().epoch()).isGreaterThan(first.token().epoch());
        assertThat(next.view().readNext()).hasValue(4);
        assertThat(open(b))
                .extracting(Delivery::offset)
                .isEqualTo(offsets(then))
                .containsExactly(1L, 2L, 3L);
        for (Receipt old : List.of(given.get(2).receipt(), later.receipt())) {
            assertThat(get(next.ack(Ack.of(old, ALICE.client())))).isEqualTo(new Refused.Unknown());
        }
        // what was opened after the checkpoint is read again, and nothing of it has an identity of before
        HandOut again = get(next.open(range(4, 5, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        assertThat(again.receipt().delivery()).isNotEqualTo(later.receipt().delivery());
        passTime(HAND_OUT.plusSeconds(1));
        List<HandOut> due =
                get(next.handOut(10, HAND_OUT, delivery -> Optional.of(BOB))).handOuts();
        assertThat(due).extracting(handOut -> handOut.delivery().offset()).contains(1L, 2L, 3L);
        due.forEach(handOut -> get(next.ack(Ack.of(handOut.receipt(), BOB.client()))));
        assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).hasValue(5);
    }

    @Test
    @OneBackend
    @Needs(Capability.CHECKPOINTS)
    default void required_G04_a_checkpoint_that_cannot_be_written_is_refused_with_a_remedy_and_all_goes_on() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Path checkpoint = kit().newPath();
        get(a.stores().checkpoint(checkpoint));

        for (Path refused : List.of(checkpoint, checkpoint.resolve("in-it").resolve("deeper"))) {
            assertThatThrownBy(() -> get(a.stores().checkpoint(refused)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("checkpoint of " + refused)
                    .hasMessageContaining(kit().fixture().uri());
        }
        assertThat(get(shard.open(range(0, 1, BILLING, ALICE))).handOuts()).hasSize(1);

        a.close();
        assertThatThrownBy(() -> get(a.stores().checkpoint(kit().newPath()))).isInstanceOf(StoreClosedException.class);
    }

    @Test
    @OneBackend
    @Needs(Capability.CHECKPOINTS)
    default void required_G02_a_checkpoint_that_takes_longer_than_the_deadline_is_unknown_and_there_when_it_is_whole() {
        Instance a = open("A");
        Path checkpoint = kit().newPath();
        a.pause();
        CompletionStage<Path> asked = a.stores().checkpoint(checkpoint);

        kit().passDeadline();

        assertThatThrownBy(() -> get(asked)).isInstanceOf(OutcomeUnknownException.class);
        assertThat(Files.exists(checkpoint)).isFalse();
        a.resume();
        eventually(() -> assertThat(checkpoint).isDirectory());
        Instance b = kit().openRestored("B", checkpoint);
        assertThat(b.shard(ORDERS_0).token().incarnation())
                .isNotEqualTo(a.shard(ORDERS_0).token().incarnation());
    }

    @Test
    @OneBackend
    @Lacks(Capability.CHECKPOINTS)
    default void required_G04_where_there_are_no_checkpoints_one_is_refused_and_says_what_to_do() {
        Instance a = open("A");
        Path checkpoint = kit().newPath();

        assertThatThrownBy(() -> get(a.stores().checkpoint(checkpoint)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining(checkpoint.toString())
                .hasMessageContaining(kit().fixture().uri());

        assertThat(Files.exists(checkpoint)).isFalse();
    }

    /** Makes the call while deliveries are opened and acknowledged, and some have been before and after it. */
    private <T> T beside(Shard shard, AtomicLong answered, Supplier<T> call) {
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                long offset = answered.get();
                get(shard.open(range(offset, offset + 1, BILLING, ALICE)))
                        .handOuts()
                        .forEach(handOut -> get(shard.ack(Ack.of(handOut.receipt(), ALICE.client()))));
                answered.incrementAndGet();
            }
        });
        try {
            eventually(() -> assertThat(answered).hasValueGreaterThan(2));
            T result = call.get();
            long then = answered.get();
            eventually(() -> assertThat(answered).hasValueGreaterThan(then));
            return result;
        } finally {
            enough.set(true);
            get(work);
        }
    }

    private List<Delivery> open(Instance at) {
        return get(at.stores().deliveries().list(DeliveryFilter.of(ORDERS_0), PageRequest.first(100)))
                .items();
    }

    private static List<Long> offsets(List<Delivery> deliveries) {
        return deliveries.stream().map(Delivery::offset).toList();
    }
}
