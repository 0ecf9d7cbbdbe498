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
package org.apache.eventmesh.state.inmemory.mutant;

import java.util.List;

import static org.apache.eventmesh.state.inmemory.mutant.CoreFault.in;
import static org.apache.eventmesh.state.inmemory.mutant.Mutant.wrongCore;

/** Cores that are wrong about subscriptions, sessions and agents. */
final class SideMutants {
    private SideMutants() {}

    static List<Mutant> all() {
        return List.of(
                wrongCore(
                        "a registration loses its filter",
                        in("core.subscription.SubscriptionRecords", "record").without("ifPresent"),
                        "S01"),
                wrongCore(
                        "the registrations of a released client stay",
                        in("core.subscription.Removal", "add").gives(false),
                        "S02"),
                wrongCore(
                                "a watch leaves out what is removed",
                                in("core.read.TableView$Copy", "changed").without("ifPresentOrElse"),
                                "S04")
                        .seenLateBy("required_S04_a_watch_starts_with_a_snapshot_and_goes_on_in_order"),
                wrongCore(
                                "a view keeps what is removed",
                                in("core.read.TableView$Copy", "changed").without("remove"),
                                "S03")
                        .seenLateBy(
                                "required_S03_a_storm_over_three_instances_converges_also_when_their_watches_break"),
                wrongCore(
                                "a view that has lost its watch does not begin again",
                                in("core.read.Follower", "lost").gives(Constants.NONE),
                                "S03")
                        .seenLateBy(
                                "required_S03_a_storm_over_three_instances_converges_also_when_their_watches_break"),
                wrongCore(
                                "a listener that throws is not reported",
                                in("core.commit.Callbacks", "listenerFailed").gives(Constants.NONE),
                                "S04")
                        .seenLateBy("required_S04_a_listener_that_throws_harms_only_itself_and_is_reported"),
                wrongCore(
                                "a watch whose connection broke goes on as if nothing had been",
                                in("core.read.Watcher", "resynchronise").gives(Constants.NONE),
                                "S04")
                        .seenLateBy("required_S04_changes_during_a_lost_connection_come_as_a_resynchronisation"),
                wrongCore(
                        "the registrations of an instance that is gone stay",
                        in("core.local.LeaseTable", "moved").gives(Constants.NONE),
                        "S05"),
                wrongCore(
                        "a heartbeat does not say whether the agent is ready",
                        in("core.session.Heartbeat", "decide").without("setReady"),
                        "N01"),
                wrongCore(
                        "a view is never old", in("core.read.TableView", "age").taking("now", 0L), "S06"),
                wrongCore(
                        "an agent that is unregistered is offered",
                        in("core.session.AgentParting", "add").gives(Constants.NONE),
                        "N02"),
                wrongCore(
                        "an agent that is taken over keeps what was bound",
                        in("core.session.SeenBinding", "agent").takingLongsAsEqual(),
                        "N02"),
                wrongCore(
                        "an agent has room for everybody",
                        in("core.session.Bindings", "bind").taking("capacity", 1_000),
                        "N03"),
                wrongCore(
                        "a bound session is not counted",
                        in("core.session.AgentRecords", "bound").without("setBound"),
                        "N03"),
                wrongCore(
                        "a session that was touched is swept",
                        in("core.session.SessionEnd", "ifExpired").taking("expired", true),
                        "N04"),
                wrongCore(
                        "each touch is a write",
                        in("core.session.SessionRecords", "coversIdle").gives(false),
                        "N04"),
                wrongCore(
                        "a touch keeps nothing alive",
                        in("core.session.SessionRecords", "coversIdle").gives(true),
                        "N04"));
    }
}
