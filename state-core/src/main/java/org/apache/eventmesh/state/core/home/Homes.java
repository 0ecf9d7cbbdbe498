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
package org.apache.eventmesh.state.core.home;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.ClaimStep;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Held;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Member;

/** Claims of partitions, with all that they bring: in a set of two backends the local one follows the shared one. */
public final class Homes {
    private final Sides sides;
    private final Claims claims;

    /** The last claim that enters, by partition. */
    private final Map<Partition, CompletableFuture<Boolean>> entering = new ConcurrentHashMap<>();

    public Homes(Sides sides, Claims claims) {
        this.sides = sides;
        this.claims = claims;
    }

    /** As {@link Claims#claim}. */
    public CompletionStage<ClaimResult<Held<Partition>>> claim(Steps steps, Member by, Partition partition) {
        if (!sides.two()) {
            return claims.claim(steps, by, partition, ClaimStep.none());
        }
        HomeClaim home = new HomeClaim(sides.host(), partition);
        return claims.claim(steps, by, partition, home)
                .thenCompose(answer -> answer instanceof ClaimResult.Claimed<Held<Partition>> claimed
                        ? enter(claimed.handle(), home).thenApply(entered -> answer)
                        : CompletableFuture.completedStage(answer));
    }

    /** As {@link Claims#takeOver}. */
    public CompletionStage<Held<Partition>> takeOver(Steps steps, Member by, Partition partition) {
        if (!sides.two()) {
            return claims.takeOver(steps, by, partition, ClaimStep.none());
        }
        HomeClaim home = new HomeClaim(sides.host(), partition);
        return claims.takeOver(steps, by, partition, home)
                .thenCompose(held -> enter(held, home).thenApply(entered -> held));
    }

    /** When another on this host has fenced the claim meanwhile, its first write says so. */
    private CompletionStage<Boolean> enter(Held<Partition> held, HomeClaim home) {
        Partition partition = held.token().scope();
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> before = entering.put(partition, mine);
        CompletionStage<Boolean> turn = before == null ? CompletableFuture.completedStage(true) : before;
        // a claim that is repeated while the first is under way would fence the first, and be fenced by it
        return turn.handle((any, failure) -> true)
                .thenCompose(
                        come -> new ShardHome(sides, new PublishedArrival(sides), held.token()).enter(home.since()))
                .whenComplete((entered, failure) -> {
                    entering.remove(partition, mine);
                    mine.complete(failure == null);
                });
    }
}
