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

import java.time.Duration;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.session.OwnedAgent;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Group N: agents, bindings, sessions. */
public interface SessionRules extends Rules {
    @Test
    default void required_N01_the_former_instance_is_fenced_after_a_takeover() {
        Instance a = open("A");
        Instance b = open("B");
        AgentSpec spec = new AgentSpec(new AgentId("x"), "summariser", 3, Attributes.NONE);
        Duration lease = Duration.ofSeconds(15);
        OwnedAgent former = get(a.stores().sessions().register(a.member(), spec, lease))
                .claimed()
                .orElseThrow();

        OwnedAgent now = get(b.stores().sessions().takeOver(b.member(), spec, lease));
        HeartbeatResult late = get(former.heartbeat(true, 0));

        assertThat(now.token().epoch()).isGreaterThan(former.token().epoch());
        assertThat(late)
                .isInstanceOfSatisfying(
                        Fenced.class,
                        fenced -> assertThat(fenced.current())
                                .hasValue(new Fenced.Current(
                                        now.token().epoch(), b.member().holder())));
    }
}
