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

/** Cores that are wrong about deliveries and dead letters. */
final class DeliveryMutants {
    private DeliveryMutants() {}

    static List<Mutant> all() {
        return List.of(
                wrongCore(
                        "a range may leave a gap",
                        in("core.delivery.OpenRange", "entered").taking("from", 0L),
                        "D01"),
                wrongCore(
                        "anybody may acknowledge",
                        in("core.delivery.Receipts", "refusal").taking("equals", true),
                        "D02"),
                wrongCore(
                        "an acknowledgement of an earlier hand-out counts",
                        in("core.delivery.Receipts", "refusal").takingLongsAsEqual(),
                        "D02"),
                wrongCore(
                        "the first answer is not known to a repeat",
                        in("core.delivery.SettledMark", "ackedUnder").gives(false),
                        "D02"),
                wrongCore(
                        "a mark ends at once",
                        in("core.shard.MarkLives", "committed").taking("getAsLong", -3_600_000_000_000L),
                        "D02",
                        "L01"),
                wrongCore(
                        "another life of the topic goes on where the last one ended",
                        in("core.delivery.OpenRange", "refused").taking("equals", true),
                        "D01"),
                wrongCore(
                        "the rest of an opening undoes a reset",
                        in("core.delivery.OpenRange", "still").taking("cursor", 0L),
                        "D01"),
                wrongCore(
                        "what is open of a former life of the topic is taken for a message of this one",
                        in("core.delivery.OpenRange", "ofFormerLife").gives(false),
                        "D01"),
                wrongCore(
                        "a repeated nack is another",
                        in("core.delivery.NackOperation", "repeated").gives(false),
                        "D04"),
                wrongCore(
                        "a shard is loaded without what is open",
                        in("core.shard.ShardLoad", "delivery").gives(Constants.NONE),
                        "D07"),
                wrongCore(
                        "what is open is not counted",
                        in("core.delivery.View", "of").taking("size", 0),
                        "D10"),
                wrongCore(
                        "an ack does not move the position",
                        in("core.shard.ShardDraft", "retire").without("moved"),
                        "D03"),
                wrongCore(
                        "a nack keeps the epoch",
                        in("core.delivery.NackOperation", "reschedule").without("setEpoch"),
                        "D04"),
                wrongCore(
                        "hand-outs are not counted",
                        in("core.delivery.HandOutDecision", "handOut").without("setHandOuts"),
                        "D05"),
                wrongCore(
                        "a hand-out that loses its shard halfway keeps to itself what it gave",
                        in("core.delivery.HandOutCall", "nothingYet").gives(true),
                        "E05"),
                wrongCore(
                        "a release takes from a newer session too",
                        in("core.delivery.ReleaseStep", "of").takingLongsAsEqual(),
                        "D06"),
                wrongCore(
                        "an old handle confirms a fan-out",
                        in("core.delivery.ConfirmStep", "decide").taking("equals", true),
                        "D08"),
                wrongCore(
                        "a fan-out is complete with its first settlement",
                        in("core.shard.ShardIndex", "complete").gives(true),
                        "D08"),
                wrongCore(
                        "the watermark passes what is open",
                        in("core.shard.Reader", "held").taking("isEmpty", true),
                        "D09"),
                wrongCore(
                        "the targets of a withdrawn subscriber stay",
                        in("core.delivery.WithdrawStep", "decide").without("remove"),
                        "D11"),
                wrongCore(
                        "no failure is the last",
                        in("core.delivery.NackOperation", "last").gives(false),
                        "L01"),
                wrongCore(
                        "a dead letter may wait for its sync",
                        in("core.delivery.GivenUp", "giveUp").without("sync"),
                        "G03"),
                wrongCore(
                        "failures are not counted",
                        in("core.delivery.NackOperation", "failed").without("setFailureCount"),
                        "L05"),
                wrongCore(
                        "a letter forgets the failures",
                        in("core.deadletter.DeadLetterRecords", "record").without("addAllFailures"),
                        "L02"),
                wrongCore(
                        "a letter is purged that was given up again",
                        in("core.deadletter.DeadLetters", "purge").takingLongsAsEqual(),
                        "L03"),
                wrongCore(
                        "the letter of a final task is replayed",
                        in("core.deadletter.ReplayRule", "refusal").taking("awaits", true),
                        "L04"),
                wrongCore(
                        "a repeated replay is another",
                        in("core.deadletter.Redeliver", "decide").taking("isPresent", false),
                        "L04"),
                wrongCore(
                        "a letter loses its attributes",
                        in("core.deadletter.DeadLetterRecords", "record").without("setAttributes"),
                        "G16"));
    }
}
