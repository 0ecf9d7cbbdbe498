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
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.id.ClientId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.RequestKey;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.value.Attributes;

import static org.apache.eventmesh.state.tck.contract.Operation.free;

/** Every write without a token: claims, and what is conditional on what was read. */
final class FreeOperations {
    static final List<Operation> ALL = List.of(
            free("join", s -> s.stores().join("newcomer", Instance.LEASE)),
            free("member.renew", s -> s.at.member().renew()),
            free(
                    "deliveries.claim",
                    s -> s.stores().deliveries().claim(s.at.member(), new Partition(s.partition.topic(), 1))),
            free(
                    "deliveries.takeOver",
                    s -> s.stores().deliveries().takeOver(s.at.member(), new Partition(s.partition.topic(), 2))),
            free(
                    "subscriptions.connect",
                    s -> s.stores().subscriptions().connect(s.at.member(), new ClientId(s.name + "-bob"))),
            free(
                    "sessions.register",
                    s -> s.stores().sessions().register(s.at.member(), s.agentSpec(), Scene.AGENT_LEASE)),
            free(
                    "sessions.takeOver",
                    s -> s.stores().sessions().takeOver(s.at.member(), s.agentSpec(), Scene.AGENT_LEASE)),
            free("sessions.bind", s -> s.stores().sessions().bind(s.agentAsRead, new SessionId(s.name + "-new"))),
            free("sessions.unbind", s -> s.stores().sessions().unbind(s.bound)),
            free(
                    "sessions.open",
                    s -> s.stores()
                            .sessions()
                            .open(new SessionSpec(new SessionId(s.name + "-other"), Scene.IDLE, Attributes.NONE))),
            free("sessions.close", s -> s.stores().sessions().close(s.session)),
            free("deadLetters.replay", s -> s.stores().deadLetters().replay(s.letter, RequestKey.of("again"))),
            free("deadLetters.purge", s -> s.stores().deadLetters().purge(s.letter)),
            free(
                    "deadLetters.purge until",
                    s -> s.stores()
                            .deadLetters()
                            .purge(
                                    DeadLetterFilter.topic(s.partition.topic()),
                                    s.letter.deadAt().plusSeconds(1),
                                    10)),
            free("tasks.cancel", s -> s.stores().tasks().cancel(s.task.id(), s.task.version(), "no need any more")),
            free("tasks.claim", s -> s.stores().tasks().claim(s.at.member(), s.task.id())),
            free("tasks.takeOver", s -> s.stores().tasks().takeOver(s.at.member(), s.task.id())),
            free("shard.release the claim", s -> s.shard.release()),
            free("client.release", s -> s.client.release()),
            free("agent.release", s -> s.agent.release()),
            free("task.release", s -> s.ownedTask.release()));

    private FreeOperations() {}
}
