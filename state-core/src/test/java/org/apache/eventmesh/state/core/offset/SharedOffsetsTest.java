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
package org.apache.eventmesh.state.core.offset;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.eventmesh.state.core.engine.HostMap;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.key.PublishedKey;
import org.apache.eventmesh.state.core.proto.PublishedRecord;
import org.apache.eventmesh.state.core.shard.Entering;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.world.Host;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A reset over two backends that is not made leaves where another host would begin as it was. */
class SharedOffsetsTest {
    private static final Partition PARTITION = new Partition("orders", 3);
    private static final Subscriber BILLING = Subscriber.group("billing");

    private final HostMap shared = new HostMap("shared");
    private final World world = new World(shared);
    private final Host host = new Host(world, "a");
    private final Shard shard = host.own(PARTITION);
    private final ShardLoop loop = host.loop(PARTITION);

    @AfterEach
    void close() {
        host.close();
        world.close();
    }

    private PublishedRecord published() {
        return host.published(PARTITION, BILLING).orElseThrow();
    }

    private static Ack ack(HandOut handOut) {
        return Ack.of(handOut.receipt(), Host.ALICE.client());
    }

    /** All but the last is settled and published. */
    private HandOut lastOpen() {
        List<HandOut> given =
                Await.result(shard.open(Host.range(BILLING, 0, 3))).handOuts().toList();
        Await.result(shard.ack(ack(given.get(0))));
        Await.result(shard.ack(ack(given.get(1))));
        Await.result(host.positions.publish(loop));
        assertThat(published().getPosition()).isEqualTo(2);
        return given.get(2);
    }

    @Test
    void required_L01_X02_a_reset_that_is_refused_at_last_leaves_letters_counting() {
        HandOut open = lastOpen();
        PublishedRecord before = published();
        // where another host would begin is lowered, and here the position moves on
        shared.beforeCommit(
                new PublishedKey(PARTITION, BILLING).bytes()::equals, () -> Await.result(shard.ack(ack(open))));

        ResetResult result = Await.result(host.offsets.reset(shard, BILLING, Reset.from(2, 0)));

        assertThat(result).isEqualTo(new ResetResult.Unexpected(OptionalLong.of(3)));
        assertThat(published()).isEqualTo(before.toBuilder().setPosition(3).build());
    }

    @Test
    void required_X02_a_reset_that_fails_here_is_taken_back_by_the_next_publication() {
        lastOpen();
        PublishedRecord before = published();
        host.map.failCommit(
                new ProgressKey(PARTITION, BILLING).bytes()::equals, new OverloadedException("full, says the test"));

        assertThatThrownBy(() -> Await.result(host.offsets.reset(shard, BILLING, Reset.from(2, 0))))
                .isInstanceOf(OutcomeUnknownException.class);
        assertThat(published().getPosition()).isZero();
        Await.result(host.positions.publish(loop));

        assertThat(published()).isEqualTo(before);
    }

    @Test
    void required_X02_a_reset_that_is_made_after_one_that_failed_counts() {
        lastOpen();
        PublishedRecord before = published();
        host.map.failCommit(
                new ProgressKey(PARTITION, BILLING).bytes()::equals, new OverloadedException("full, says the test"));
        assertThatThrownBy(() -> Await.result(host.offsets.reset(shard, BILLING, Reset.from(2, 0))))
                .isInstanceOf(OutcomeUnknownException.class);

        assertThat(Await.result(host.offsets.reset(shard, BILLING, Reset.from(2, 1))))
                .isInstanceOf(ResetResult.Done.class);

        assertThat(published().getPosition()).isOne();
        assertThat(published().getSinceNumber()).isGreaterThan(before.getSinceNumber());
    }

    private Whereabouts.Answer.Here whereabouts() {
        return (Whereabouts.Answer.Here) Await.result(loop.submit(new Whereabouts(Set.of(BILLING))));
    }

    @Test
    void required_O05_X02_an_advance_that_began_before_another_entered_and_was_removed_enters_nobody() {
        Whereabouts.Answer.Here here = whereabouts();
        Entering entering = new Entering(here.never(), here.number());
        Await.result(host.offsets.advance(shard, Map.of(BILLING, 9L)));
        // here alone; the row of the other entry goes when this has its answer
        Await.result(loop.submit(new Removal(BILLING)));

        assertThatThrownBy(() -> Await.result(loop.submit(new Advance(BILLING, 5, Optional.of(entering)))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("removed at the same moment");
    }

    @Test
    void required_O05_X02_an_advance_that_began_before_a_removal_ended_enters_nobody() {
        Whereabouts.Answer.Here here = whereabouts();
        Await.result(host.positions.enter(loop, Map.of(BILLING, 5L), Optional.empty(), here.number()));
        Await.result(host.positions.remove(loop, BILLING));
        Entering entering = new Entering(here.never(), here.number());

        assertThatThrownBy(() -> Await.result(loop.submit(new Advance(BILLING, 5, Optional.of(entering)))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("removed at the same moment");

        assertThat(host.published(PARTITION, BILLING)).isEmpty();
        assertThat(Await.result(host.offsets.position(PARTITION, BILLING))).isEmpty();
    }
}
