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
import static org.apache.eventmesh.state.inmemory.mutant.Mutant.wrongCoreOverTwo;

/** Cores that are wrong about tasks. */
final class TaskMutants {
    private TaskMutants() {}

    static List<Mutant> all() {
        return List.of(
                wrongCore(
                        "other content under the same id is the same task",
                        in("core.task.TaskRecords", "sameCreation").gives(true),
                        "T01"),
                wrongCore(
                        "a creation does not look whether the task is there",
                        in("core.task.CreateTask", "decide").taking("isPresent", false),
                        "T01",
                        "T08"),
                wrongCore(
                        "a creation may wait for its sync",
                        in("core.task.CreateTask", "decide").without("sync"),
                        "G03"),
                wrongCore(
                        "every state may follow every state",
                        in("core.task.TaskMoves", "allowed").gives(true),
                        "T02"),
                wrongCore(
                        "a move does not compare the version",
                        in("core.task.TransitionRule", "decide").takingLongsAsEqual(),
                        "T03"),
                wrongCore(
                        "a move keeps the version",
                        in("core.task.TaskMoves", "moving").without("setVersion"),
                        "T03"),
                wrongCore(
                        "the former owner of a task moves it",
                        in("core.owner.Held", "of")
                                .takingLongsAsEqual()
                                .and(in("core.owner.Held", "of").taking("equals", true)),
                        "T04"),
                wrongCore(
                        "a move forgets the history",
                        in("core.task.TaskMoves", "moving").without("addHistory"),
                        "T05"),
                wrongCore(
                        "a task is not listed under its new state",
                        in("core.task.TaskIndex", "moved").gives(Constants.NONE),
                        "T06"),
                wrongCore(
                        "idle tasks are not reported",
                        in("core.task.Tasks", "unmoved").gives(false),
                        "T07"),
                wrongCore(
                        "retention takes nothing",
                        in("core.task.TaskRetention", "wants").gives(false),
                        "T07"),
                wrongCore(
                        "the settlement of its delivery does not move a task",
                        in("core.task.TaskSettlement", "settled").gives(Constants.NONE),
                        "T09"),
                wrongCore(
                        "the delivery of a final task is handed out",
                        in("core.delivery.CarriedTask", "over").gives(false),
                        "T09"),
                wrongCoreOverTwo(
                                "a hand-out goes on behind the tasks that were looked up",
                                in("core.delivery.OverTasks$Found", "toBeAsked").gives(false),
                                "T09")
                        .seenBy(
                                "required_T09_the_delivery_of_a_final_task_is_withdrawn_behind_many_that_nobody_wants_now"));
    }
}
