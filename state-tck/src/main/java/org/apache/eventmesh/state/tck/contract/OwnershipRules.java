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

import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** Group E: epochs and ownership. */
public interface OwnershipRules extends Rules {
    @Test
    default void required_E04_a_claim_is_refused_while_the_lease_of_another_lives() {
        Instance a = open("A");
        Instance b = open("B");
        Token<?> held = a.shard(ORDERS_0).token();

        ClaimResult<Shard> second = get(b.stores().deliveries().claim(b.member(), ORDERS_0));

        assertThat(second).isInstanceOfSatisfying(ClaimResult.HeldByOther.class, other -> {
            assertThat(other.holder()).isEqualTo(a.member().holder());
            assertThat(other.epoch()).isEqualTo(held.epoch());
            assertThat(other.remaining()).isPositive().isLessThanOrEqualTo(Instance.LEASE);
        });
    }
}
