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
package org.apache.eventmesh.state.core.home;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.world.Host;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is published is never ahead of what another host has to deliver, whatever happened since it was seen. */
class PublicationTest {
    private static final Partition PARTITION = new Partition("orders", 3);
    private static final Subscriber BILLING = Subscriber.group("billing");
    private static final Subscriber AUDIT = Subscriber.group("audit");

    private final World world = new World();
    private final Host host = new Host(world, "a");
    private final Shard shard = host.own(PARTITION);
    private final ShardLoop loop = host.loop(PARTITION);

    @AfterEach
    void close() {
        host.close();
        world.close();
    }

    private void settle(Subscriber subscriber, long from, long to) {
        List<HandOut> given = Await.result(shard.open(Host.range(subscriber, from, to)))
                .handOuts()
                .toList();
        given.forEach(handOut -> Await.result(shard.ack(Ack.of(handOut.receipt(), Host.ALICE.client()))));
    }

    private Optional<Long> published(Subscriber subscriber) {
        return host.published(PARTITION, subscriber).map(PublishedRecord::getPosition);
    }

    /** A look that sees what is not synced yet. */
    private void seen() {
        assertThat(Await.result(host.positions.publish(loop))).isZero();
    }

    private void publish() {
        host.map.sync();
        Await.result(host.positions.publish(loop));
    }

    @Test
    void required_X02_D11_what_was_seen_before_a_withdrawal_is_not_published_after_it() {
        host.map.holdSync();
        settle(BILLING, 0, 3);
        seen();
        Await.result(shard.withdraw(BILLING));
        assertThat(published(BILLING)).isEmpty();

        publish();

        assertThat(published(BILLING)).isEmpty();
    }

    @Test
    void required_X02_O05_what_was_seen_before_a_removal_is_not_published_after_it() {
        host.map.holdSync();
        settle(BILLING, 0, 3);
        seen();
        Await.result(host.offsets.remove(shard, BILLING));

        publish();

        assertThat(published(BILLING)).isEmpty();
    }

    @Test
    void required_X02_what_was_seen_of_an_entry_that_has_ended_does_not_raise_the_next() {
        host.map.holdSync();
        settle(BILLING, 0, 3);
        seen();
        Await.result(shard.withdraw(BILLING));
        Await.result(shard.open(Host.range(BILLING, 1, 3)));
        assertThat(published(BILLING)).hasValue(1L);

        publish();

        assertThat(published(BILLING)).hasValue(1L);
    }

    @Test
    void what_was_seen_of_others_is_published_although_somebody_enters_meanwhile() {
        host.map.holdSync();
        settle(BILLING, 0, 3);
        seen();
        // all that was seen is synced now, and nothing that comes
        host.map.holdSync();
        Await.result(shard.open(Host.range(AUDIT, 0, 3)));

        Await.result(host.positions.publish(loop));

        assertThat(published(BILLING)).hasValue(3L);
    }

    @Test
    void required_X02_what_is_left_of_a_withdrawal_keeps_the_row_of_who_has_entered_again() {
        settle(BILLING, 0, 3);
        Await.result(shard.withdraw(BILLING));
        Await.result(shard.open(Host.range(BILLING, 1, 3)));

        // as when the shared backend was away, and the caller had its answer long ago
        Await.result(host.positions.remove(loop, BILLING));

        assertThat(published(BILLING)).hasValue(1L);
    }

    @Test
    void required_X02_of_two_calls_that_enter_a_subscriber_the_lower_position_stands() {
        enter(10, 100);
        enter(20, 101);

        assertThat(published(BILLING)).hasValue(10L);
    }

    @Test
    void required_X02_a_call_that_comes_late_does_not_enter_who_is_served() {
        Await.result(shard.open(Host.range(BILLING, 1, 3)));

        enter(20, 1_000_000);

        assertThat(published(BILLING)).hasValue(1L);
        assertThat(host.published(PARTITION, BILLING).orElseThrow().getSinceNumber())
                .isLessThan(1_000_000);
    }

    private void enter(long at, long number) {
        Await.result(host.positions.enter(loop, Map.of(BILLING, at), Optional.of(Host.GENERATION), number));
    }

    @Test
    void required_G08_X03_a_damaged_row_keeps_no_other_from_publication_and_no_release() {
        settle(BILLING, 0, 1);
        settle(AUDIT, 0, 1);
        Await.result(host.positions.publish(loop));
        PublishedKey damaged = new PublishedKey(PARTITION, AUDIT);
        world.map.put(damaged.bytes(), World.DAMAGED);
        settle(BILLING, 1, 3);
        settle(AUDIT, 1, 3);

        Await.result(host.positions.publish(loop));

        assertThat(published(BILLING)).hasValue(3L);
        assertThat(world.map.get(damaged.bytes()).orElseThrow().value()).isEqualTo(World.DAMAGED);
        Await.result(host.positions.publish(loop));
        Await.result(shard.release());
        Awaitility.await().until(() -> !host.unreadable.isEmpty());
        assertThat(host.unreadable)
                .as("told once")
                .singleElement()
                .satisfies(row -> assertThat(row.key()).contains("PUBLISHED").contains("audit"));
    }

    @Test
    void nothing_is_kept_of_shards_that_were_lost() {
        for (int round = 0; round < 5; round++) {
            Partition partition = new Partition("others", round);
            Shard other = host.own(partition);
            ShardLoop lost = host.loop(partition);
            Await.result(other.open(Host.range(BILLING, 0, 1)));
            host.positions.tick(host.shards.owned());
            Await.result(other.release());
            Awaitility.await().until(() -> lost.past().isPresent());
            // whoever has the handle still may come back
            Await.result(host.positions.remove(lost, BILLING));
        }
        assertThat(host.positions.remembered()).isGreaterThan(1);

        host.positions.tick(host.shards.owned());

        assertThat(host.positions.remembered()).as("the one that is owned").isOne();
    }
}
