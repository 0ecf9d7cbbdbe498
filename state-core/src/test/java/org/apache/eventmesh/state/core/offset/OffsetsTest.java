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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.eventmesh.state.core.key.ProgressKey;
import org.apache.eventmesh.state.core.world.Instance;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.offset.Progress;
import org.apache.eventmesh.state.offset.ProgressFilter;
import org.apache.eventmesh.state.offset.RemoveResult;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.offset.ResetResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Outcome;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OffsetsTest {
    private static final Partition PARTITION = new Partition("orders", 0);
    private static final Subscriber BILLING = Subscriber.group("billing");

    private final World world = new World();
    private final Instance a = world.instance("a");
    private final Shard shard = a.own(PARTITION);
    private final Offsets offsets = a.offsets;

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void required_O06_never_served_is_empty() {
        assertThat(position(PARTITION, BILLING)).isEmpty();
    }

    @Test
    void required_O01_advance_raises_and_never_lowers() {
        assertThat(advance(100)).isEqualTo(new AdvanceResult.Advanced(OptionalLong.empty(), 100));
        assertThat(advance(150)).isEqualTo(new AdvanceResult.Advanced(OptionalLong.of(100), 150));
        assertThat(advance(150)).isEqualTo(new AdvanceResult.AlreadyAt(150));
        assertThat(advance(120)).isEqualTo(new AdvanceResult.AlreadyAt(150));
        assertThat(position(PARTITION, BILLING)).hasValue(150);
    }

    @Test
    void required_O02_concurrent_advances_end_at_the_highest_that_was_answered() {
        List<CompletableFuture<Map<Subscriber, Outcome<AdvanceResult>>>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(offsets.advance(shard, Map.of(BILLING, (long) (i * 37 % 100)))
                    .toCompletableFuture());
        }
        long highest = calls.stream()
                .map(call -> call.join().get(BILLING).orThrow())
                .mapToLong(result -> result instanceof AdvanceResult.Advanced raised
                        ? raised.to()
                        : ((AdvanceResult.AlreadyAt) result).current())
                .max()
                .orElseThrow();

        assertThat(highest).isEqualTo(99);
        assertThat(position(PARTITION, BILLING)).hasValue(99);
    }

    @Test
    void required_O04_reset_is_conditional_on_the_expected_position() {
        assertThat(reset(Reset.from(5, 1))).isEqualTo(new ResetResult.Unexpected(OptionalLong.empty()));
        assertThat(reset(Reset.neverServed(100))).isEqualTo(new ResetResult.Done(OptionalLong.empty(), 100, 100));
        assertThat(reset(Reset.neverServed(100))).isEqualTo(new ResetResult.Unexpected(OptionalLong.of(100)));
        assertThat(reset(Reset.from(100, 40))).isEqualTo(new ResetResult.Done(OptionalLong.of(100), 40, 40));
        assertThat(reset(Reset.from(100, 40))).isEqualTo(new ResetResult.Unexpected(OptionalLong.of(40)));
        assertThat(position(PARTITION, BILLING)).hasValue(40);
    }

    @Test
    void required_O05_a_removed_subscriber_is_never_served_and_listed_nowhere() {
        advance(100);

        assertThat(remove()).isEqualTo(new RemoveResult.Removed(true));
        assertThat(remove()).isEqualTo(new RemoveResult.Removed(false));
        assertThat(position(PARTITION, BILLING)).isEmpty();
        assertThat(listed(ProgressFilter.topic("orders"))).isEmpty();
        assertThat(listed(ProgressFilter.subscriber(BILLING))).isEmpty();
        assertThat(advance(7)).isEqualTo(new AdvanceResult.Advanced(OptionalLong.empty(), 7));
    }

    @Test
    void required_O05_lists_exactly_under_names_that_collide_when_joined_naively() {
        List<String> names = List.of("a", "a\0", "ab", "a\0b", "a/b", "😀", "b\n");
        for (String topic : names) {
            for (int number = 0; number < 2; number++) {
                Partition partition = new Partition(topic, number);
                Shard owned = a.own(partition);
                Map<Subscriber, Long> to = new HashMap<>();
                names.forEach(group -> to.put(Subscriber.group(group), 10L));
                to.put(Subscriber.single("a"), 20L);
                Await.result(offsets.advance(owned, to)).values().forEach(Outcome::orThrow);
            }
        }

        for (String name : names) {
            assertThat(listed(ProgressFilter.topic(name)))
                    .hasSize(2 * (names.size() + 1))
                    .allMatch(progress -> progress.partition().topic().equals(name));
            assertThat(listed(ProgressFilter.subscriber(Subscriber.group(name))))
                    .hasSize(2 * names.size())
                    .allMatch(progress -> progress.subscriber().equals(Subscriber.group(name)));
        }
        assertThat(listed(ProgressFilter.subscriber(Subscriber.single("a"))))
                .extracting(Progress::position)
                .containsOnly(20L);
    }

    @Test
    void required_E03_a_former_owner_changes_nothing() {
        advance(100);
        Instance b = world.instance("b");
        b.own(PARTITION);

        assertThat(advance(200)).isInstanceOf(Fenced.class);
        assertThat(reset(Reset.from(100, 1))).isInstanceOf(Fenced.class);
        assertThat(remove()).isInstanceOf(Fenced.class);
        assertThat(Await.result(b.offsets.position(PARTITION, BILLING))).hasValue(100);
    }

    @Test
    void required_G07_progress_that_cannot_be_read_is_not_never_served() {
        advance(100);
        world.map.put(new ProgressKey(PARTITION, BILLING).bytes(), World.DAMAGED);
        Instance b = world.instance("b");
        Shard taken = b.own(PARTITION);

        assertThatThrownBy(() -> position(PARTITION, BILLING)).isInstanceOf(CorruptStateException.class);
        assertThat(Await.result(b.offsets.advance(taken, Map.of(BILLING, 1L))).get(BILLING))
                .isInstanceOf(Outcome.Failed.class);
        assertThatThrownBy(() -> Await.result(b.offsets.reset(taken, BILLING, Reset.neverServed(1))))
                .isInstanceOf(CorruptStateException.class);
        Page<Progress> page = Await.result(b.offsets.list(ProgressFilter.topic("orders"), PageRequest.first(10)));
        assertThat(page.unreadable()).hasSize(1);

        assertThat(Await.result(b.offsets.remove(taken, BILLING))).isEqualTo(new RemoveResult.Removed(true));
        assertThat(Await.result(b.offsets.position(PARTITION, BILLING))).isEmpty();
    }

    @Test
    void required_G14_a_batch_beyond_the_limit_fails_by_element() {
        Map<Subscriber, Long> tooMany = new HashMap<>();
        for (int i = 0; i <= Instance.LIMITS.batch(); i++) {
            tooMany.put(Subscriber.group("g" + i), 1L);
        }

        Map<Subscriber, Outcome<AdvanceResult>> outcomes = Await.result(offsets.advance(shard, tooMany));

        assertThat(outcomes).hasSameSizeAs(tooMany);
        assertThat(outcomes.values())
                .allMatch(outcome -> outcome instanceof Outcome.Failed<AdvanceResult> failed
                        && failed.failure() instanceof LimitExceededException);
    }

    @Test
    void a_negative_offset_is_refused_on_the_caller() {
        assertThatThrownBy(() -> offsets.advance(shard, Map.of(BILLING, -1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    private AdvanceResult advance(long to) {
        return Await.result(offsets.advance(shard, Map.of(BILLING, to)))
                .get(BILLING)
                .orThrow();
    }

    private ResetResult reset(Reset reset) {
        return Await.result(offsets.reset(shard, BILLING, reset));
    }

    private RemoveResult remove() {
        return Await.result(offsets.remove(shard, BILLING));
    }

    private OptionalLong position(Partition partition, Subscriber subscriber) {
        return Await.result(offsets.position(partition, subscriber));
    }

    private List<Progress> listed(ProgressFilter filter) {
        List<Progress> all = new ArrayList<>();
        Optional<PageRequest> next = Optional.of(PageRequest.first(3));
        while (next.isPresent()) {
            Page<Progress> page = Await.result(offsets.list(filter, next.get()));
            all.addAll(page.items());
            next = page.next();
        }
        return all;
    }
}
