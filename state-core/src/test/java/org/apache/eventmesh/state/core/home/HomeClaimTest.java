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
package org.apache.eventmesh.state.core.home;

import java.util.List;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.engine.SharedMap;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.core.owner.Instance;
import org.apache.eventmesh.state.core.proto.HomeRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.result.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which host a shard is at home on, when two of them claim it at once. */
class HomeClaimTest {
    private static final Partition ORDERS = new Partition("orders", 3);
    private static final Operation CLAIM = new Operation(StoreName.DELIVERIES, "claim");

    private final SharedMap map = new SharedMap();
    private final Instance b = new Instance(map);
    private final Member bob = b.join("bob");

    @AfterEach
    void close() {
        b.close();
        map.close();
    }

    @Test
    void required_X02_a_host_that_was_not_the_last_owner_knows_it_however_often_its_claim_was_refused() {
        try (Instance before = new Instance(map)) {
            takeOver(before, before.join("alice"), claimOf("host a"));
        }
        // it was restarted: it expects a new shard, is refused, and is refused again
        try (Instance a = new Instance(map)) {
            Member alice = a.join("alice again");
            a.engine().beforeCommit(() -> a.engine().beforeCommit(() -> takeOver(b, bob, claimOf("host b"))));
            HomeClaim claim = claimOf("host a");
            Held<Partition> held = takeOver(a, alice, claim);

            assertThat(claim.since()).isEqualTo(held.token().epoch());
            HomeRecord home = home();
            assertThat(home.getHost()).isEqualTo("host a");
            assertThat(home.getEpoch()).isEqualTo(held.token().epoch());
        }
    }

    @Test
    void required_X02_a_host_that_was_the_last_owner_keeps_what_it_has() {
        HomeClaim first = claimOf("host b");
        long since = takeOver(b, bob, first).token().epoch();
        HomeClaim second = claimOf("host b");
        assertThat(takeOver(b, b.join("another"), second).token().epoch()).isGreaterThan(since);
        assertThat(List.of(first.since(), second.since())).containsOnly(since);
        assertThat(home().getEpoch()).isEqualTo(since);
    }

    private static HomeClaim claimOf(String host) {
        return new HomeClaim(host, ORDERS);
    }

    private static Held<Partition> takeOver(Instance on, Member by, HomeClaim claim) {
        return Await.result(
                on.mesh().claims().as(by, CLAIM, steps -> on.mesh().claims().takeOver(steps, by, ORDERS, claim)));
    }

    private HomeRecord home() {
        return Await.result(map.engine().read(List.of(HomeKeys.home(ORDERS)))).stream()
                .map(entry -> Records.SHARD_HOME.decode(entry).record())
                .findAny()
                .orElseThrow();
    }
}
