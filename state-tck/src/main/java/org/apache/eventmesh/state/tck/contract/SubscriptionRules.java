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
import java.util.Optional;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.subscription.Interest;
import org.apache.eventmesh.state.subscription.OwnedClient;
import org.apache.eventmesh.state.subscription.Subscription;
import org.apache.eventmesh.state.subscription.SubscriptionFilter;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.assertj.core.api.Assertions.assertThat;

/** Group S: who wants what. */
public interface SubscriptionRules extends Rules {
    @Test
    default void required_S01_a_registration_comes_back_exactly() {
        Instance a = open("A");
        OwnedClient alice = a.client("alice");
        Interest interest = new Interest(
                "orders",
                Interest.Mode.MULTICAST,
                BILLING,
                Optional.of("amount > 3 AND note = ''"),
                Attributes.of("tenant", "\u0000\n"));

        get(alice.register(interest));

        Page<Subscription> found =
                get(open("B").stores().subscriptions().list(SubscriptionFilter.topic("orders"), PageRequest.first(10)));
        assertThat(found.items()).isEqualTo(List.of(new Subscription(interest, alice.receiver())));
        assertThat(alice.receiver().instance()).isEqualTo("A");
        assertThat(alice.receiver().sessionEpoch()).isEqualTo(alice.token().epoch());
    }
}
