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
import java.util.OptionalLong;
import org.apache.eventmesh.state.delivery.Ack;
import org.apache.eventmesh.state.delivery.AckResult;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ALICE;
import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** Group D: what was handed out and is not settled. */
public interface DeliveryRules
        extends OpeningRules, AckRules, HandOutRules, ReleaseRules, RecoveryRules, FanOutRules, WatermarkRules {
    @Test
    default void required_D03_an_ack_moves_the_position_to_the_lowest_open_offset() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        List<HandOut> given = get(shard.open(Examples.range(100, 103, BILLING, ALICE)))
                .handOuts()
                .toList();

        AckResult second = get(shard.ack(Ack.of(given.get(1).receipt(), ALICE.client())));
        AckResult first = get(shard.ack(Ack.of(given.get(0).receipt(), ALICE.client())));

        assertThat(second)
                .isInstanceOfSatisfying(
                        AckResult.Acked.class,
                        acked -> assertThat(acked.position()).isEqualTo(OptionalLong.of(100)));
        assertThat(first)
                .isInstanceOfSatisfying(
                        AckResult.Acked.class,
                        acked -> assertThat(acked.position()).isEqualTo(OptionalLong.of(102)));
        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(102));
    }
}
