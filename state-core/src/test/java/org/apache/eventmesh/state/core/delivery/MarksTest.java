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
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.FanOut;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.OpenResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** How long a settled delivery is remembered. */
class MarksTest {
    private static final Bytes HANDLE = Bytes.utf8("handle");

    private final SharedMap map = new SharedMap();
    private Node node = new Node(map);
    private Shard shard = node.claim();

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    private void restart() {
        node.close();
        node = new Node(map);
        shard = node.takeOver();
    }

    private Ack acked(OpenBatch batch) {
        HandOut pushed = Polls.handOuts(Await.result(shard.open(batch))).get(0);
        Ack ack = Ack.of(pushed.receipt(), ALICE.client());
        assertThat(Await.result(shard.ack(ack))).isInstanceOf(AckResult.Acked.class);
        return ack;
    }

    private int marks() {
        return Await.result(map.map().scan(KeyWriter.of(Table.MARK).under(), 100))
                        .entries()
                        .size()
                + Await.result(map.map()
                                .scan(KeyWriter.of(Table.MARK_BY_MESSAGE).under(), 100))
                        .entries()
                        .size();
    }

    private void awaitMarks(int count) {
        Awaitility.await().untilAsserted(() -> assertThat(marks()).isEqualTo(count));
    }

    private static OpenBatch unordered() {
        return Polls.unordered(Polls.message(5).to(BILLING, ALICE));
    }

    private OpenResult openAgain(OpenBatch batch) {
        return Polls.result(Await.result(shard.open(batch)), 0);
    }

    @Test
    void a_mark_lasts_ten_minutes_after_settlement() {
        Ack ack = acked(Polls.forAlice(100, 101));
        map.pass(Node.MARKS.minusSeconds(2));
        assertThat(Await.result(shard.ack(ack))).isInstanceOf(AckResult.Duplicate.class);
        assertThat(marks()).isEqualTo(1);
        map.pass(Duration.ofSeconds(5));
        awaitMarks(0);
        assertThat(Await.result(shard.ack(ack))).isEqualTo(new Refused.Unknown());
    }

    @Test
    void after_a_restart_it_lasts_anew() {
        Ack found = acked(Polls.forAlice(100, 101));
        HandOut late = Polls.handOuts(Await.result(shard.open(Polls.forAlice(101, 102))))
                .get(0);
        map.pass(Node.MARKS.minusMinutes(1));
        restart();
        map.pass(Node.MARKS.minusMinutes(1));
        assertThat(Await.result(shard.ack(found))).isInstanceOf(AckResult.Duplicate.class);
        Ack settledSince = Ack.of(late.receipt(), ALICE.client());
        assertThat(Await.result(shard.ack(settledSince))).isInstanceOf(AckResult.Acked.class);
        map.pass(Duration.ofMinutes(2));
        awaitMarks(1);
        assertThat(Await.result(shard.ack(found))).isEqualTo(new Refused.Unknown());
        assertThat(Await.result(shard.ack(settledSince))).isInstanceOf(AckResult.Duplicate.class);
        map.pass(Node.MARKS);
        awaitMarks(0);
    }

    @Test
    void a_repeat_from_an_unordered_source_is_recognised_while_the_mark_lasts() {
        acked(unordered());
        assertThat(marks()).isEqualTo(2);
        assertThat(openAgain(unordered())).isEqualTo(new OpenResult.AlreadySettled());
        map.pass(Node.MARKS.plusSeconds(3));
        awaitMarks(0);
        assertThat(openAgain(unordered())).isInstanceOf(OpenResult.Opened.class);
    }

    @Test
    void with_a_fan_out_it_lasts_from_the_confirmation() {
        OpenBatch batch =
                Polls.unordered(Polls.message(5).to(BILLING, ALICE).brokerHandle(HANDLE, Duration.ofHours(1)));
        acked(batch);
        map.pass(Node.MARKS.multipliedBy(2));
        assertThat(openAgain(batch)).isEqualTo(new OpenResult.AlreadySettled());
        confirm();
        map.pass(Node.MARKS.minusSeconds(2));
        assertThat(openAgain(unordered())).isEqualTo(new OpenResult.AlreadySettled());
        map.pass(Duration.ofSeconds(5));
        awaitMarks(0);
        assertThat(openAgain(unordered())).isInstanceOf(OpenResult.Opened.class);
    }

    @Test
    void also_when_the_restart_came_between() {
        OpenBatch batch =
                Polls.unordered(Polls.message(5).to(BILLING, ALICE).brokerHandle(HANDLE, Duration.ofHours(1)));
        acked(batch);
        restart();
        map.pass(Node.MARKS.plusMinutes(1));
        // the sweep of what was found has passed it
        Awaitility.await().until(() -> Await.result(shard.completed(1)).size() == 1);
        assertThat(openAgain(batch)).isEqualTo(new OpenResult.AlreadySettled());
        confirm();
        map.pass(Node.MARKS.minusSeconds(2));
        assertThat(openAgain(unordered())).isEqualTo(new OpenResult.AlreadySettled());
        map.pass(Duration.ofMinutes(1));
        awaitMarks(0);
    }

    private void confirm() {
        List<FanOut> completed = Await.result(shard.completed(10));
        assertThat(completed).extracting(FanOut::brokerHandle).containsExactly(HANDLE);
        assertThat(Await.result(shard.confirm(completed))).isEqualTo(new SweepResult.Done(1));
        assertThat(Await.result(shard.completed(10))).isEmpty();
        assertThat(Optional.of(marks())).hasValue(2);
    }
}
