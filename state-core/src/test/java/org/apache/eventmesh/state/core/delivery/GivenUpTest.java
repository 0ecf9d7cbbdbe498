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
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.DeadLetterRecord;
import org.apache.eventmesh.state.core.proto.Failure;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Refused;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.delivery.SweepResult;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.delivery.Polls.ALICE;
import static org.apache.eventmesh.state.core.delivery.Polls.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** What is kept of failures, and of what was given up. */
class GivenUpTest {
    private final SharedMap map = new SharedMap();
    private final Node node = new Node(map, StoreLimits.DEFAULT.withHandOuts(99), Durability.DISK, StoreListener.NONE);
    private final Shard shard = node.claim();

    @AfterEach
    void close() {
        node.close();
        map.close();
    }

    @Test
    void of_many_failures_the_last_are_kept_and_all_are_counted() {
        HandOut held =
                Polls.handOuts(Await.result(shard.open(Polls.forAlice(0, 1)))).get(0);
        for (int failure = 1; failure <= 23; failure++) {
            Nack nack = new Nack(held.receipt(), ALICE.client(), "failure " + failure);
            Await.result(shard.nack(nack, Retry.immediately(99)));
            held = Await.result(shard.handOut(1, Polls.LEASE, due -> Optional.of(ALICE)))
                    .handOuts()
                    .get(0);
        }
        assertThat(held.delivery().failures()).isEqualTo(23);
        assertThat(held.delivery().lastFailure()).contains("failure 23");

        Await.result(shard.deadLetter(held.receipt(), "enough"));
        DeadLetterRecord letter = letter();
        assertThat(letter.getFailureCount()).isEqualTo(23);
        assertThat(letter.getHandOuts()).isEqualTo(24);
        assertThat(letter.getFailuresList())
                .extracting(Failure::getReason)
                .hasSize(20)
                .startsWith("failure 4")
                .endsWith("failure 23");
    }

    @Test
    void a_letter_in_the_place_of_an_older_one_is_listed_once() {
        give(Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 101)))).get(0), "first");
        map.pass(Duration.ofSeconds(1));
        Await.result(node.offsets().reset(shard, BILLING, Reset.from(101, 100)));
        give(Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 101)))).get(0), "second");

        assertThat(letter().getReason()).isEqualTo("second");
        assertThat(under(Table.DEAD_LETTER_BY_TIME)).hasSize(1);
        assertThat(under(Table.DEAD_LETTER_BY_TOPIC)).hasSize(1);
        assertThat(under(Table.DEAD_LETTER_BY_SUBSCRIBER)).hasSize(1);
    }

    @Test
    void who_gave_it_up_is_told_so_again_and_nobody_else() {
        List<HandOut> pushed = Polls.handOuts(Await.result(shard.open(Polls.forAlice(100, 102))));
        HandOut held = pushed.get(0);
        NackResult first = Await.result(shard.deadLetter(held.receipt(), "poison"));

        assertThat(first).isInstanceOf(NackResult.DeadLettered.class);
        assertThat(Await.result(shard.deadLetter(held.receipt(), "poison"))).isEqualTo(first);
        assertThat(Await.result(shard.nack(new Nack(held.receipt(), ALICE.client(), "no"), Retry.immediately(9))))
                .isEqualTo(first);
        assertThat(Await.result(shard.withdraw(BILLING))).isEqualTo(new SweepResult.Done(1));
        assertThat(Await.result(shard.deadLetter(pushed.get(1).receipt(), "poison")))
                .isEqualTo(new Refused.Settled(Refused.How.WITHDRAWN));
    }

    private void give(HandOut held, String reason) {
        assertThat(Await.result(shard.deadLetter(held.receipt(), reason))).isInstanceOf(NackResult.DeadLettered.class);
    }

    private DeadLetterRecord letter() {
        return Records.DEAD_LETTER.decode(under(Table.DEAD_LETTER).get(0)).record();
    }

    private List<Entry> under(Table table) {
        return Await.result(map.map().scan(KeyWriter.of(table).under(), 100)).entries();
    }
}
