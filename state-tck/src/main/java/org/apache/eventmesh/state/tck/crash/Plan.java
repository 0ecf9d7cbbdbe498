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
package org.apache.eventmesh.state.tck.crash;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Delivery;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.session.AgentSpec;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** Which message stands at which offset, for whom: known to parent and child without a word between them. */
final class Plan {
    /** Ordered. */
    static final Partition LOG = new Partition("crash-log", 0);

    /** Unordered; each message is acknowledged to its broker by itself. */
    static final Partition POP = new Partition("crash-pop", 0);

    static final Partition TASKS = new Partition("crash-tasks", 0);

    /** Its one subscriber only advances. */
    static final Partition MIRROR = new Partition("crash-mirror", 0);

    static final List<Partition> ALL = List.of(LOG, POP, TASKS, MIRROR);
    static final List<Subscriber> READERS =
            List.of(Subscriber.group("billing"), Subscriber.group("audit"), Subscriber.single("carol"));
    static final Subscriber FOLLOWER = Subscriber.group("follower");
    static final Subscriber QUEUE = Subscriber.group("queue");
    static final Receiver ALICE = new Receiver(new ClientId("alice"), 1, "somewhere");
    static final Receiver BOB = new Receiver(new ClientId("bob"), 1, "somewhere");
    static final String GENERATION = "life-1";

    /** Longer than a test: what is held stays so, over all kills. */
    static final Duration LONG = Duration.ofHours(10);

    static final AgentSpec AGENT = new AgentSpec(new AgentId("crash-agent"), "helper", 8, Attributes.NONE);

    /** More than the agent's capacity. */
    static final int BINDINGS = 12;

    /** This failure is the last. */
    static final int FAILURES = 3;

    private static final int FILLER = 300;

    private Plan() {}

    private static int mixed(Partition partition, long offset) {
        long mix = (offset + 1) * 0x9E3779B97F4A7C15L + partition.topic().hashCode();
        return (int) ((mix ^ (mix >>> 29)) >>> 7) & 0x3f;
    }

    /** Three bits say for whom, three who has a receiver at once. */
    static Incoming message(Partition partition, long offset) {
        int mix = mixed(partition, offset);
        Incoming message = Incoming.of(offset, payload(partition, offset), attributes(offset));
        for (int i = 0; i < READERS.size(); i++) {
            if ((mix >> i & 1) != 0) {
                Optional<Receiver> receiver = (mix >> (3 + i) & 1) != 0 ? Optional.of(ALICE) : Optional.empty();
                message = message.to(READERS.get(i), receiver);
            }
        }
        return partition.equals(POP) ? message.brokerHandle(handle(offset), LONG) : message;
    }

    static List<Incoming> messages(Partition partition, long from, long to) {
        List<Incoming> messages = new ArrayList<>();
        for (long offset = from; offset < to; offset++) {
            messages.add(message(partition, offset));
        }
        return messages;
    }

    static Bytes payload(Partition partition, long offset) {
        return Bytes.utf8(partition.topic() + " " + offset + "-".repeat((int) (offset * 31 % FILLER)));
    }

    static Attributes attributes(long offset) {
        return Attributes.of("offset", Long.toString(offset));
    }

    static Bytes handle(long offset) {
        return Bytes.utf8("handle " + offset);
    }

    static NewTask task(long number) {
        return new NewTask(
                new TaskId("task-" + number),
                new AgentId("agent-" + number % 3),
                Optional.of("context-" + number % 5),
                Optional.empty(),
                Bytes.utf8("input of task-" + number),
                Attributes.NONE);
    }

    static SessionSpec session(long number) {
        return new SessionSpec(new SessionId("session-" + number), LONG, attributes(number));
    }

    /** One of those that are bound to the agent. */
    static SessionId bound(int number) {
        return new SessionId("bound-" + number);
    }

    /** What an agent answers. */
    static Bytes output(TaskId task) {
        return Bytes.utf8("output of " + task.value());
    }

    static String thing(Partition partition, long offset, Subscriber subscriber) {
        return "delivery/" + partition.topic() + "/" + offset + "/" + name(subscriber);
    }

    static String thing(Delivery delivery) {
        return delivery.task()
                .map(task -> "delivery/" + TASKS.topic() + "/" + task.value())
                .orElseGet(() -> thing(delivery.id().partition(), delivery.offset(), delivery.subscriber()));
    }

    static String name(Subscriber subscriber) {
        return subscriber instanceof Subscriber.Group group
                ? group.name()
                : "one-" + ((Subscriber.Single) subscriber).client().value();
    }

    /** How an open delivery stands. */
    static String open(Delivery delivery) {
        return open(
                delivery.handOuts(), delivery.failures(), delivery.receiver().isPresent());
    }

    static String open(int handOuts, int failures, boolean held) {
        return "open " + handOuts + " " + failures + (held ? " held" : " waiting");
    }
}
