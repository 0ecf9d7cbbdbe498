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
package org.apache.eventmesh.state.core.task;

import java.util.Optional;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** Tasks to test with. */
final class TaskSamples {
    static final TaskId ID = new TaskId("t");
    static final Partition PARTITION = new Partition("tasks", 3);
    static final long DELIVERY = 70_001;

    private TaskSamples() {}

    static NewTask plain(String id) {
        return new NewTask(
                new TaskId(id),
                new AgentId("agent"),
                Optional.empty(),
                Optional.empty(),
                Bytes.utf8("in"),
                Attributes.NONE);
    }

    static NewTask whole() {
        return new NewTask(
                ID,
                new AgentId("agent"),
                Optional.of("context"),
                Optional.of(new TaskId("parent")),
                Bytes.utf8("in"),
                Attributes.of("tenant", "acme"));
    }

    static TaskWrite created(NewTask task, long now) {
        return TaskRecords.created(
                task, new DeliveryId(PARTITION, "incarnation", DELIVERY), Subscriber.group("q"), now);
    }

    static TaskRecord in(TaskState state) {
        return created(whole(), 1000).record().toBuilder()
                .setState(TaskStates.stored(state))
                .build();
    }
}
