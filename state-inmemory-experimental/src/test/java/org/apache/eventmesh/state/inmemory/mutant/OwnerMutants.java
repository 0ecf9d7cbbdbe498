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

/** Cores that are wrong about who owns, and about how far a subscriber is. */
final class OwnerMutants {
    private OwnerMutants() {}

    static List<Mutant> all() {
        return List.of(
                wrongCore(
                        "a token of another incarnation is as good as one of this",
                        in("core.owner.Held", "of").taking("equals", true),
                        "E01"),
                wrongCore(
                        "a claim does not look whether another's lease lives",
                        in("core.owner.Claiming", "decide").taking("id", Constants.NONE),
                        "E04"),
                wrongCore(
                        "no lease ever ends",
                        in("core.local.LeaseTable", "endDue").gives(Constants.NONE),
                        "E04"),
                wrongCore(
                        "whoever claims what is held gets the holder's token",
                        in("core.owner.Claiming", "decide").taking("equals", true),
                        "E06"),
                wrongCore(
                                "the handle of a lost ownership is not told",
                                in("core.owner.Losses", "tell").gives(Constants.NONE),
                                "E03")
                        .seenLateBy("required_E03_a_lost_ownership_is_told_once_on_the_handle"),
                wrongCore(
                        "a token does not lose its worth with a later claim of the same member",
                        in("core.owner.Held", "of").takingLongsAsEqual(),
                        "E03"),
                wrongCore(
                        "a token that is not current is no matter",
                        in("core.owner.Held", "of")
                                .takingLongsAsEqual()
                                .and(in("core.owner.Held", "of").taking("equals", true)),
                        "E05"),
                wrongCore(
                                "scopes of different kinds share their owners",
                                in("core.key.ScopeKind", "write").without("kind"),
                                "E07")
                        .breakingMuch(),
                wrongCore(
                        "another generation of the source is read on as if it were the same",
                        in("core.offset.Rewind", "moved").without("map"),
                        "O04"),
                wrongCore(
                        "an advance passes what is open",
                        in("core.offset.Advance", "decide").taking("isPresent", false),
                        "O01"),
                wrongCore(
                        "an advance goes backwards",
                        in("core.offset.Advance", "decide").taking("cursor", -1L),
                        "O01",
                        "O02"),
                wrongCore(
                        "a reset expects nothing",
                        in("core.offset.Rewind", "decide").taking("equals", true),
                        "O04"),
                wrongCore(
                        "a reset may wait for its sync",
                        in("core.offset.Rewind", "decide").without("sync"),
                        "G03"),
                wrongCore(
                        "a subscriber is removed with what is open for it",
                        in("core.offset.Removal", "decide").taking("orderedOpen", 0),
                        "O05"),
                wrongCore(
                        "never served is offset 0",
                        in("core.offset.Offsets", "position").taking("empty", 0L),
                        "O06"));
    }
}
