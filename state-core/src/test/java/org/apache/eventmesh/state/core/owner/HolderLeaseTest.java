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
package org.apache.eventmesh.state.core.owner;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.AgentLeaseRecord;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.proto.MemberRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which lease keeps others from a scope, and what goes with a scope. */
class HolderLeaseTest {
    private static final Partition ORDERS = new Partition("orders", 3);
    private static final AgentId AGENT = new AgentId("agent");
    private static final HolderRecord HOLDER = HolderRecord.newBuilder()
            .setEpoch(7)
            .setInstance("a")
            .setProcess("p")
            .build();

    @Test
    void a_scope_stands_under_the_lease_of_its_holders_process() {
        Bytes key = HolderLease.key(ORDERS, HOLDER);
        assertThat(key).isEqualTo(OwnerKeys.member("p"));
        assertThat(HolderLease.id(ORDERS, HOLDER, Optional.empty())).isEmpty();
        Entry member = new Entry(
                key,
                Records.MEMBER.encode(MemberRecord.newBuilder().setLeaseId(11).build()),
                1);
        assertThat(HolderLease.id(ORDERS, HOLDER, Optional.of(member))).hasValue(11);
    }

    @Test
    void an_agent_has_one_of_its_own_which_is_that_of_its_present_registration() {
        Bytes key = HolderLease.key(AGENT, HOLDER);
        assertThat(key).isEqualTo(KeyWriter.of(Table.AGENT_LEASE).text("agent").key());
        assertThat(HolderLease.id(AGENT, HOLDER, Optional.empty())).isEmpty();
        assertThat(agentLease(key, 7)).hasValue(12);
        assertThat(agentLease(key, 6)).isEmpty();
        assertThat(agentLease(key, 8)).isEmpty();
    }

    @Test
    void what_goes_for_good_takes_its_ownership_along() {
        assertThat(EndedOwnership.of(ORDERS, Optional.empty())).isEmpty();
        Entry holder = new Entry(OwnerKeys.holder(ORDERS), Records.HOLDER.encode(HOLDER), 1);
        assertThat(EndedOwnership.of(ORDERS, Optional.of(holder)))
                .isEqualTo(List.of(
                        Change.delete(OwnerKeys.holder(ORDERS)),
                        Change.delete(new HeldBy(new Holder("a", "p"), ORDERS).bytes())));
    }

    @Test
    void a_claim_that_was_taken_over_stands_no_more() {
        HeldBy claim = new HeldBy(new Holder("a", "p"), ORDERS);
        Entry holder = new Entry(OwnerKeys.holder(ORDERS), Records.HOLDER.encode(HOLDER), 1);
        assertThat(claim.standing(Optional.of(holder))).contains(HOLDER);
        assertThat(new HeldBy(new Holder("a", "q"), ORDERS).standing(Optional.of(holder)))
                .isEmpty();
        assertThat(claim.standing(Optional.empty())).isEmpty();
    }

    private static OptionalLong agentLease(Bytes key, long epoch) {
        AgentLeaseRecord lease =
                AgentLeaseRecord.newBuilder().setEpoch(epoch).setLeaseId(12).build();
        return HolderLease.id(AGENT, HOLDER, Optional.of(new Entry(key, Records.AGENT_LEASE.encode(lease), 1)));
    }
}
