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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.ReaderResult;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.Source;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_1;
import static org.apache.eventmesh.state.tck.contract.Examples.SHIPPING;
import static org.assertj.core.api.Assertions.assertThat;

/** Group O: progress of a subscriber in a partition. */
public interface OffsetRules extends PositionRules {
    private AdvanceResult advance(Instance at, Shard shard, Subscriber subscriber, long to) {
        return Operation.answer(get(at.stores().offsets().advance(shard, Map.of(subscriber, to))), subscriber);
    }

    private OptionalLong position(Instance at, Partition partition, Subscriber subscriber) {
        return get(at.stores().offsets().position(partition, subscriber));
    }

    @Test
    default void required_O01_an_advance_tells_from_where_to_where() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);

        assertThat(advance(a, shard, BILLING, 100)).isEqualTo(new AdvanceResult.Advanced(OptionalLong.empty(), 100));
        assertThat(advance(a, shard, BILLING, 103)).isEqualTo(new AdvanceResult.Advanced(OptionalLong.of(100), 103));
        assertThat(advance(a, shard, BILLING, 103)).isEqualTo(new AdvanceResult.AlreadyAt(103));
        assertThat(advance(a, shard, BILLING, 7)).isEqualTo(new AdvanceResult.AlreadyAt(103));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(103));
    }

    @Test
    default void required_O01_a_position_stays_at_the_lowest_open_offset() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given = get(shard.open(Examples.range(100, 103, BILLING, ALICE)))
                .handOuts()
                .toList();

        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(100));
        assertThat(advance(a, shard, BILLING, 200)).isEqualTo(new AdvanceResult.HeldBack(100));
        get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client())));
        assertThat(advance(a, shard, BILLING, 200)).isEqualTo(new AdvanceResult.HeldBack(101));
        get(shard.ack(Ack.of(given.get(2).receipt(), ALICE.client())));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(101));
        get(shard.ack(Ack.of(given.get(1).receipt(), ALICE.client())));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(103));
        assertThat(advance(a, shard, BILLING, 200)).isEqualTo(new AdvanceResult.Advanced(OptionalLong.of(103), 200));
    }

    @Test
    default void required_O01_a_range_of_which_a_reader_gets_nothing_moves_its_position() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);

        get(shard.open(new OpenBatch(
                new Source.Range(Examples.GENERATION, 50, 60, Set.of(BILLING, SHIPPING)),
                List.of(Examples.message(55).to(BILLING, ALICE)),
                Examples.HAND_OUT)));

        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(55));
        assertThat(position(a, ORDERS_0, SHIPPING)).isEqualTo(OptionalLong.of(60));
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_O03_a_position_is_the_same_after_a_restart_and_after_a_crash() {
        Instance a = open("A");
        advance(a, a.shard(ORDERS_0), BILLING, 100);
        a.close();
        Instance b = open("B");
        assertThat(position(b, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(100));
        advance(b, b.shard(ORDERS_0), BILLING, 110);
        b.crash();

        assertThat(position(open("C"), ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(110));
    }

    @Test
    default void required_O04_a_reset_rewinds_when_the_position_is_the_expected_one() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        advance(a, shard, BILLING, 100);

        assertThat(get(a.stores().offsets().reset(shard, BILLING, Reset.from(99, 10))))
                .isEqualTo(new ResetResult.Unexpected(OptionalLong.of(100)));
        assertThat(get(a.stores().offsets().reset(shard, BILLING, Reset.neverServed(10))))
                .isEqualTo(new ResetResult.Unexpected(OptionalLong.of(100)));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(100));
        assertThat(get(a.stores().offsets().reset(shard, BILLING, Reset.from(100, 10))))
                .isEqualTo(new ResetResult.Done(OptionalLong.of(100), 10, 10));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(10));
        assertThat(get(a.stores().offsets().reset(shard, SHIPPING, Reset.from(0, 10))))
                .isEqualTo(new ResetResult.Unexpected(OptionalLong.empty()));
        assertThat(get(a.stores().offsets().reset(shard, SHIPPING, Reset.neverServed(10))))
                .isEqualTo(new ResetResult.Done(OptionalLong.empty(), 10, 10));
    }

    @Test
    default void required_O04_a_reset_keeps_what_is_open() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given = get(shard.open(Examples.range(100, 102, BILLING, ALICE)))
                .handOuts()
                .toList();

        ResetResult forwards = get(a.stores().offsets().reset(shard, BILLING, Reset.from(100, 500)));
        assertThat(forwards).isEqualTo(new ResetResult.Done(OptionalLong.of(102), 500, 100));
        given.forEach(handOut -> get(shard.ack(Ack.of(handOut.receipt(), ALICE.client()))));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(500));
    }

    @Test
    default void required_O04_after_a_rewind_the_same_offsets_are_opened_again() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut first = get(shard.open(Examples.range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();
        get(shard.ack(Ack.of(first.receipt(), ALICE.client())));
        get(a.stores().offsets().reset(shard, BILLING, Reset.from(1, 0)));

        HandOut again = get(shard.open(Examples.range(0, 1, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();

        assertThat(again.delivery().offset()).isZero();
        assertThat(again.delivery().id()).isNotEqualTo(first.delivery().id());
    }

    @Test
    default void required_O04_a_reset_leads_into_another_life_of_the_topic() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(Examples.range(100, 101, BILLING)));
        OpenBatch otherLife = OpenBatch.range("life-2", 0, 1, Set.of(BILLING), List.of(), Examples.HAND_OUT);

        assertThat(Operation.answer(get(shard.open(otherLife)).readers(), BILLING))
                .isEqualTo(new OpenResult.OtherGeneration(Examples.GENERATION, 101));
        get(a.stores().offsets().reset(shard, BILLING, Reset.from(100, 0).generation("life-2")));
        assertThat(Operation.answer(get(shard.open(otherLife)).readers(), BILLING))
                .isEqualTo(new ReaderResult.At(1));
    }

    @Test
    default void required_O05_progress_is_removed_and_listings_are_exact() {
        Instance a = open("A");
        Shard zero = a.shard(ORDERS_0);
        Shard one = a.shard(ORDERS_1);
        Shard elsewhere = a.shard(new Partition("order", 0));
        get(a.stores().offsets().advance(zero, Map.of(BILLING, 1L, SHIPPING, 2L)));
        get(a.stores().offsets().advance(one, Map.of(BILLING, 3L)));
        get(a.stores().offsets().advance(elsewhere, Map.of(BILLING, 4L)));

        assertThat(listed(a, ProgressFilter.topic("orders")))
                .containsExactly(
                        new Progress(ORDERS_0, BILLING, 1),
                        new Progress(ORDERS_0, SHIPPING, 2),
                        new Progress(ORDERS_1, BILLING, 3));
        assertThat(listed(a, ProgressFilter.subscriber(BILLING)))
                .containsExactly(
                        new Progress(new Partition("order", 0), BILLING, 4),
                        new Progress(ORDERS_0, BILLING, 1),
                        new Progress(ORDERS_1, BILLING, 3));
        assertThat(get(a.stores().offsets().remove(zero, BILLING))).isEqualTo(new RemoveResult.Removed(true));
        assertThat(get(a.stores().offsets().remove(zero, BILLING))).isEqualTo(new RemoveResult.Removed(false));
        assertThat(listed(a, ProgressFilter.subscriber(BILLING)))
                .containsExactly(
                        new Progress(new Partition("order", 0), BILLING, 4), new Progress(ORDERS_1, BILLING, 3));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.empty());
    }

    private List<Progress> listed(Instance at, ProgressFilter filter) {
        return get(at.stores().offsets().list(filter, PageRequest.first(100))).items();
    }

    @Test
    default void required_O05_what_has_open_deliveries_is_not_removed() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        get(shard.open(Examples.range(0, 3, BILLING, Optional.empty())));

        assertThat(get(a.stores().offsets().remove(shard, BILLING))).isEqualTo(new RemoveResult.HasOpen(3));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.of(0));
        get(shard.withdraw(BILLING));
        assertThat(get(a.stores().offsets().remove(shard, BILLING))).isEqualTo(new RemoveResult.Removed(false));
        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.empty());
    }

    @Test
    default void required_O06_never_served_is_empty() {
        Instance a = open("A");
        get(a.stores().offsets().advance(a.shard(ORDERS_0), Map.of(SHIPPING, 0L)));

        assertThat(position(a, ORDERS_0, BILLING)).isEqualTo(OptionalLong.empty());
        assertThat(position(a, ORDERS_0, SHIPPING)).isEqualTo(OptionalLong.of(0));
        assertThat(position(a, ORDERS_1, SHIPPING)).isEqualTo(OptionalLong.empty());
    }
}
