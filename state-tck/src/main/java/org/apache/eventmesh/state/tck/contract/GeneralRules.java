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

import java.util.OptionalLong;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** Group G: what holds everywhere. */
public interface GeneralRules extends Rules {
    @Test
    default void required_G01_a_write_is_visible_to_every_later_read_through_a_peer() {
        Instance a = open("A");
        Instance b = open("B");
        Shard shard = a.shard(ORDERS_0);

        for (long position = 1; position <= 20; position++) {
            get(a.stores()
                    .offsets()
                    .reset(shard, BILLING, position == 1 ? Reset.neverServed(1) : Reset.from(position - 1, position)));

            assertThat(get(b.stores().offsets().position(ORDERS_0, BILLING))).isEqualTo(OptionalLong.of(position));
        }
    }
}
