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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.ShardView;
import org.apache.eventmesh.state.delivery.ShardView.Backlog;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.AUDIT;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.apache.eventmesh.state.core.delivery.Polls.BOB;
import static org.assertj.core.api.Assertions.assertThat;

/** What a shard tells at a glance. */
class ViewTest {
    private static final Duration LATER = Duration.ofSeconds(5);

    private final SharedMap map = new SharedMap();
    private final Node node = new Node(map);
    private final Shard shard = node.claim();

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    @Test
    void counts_and_ages_are_those_of_what_is_open() {
        Instant first = map.clock().instant();
        // the younger reader is the first by name
        List<HandOut> pushed = Polls.handOuts(Await.result(shard.open(Polls.forAlice(0, 2))));
        map.pass(LATER);
        Await.result(shard.open(Polls.range(
                0,
                2,
                Set.of(AUDIT),
                Polls.message(0).to(AUDIT, BOB),
                Polls.message(1).to(AUDIT))));

        ShardView view = shard.view();
        assertThat(view.all()).isEqualTo(new Backlog(4, Optional.of(first)));
        assertThat(view.bySubscriber())
                .isEqualTo(Map.of(
                        BILLING, new Backlog(2, Optional.of(first)),
                        AUDIT, new Backlog(2, Optional.of(first.plus(LATER)))));
        assertThat(view.byReceiver())
                .isEqualTo(Map.of(
                        ALICE,
                        new Backlog(2, Optional.of(first)),
                        BOB,
                        new Backlog(1, Optional.of(first.plus(LATER)))));
        assertThat(view.nextDue()).contains(first.plus(LATER));
        assertThat(view.readNext()).hasValue(2);

        pushed.forEach(each -> Await.result(shard.ack(Ack.of(each.receipt(), ALICE.client()))));
        assertThat(shard.view().all()).isEqualTo(new Backlog(2, Optional.of(first.plus(LATER))));
        assertThat(shard.view().bySubscriber()).containsOnlyKeys(AUDIT);
        assertThat(shard.view().byReceiver()).containsOnlyKeys(BOB);
    }

    @Test
    void the_oldest_of_all_is_found_among_any_number_of_subscribers() {
        Instant first = map.clock().instant();
        for (int name : List.of(3, 0, 5, 1, 4, 2)) {
            Subscriber subscriber = Subscriber.group("group " + name);
            Await.result(shard.open(
                    Polls.range(0, 1, Set.of(subscriber), Polls.message(0).to(subscriber, ALICE))));
            map.pass(LATER);
        }

        assertThat(shard.view().all()).isEqualTo(new Backlog(6, Optional.of(first)));
        Await.result(shard.withdraw(Subscriber.group("group 3")));
        assertThat(shard.view().all()).isEqualTo(new Backlog(5, Optional.of(first.plus(LATER))));
    }

    @Test
    void where_nothing_is_open_there_is_no_age_and_nothing_is_due() {
        assertThat(shard.view().watermark()).isEmpty();
        Await.result(shard.open(Polls.range(0, 2, Set.of(AUDIT))));

        ShardView view = shard.view();
        assertThat(view.all()).isEqualTo(Backlog.NONE);
        assertThat(view.bySubscriber()).isEmpty();
        assertThat(view.byReceiver()).isEmpty();
        assertThat(view.nextDue()).isEmpty();
        assertThat(view.watermark()).hasValue(2);
    }
}
