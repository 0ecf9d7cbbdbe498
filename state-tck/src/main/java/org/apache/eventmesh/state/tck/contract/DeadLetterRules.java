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

import java.util.Optional;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** Group L: what was given up, and why. */
public interface DeadLetterRules extends LetterRules {
    @Test
    default void required_L01_the_last_failure_records_and_retires_in_one_step() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        HandOut given = get(shard.open(Examples.range(7, 8, BILLING, ALICE)))
                .handOuts()
                .findFirst()
                .orElseThrow();

        NackResult result =
                get(shard.nack(new Nack(given.receipt(), ALICE.client(), "no stock"), Retry.immediately(1)));

        DeadLetterId id = new DeadLetterId(ORDERS_0, 7, BILLING);
        assertThat(result)
                .isInstanceOfSatisfying(
                        NackResult.DeadLettered.class,
                        dead -> assertThat(dead.id()).isEqualTo(id));
        Optional<DeadLetter> record = get(a.stores().deadLetters().find(id));
        assertThat(record).isPresent();
        assertThat(record.get().payload()).isEqualTo(Examples.payload(7));
        assertThat(get(a.stores().deliveries().find(given.delivery().id()))).isEmpty();
    }
}
