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
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.CreateResult;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.HAND_OUT;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;

/** Group T: A2A tasks. */
public interface TaskRules extends TaskMoveRules, TaskLifeRules {
    @Test
    default void required_T01_the_same_creation_again_is_the_existing_task() {
        Instance a = open("A");
        Shard shard = a.shard(ORDERS_0);
        Carrier carrier = new Carrier(BILLING, Optional.empty(), HAND_OUT);
        NewTask task = new NewTask(
                new TaskId("t-1"),
                new AgentId("summariser"),
                Optional.empty(),
                Optional.empty(),
                Bytes.utf8("sum this up"),
                Attributes.NONE);

        CreateResult first = get(a.stores().tasks().create(shard, task, carrier));
        CreateResult again = get(a.stores().tasks().create(shard, task, carrier));

        assertThat(first).isInstanceOf(CreateResult.Created.class);
        assertThat(again).isEqualTo(new CreateResult.Existing(((CreateResult.Created) first).task()));
    }
}
