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

import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.StoreSettings;
import org.apache.eventmesh.state.StoreSettingsBuilder;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Lacks;
import org.apache.eventmesh.state.tck.kit.Needs;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** X04: what production refuses. */
public interface ProductionRules extends Rules {
    @Test
    @Lacks(Capability.DURABLE)
    default void required_X04_production_refuses_what_is_not_durable_and_says_what_would_allow_it() {
        StoreSettingsBuilder addresses = StoreSettings.builder(kit().fixture().uri());
        kit().fixture().shared().ifPresent(shared -> addresses.shared(shared.uri()));
        StoreSettings production = addresses.build();

        assertThat(production.production()).isTrue();
        assertThatThrownBy(() -> StateStores.open(production))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .containsAnyOf(kit().uris())
                .contains("durable")
                .contains("development");
    }

    @Test
    @Needs(Capability.DURABLE)
    default void required_X04_production_opens_what_is_durable() {
        Instance a = open("A");

        assertThat(get(a.stores().offsets().position(ORDERS_0, BILLING))).isEmpty();
    }
}
