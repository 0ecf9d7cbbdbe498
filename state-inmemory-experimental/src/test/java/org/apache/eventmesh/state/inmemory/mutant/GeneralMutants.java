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

/** Cores that are wrong everywhere, or between two backends. */
final class GeneralMutants {
    private GeneralMutants() {}

    static List<Mutant> all() {
        return List.of(
                wrongCore(
                        "stages complete on any thread",
                        in("core.commit.Callbacks", "run").runningAtOnce("execute"),
                        "G02"),
                wrongCore(
                        "everything is synced",
                        in("core.shard.Decided", "level").taking("synced", true),
                        "G03"),
                wrongCore(
                        "what may have been applied is called unavailable",
                        in("core.commit.Ask", "expire").taking("withdraw", true),
                        "G04"),
                wrongCore(
                                "two kinds of subscribers share their keys",
                                in("core.key.SubscriberKind", "write").without("kind"),
                                "G05")
                        .breakingMuch(),
                wrongCore("bytes are not copied", in("value.Bytes", "of").without("clone"), "G06"),
                wrongCore(
                        "what could not be read is not there",
                        in("core.commit.Backend", "read").swallowing("onWorker", "read"),
                        "G07"),
                wrongCore(
                        "what could not be listed is empty",
                        in("core.commit.Backend", "scan").swallowing("onWorker", "scan"),
                        "G07"),
                wrongCore(
                        "checksums are not compared",
                        in("core.record.Envelope", "intact").gives(true),
                        "G08"),
                wrongCore(
                        "no payload is too large",
                        in("core.delivery.OpenBounds", "exceeded").gives(Constants.NONE),
                        "G09"),
                wrongCore(
                        "due times ignore the clock",
                        in("core.record.Millis", "now").gives(1_000_000_000_000L),
                        "G11"),
                wrongCore(
                                "a backend that is away is up",
                                in("core.set.HealthReport", "of").taking("up", true),
                                "X03")
                        .seenLateBy("required_X03_a_backend_that_goes_away_and_comes_back_is_told_once_each"),
                wrongCore(
                                "nobody hears of a change of health",
                                in("core.set.HealthReport", "look").gives(Constants.NONE),
                                "X03")
                        .seenLateBy("required_X03_a_backend_that_goes_away_and_comes_back_is_told_once_each"),
                wrongCore(
                                "nobody hears of a failure",
                                in("core.commit.Ask", "tell").gives(Constants.NONE),
                                "X03")
                        .seenLateBy("required_X03_a_failure_is_an_event_of_its_store"),
                wrongCore(
                                "nobody hears of what is slow",
                                in("core.commit.Ask", "end").without("tell"),
                                "X03")
                        .seenLateBy("required_X03_an_operation_that_takes_a_tenth_of_its_deadline_is_an_event"),
                wrongCore(
                        "the data set of a later version is opened",
                        in("core.set.DataSet", "mustFit").gives(Constants.NONE),
                        "G13"),
                wrongCore("a page has no end", in("core.read.PageRun", "full").gives(false), "G12"),
                wrongCore(
                        "a batch has no limit",
                        in("core.shard.Elements", "start").taking("batch", 1_000_000),
                        "G09"),
                wrongCore(
                        "each element of a batch is a commit of its own",
                        in("core.shard.SerialShardLoop", "fate").taking("min", 1),
                        "G14"),
                wrongCore(
                        "an element that fails has no answer",
                        in("core.shard.Elements$1", "failed").without("end"),
                        "G14"),
                wrongCore(
                        "a session that is bound again takes another place",
                        in("core.session.Bindings", "bind").taking("flatMap", Constants.NONE),
                        "G15"),
                wrongCore(
                        "a closed set keeps its claims",
                        in("core.owner.Mesh", "close").gives(Constants.NONE),
                        "G10"),
                wrongCore(
                        "production takes what is not durable",
                        in("core.set.StoreSets", "refuseInProduction").gives(Constants.NONE),
                        "X04"),
                wrongCoreOverTwo(
                                "a local write does not ask whether its lease lives",
                                in("core.owner.LeaseValidity", "now").gives(true),
                                "X02")
                        .seenBy("required_X02_local_writes_end_with_the_lease_and_go_on_after_its_renewal"),
                wrongCoreOverTwo(
                                "an advance of too many enters them before it is refused",
                                in("core.offset.Offsets", "advance").taking("batch", 1_000_000),
                                "G09")
                        .seenBy("required_G09_X02_an_advance_of_too_many_is_refused_before_any_of_them_enters"),
                wrongCoreOverTwo(
                                "an advance of who is known waits for who enters",
                                in("core.offset.SharedOffsets", "advance").without("retainAll"),
                                "G14")
                        .seenLateBy(
                                "required_G14_X03_an_advance_goes_on_for_who_is_known_while_the_shared_backend_is_away"),
                wrongCoreOverTwo(
                                "positions are not published",
                                in("core.home.Publisher", "add").gives(Constants.NONE),
                                "X02")
                        .seenBy("required_X02_release_publishes_so_that_the_next_host_delivers_nothing_again"),
                wrongCoreOverTwo(
                                "a reset that is refused lets no earlier letter count",
                                in("core.home.Publisher", "takeBack").gives(Constants.NONE),
                                "L01")
                        .seenBy("required_L01_X02_letters_count_when_a_reset_is_refused_at_its_last_step"),
                wrongCoreOverTwo(
                                "a removal that ends late takes the position of who has entered again",
                                in("core.home.Unserved", "decide").taking("hasProgress", false),
                                "X02")
                        .seenBy(
                                "required_D01_X02_who_enters_again_while_its_withdrawal_ends_is_known_to_the_next_host"),
                wrongCoreOverTwo(
                                "a host that comes back keeps what it had",
                                in("core.home.HomeClaim", "home").taking("equals", true),
                                "X02")
                        .seenBy("required_X02_a_host_that_was_not_the_last_owner_discards_its_state"),
                wrongCoreOverTwo(
                                "what other hosts gave up is delivered again",
                                in("core.home.DeadBefore", "counts").gives(false),
                                "X02")
                        .seenBy("required_X02_a_lost_host_loses_no_message_and_its_successor_delivers_again"),
                wrongCoreOverTwo(
                                "what a course left in the shared backend is looked for by nobody",
                                in("core.shard.Unopened", "suspected").gives(false),
                                "T09")
                        .seenLateBy(
                                "required_T09_a_task_that_was_written_after_the_deadline_of_its_creation_is_delivered"),
                wrongCoreOverTwo(
                                "a damaged task keeps the withdrawals of all from their end",
                                in("core.shard.RecordFailure", "is").gives(false),
                                "G08")
                        .seenBy("required_G08_D11_a_damaged_task_keeps_no_withdrawal_of_another_from_its_end"));
    }
}
