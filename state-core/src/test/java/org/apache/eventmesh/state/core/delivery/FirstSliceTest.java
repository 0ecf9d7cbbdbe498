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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.OpenReport;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.BOB;
import static org.assertj.core.api.Assertions.assertThat;

class FirstSliceTest {
    private final SharedMap map = new SharedMap();
    private final Node node = new Node(map);

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    @Test
    void an_ack_settles_and_moves_the_position() {
        Shard shard = node.claim();
        OpenReport report = Await.result(shard.open(Polls.forAlice(100, 103)));
        List<HandOut> pushed = Polls.handOuts(report);
        assertThat(pushed).hasSize(3);
        assertThat(report.readNext()).hasValue(103);

        Ack second = Ack.of(pushed.get(1).receipt(), ALICE.client());
        assertThat(Await.result(shard.ack(second)))
                .isEqualTo(new AckResult.Acked(OptionalLong.of(100), Optional.empty()));
        assertThat(Await.result(shard.ack(Ack.of(pushed.get(0).receipt(), ALICE.client()))))
                .isEqualTo(new AckResult.Acked(OptionalLong.of(102), Optional.empty()));
        assertThat(Await.result(shard.ack(second)))
                .isEqualTo(new AckResult.Duplicate(new AckResult.Acked(OptionalLong.of(100), Optional.empty())));
        assertThat(node.open()).extracting(d -> d.offset()).containsExactly(102L);
        assertThat(shard.view().watermark()).hasValue(102);
        assertThat(shard.view().all().open()).isEqualTo(1);
    }

    @Test
    void a_nack_makes_due_and_another_gets_it() {
        Shard shard = node.claim();
        HandOut first = Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 101))))
                .get(0);
        Nack nack = new Nack(first.receipt(), ALICE.client(), "busy");
        NackResult rescheduled = Await.result(shard.nack(nack, Retry.immediately(3)));
        assertThat(rescheduled).isInstanceOf(NackResult.Rescheduled.class);
        assertThat(Await.result(shard.nack(nack, Retry.immediately(3)))).isEqualTo(rescheduled);

        List<HandOut> again = Await.result(shard.handOut(10, Duration.ofSeconds(30), due -> Optional.of(BOB)))
                .handOuts();
        assertThat(again).hasSize(1);
        assertThat(again.get(0).delivery().payload()).isEqualTo(first.delivery().payload());
        assertThat(Await.result(shard.ack(Ack.of(first.receipt(), ALICE.client()))))
                .isInstanceOf(Refused.Stale.class);
        assertThat(Await.result(shard.ack(Ack.of(again.get(0).receipt(), BOB.client())))
                        .done())
                .isTrue();
        assertThat(node.open()).isEmpty();
    }
}
