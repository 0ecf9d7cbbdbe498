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
package org.apache.eventmesh.state.tck.points;

import java.time.Duration;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.task.Carrier;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The names of one way through the stores; no two ways share any.
 *
 * @param name of the way
 */
record Places(String name) {
    static final Duration LEASE = Duration.ofHours(1);

    /** Gets messages 0 to 5 of the log. */
    static final Subscriber READER = Subscriber.group("reader");

    /** Gets message 5 of the log, and is withdrawn. */
    static final Subscriber GONE = Subscriber.group("gone");

    /** Has no deliveries. */
    static final Subscriber TRACKED = Subscriber.group("tracked");

    /** Has no deliveries, and is removed. */
    static final Subscriber REMOVED = Subscriber.group("removed");

    /** The two targets of the message of the unordered source. */
    static final Subscriber FIRST = Subscriber.group("first");

    static final Subscriber SECOND = Subscriber.group("second");

    static final Subscriber QUEUE = Subscriber.group("queue");

    /** For rules that are about something else than who receives. */
    static final Receiver RECEIVER = new Receiver(new ClientId("receiver"), 1, "somewhere");

    Partition log() {
        return new Partition(name + "-log", 0);
    }

    Partition pop() {
        return new Partition(name + "-pop", 0);
    }

    DeadLetterId letter(long offset) {
        return new DeadLetterId(log(), offset, READER);
    }

    AgentId agent() {
        return new AgentId(name + "-agent");
    }

    AgentSpec agentSpec() {
        return new AgentSpec(agent(), "kind", 3, Attributes.NONE);
    }

    SessionId session(String of) {
        return new SessionId(name + "-" + of);
    }

    SessionSpec sessionSpec(String of) {
        return new SessionSpec(session(of), LEASE, Attributes.NONE);
    }

    TaskId task(int number) {
        return new TaskId(name + "-task-" + number);
    }

    NewTask newTask(int number) {
        return new NewTask(
                task(number),
                agent(),
                Optional.of(name + "-context"),
                Optional.empty(),
                Bytes.utf8("input"),
                Attributes.NONE);
    }

    static Carrier carrier() {
        return new Carrier(QUEUE, Optional.empty(), LEASE);
    }
}
