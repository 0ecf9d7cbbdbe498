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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.offset.Reset;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Bytes;

import static org.apache.eventmesh.state.tck.contract.Operation.owned;

/** Every write that needs a token (E07): of the shard, the client, the agent, the task. */
final class OwnedOperations {
    private static final Retry RETRY = Retry.immediately(3);

    static final List<Operation> ALL = List.of(
            owned("shard.open", s -> s.shard.open(s.poll(Scene.HELD + 2, Scene.HELD + 4))),
            owned("shard.ack", s -> s.shard.ack(s.ack(0))),
            owned("shard.ackAll", s -> s.shard.ackAll(List.of(s.ack(1), s.ack(2)))),
            owned("shard.nack", s -> s.shard.nack(nack(s, 3), RETRY)),
            owned("shard.nackAll", s -> s.shard.nackAll(List.of(nack(s, 4), nack(s, 5)), RETRY)),
            owned("shard.nack, the last failure", s -> s.shard.nack(nack(s, 7), Retry.immediately(1))),
            owned("shard.deadLetter", s -> s.shard.deadLetter(s.held.get(6).receipt(), "given up")),
            owned(
                    "shard.handOut",
                    s -> s.shard.handOut(1, Duration.ofSeconds(10), due -> Optional.of(s.client.receiver()))),
            owned("shard.release", s -> s.shard.release(s.client.receiver())),
            owned("shard.releaseInstance", s -> s.shard.releaseInstance(s.at.name())),
            owned("shard.withdraw", s -> s.shard.withdraw(s.waiting)),
            owned("shard.confirm", s -> s.shard.confirm(List.of(s.completed))),
            owned("shard.discard", s -> s.shard.discard(s.held.get(0).delivery().id())),
            owned("offsets.advance", s -> s.stores().offsets().advance(s.shard, Map.of(s.untracked, 6L))),
            owned("offsets.reset", s -> s.stores().offsets().reset(s.shard, s.untracked, Reset.from(5, 2))),
            owned("offsets.remove", s -> s.stores().offsets().remove(s.shard, s.untracked)),
            owned("tasks.create", s -> s.stores().tasks().create(s.shard, s.newTask("task-2"), s.carrier())),
            owned(
                    "tasks.createAll",
                    s -> s.stores()
                            .tasks()
                            .createAll(s.shard, List.of(s.newTask("task-3"), s.newTask("task-4")), s.carrier())),
            owned(
                    "task.move",
                    s -> s.ownedTask.move(
                            s.task, TaskChange.to(TaskState.WORKING).output(Bytes.utf8("begun")))),
            owned("client.register", s -> s.client.register(s.interest(s.name + "-invoices"))),
            owned("client.unregister", s -> s.client.unregister(s.partition.topic())),
            owned("agent.heartbeat", s -> s.agent.heartbeat(true, 7)));

    private OwnedOperations() {}

    private static Nack nack(Scene scene, int n) {
        return new Nack(scene.held.get(n).receipt(), scene.client.token().scope(), "not now");
    }
}
