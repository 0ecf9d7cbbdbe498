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

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.Incoming;
import org.apache.eventmesh.state.delivery.Nack;
import org.apache.eventmesh.state.delivery.OpenBatch;
import org.apache.eventmesh.state.delivery.Retry;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** L01: the owner dies at each commit of a dead-lettering, before it and after it. */
public interface DeadLetterSteps extends Rules {
    @ParameterizedTest(name = "by {0}")
    @ValueSource(strings = {"nack", "deadLetter", "handOut"})
    default void scenario_09_dead_lettering_with_a_crash_at_every_step_leaves_it_open_or_dead(String way) {
        Instance witness = open("witness");
        boolean done = false;
        int commit = 1;
        for (; !done && commit < 20; commit++) {
            boolean before = dies(witness, way, commit, false);
            boolean after = dies(witness, way, commit, true);
            assertThat(before).as("dies at commit %d", commit).isEqualTo(after);
            done = !before;
        }
        assertThat(commit)
                .as("commits that a dead-lettering made, and one more")
                .isBetween(3, 19);
    }

    /** Whether it died; if it did not, the dead-lettering made fewer commits. */
    private boolean dies(Instance witness, String way, int commit, boolean applied) {
        Partition partition = new Partition("dying-" + way + "-" + commit + "-" + applied, 0);
        Subscriber reader = Plan.READERS.get(0);
        Instance dying = kit().open("dying", settings -> settings.limits(StoreLimits.DEFAULT.withHandOuts(1)));
        Shard shard = dying.shard(partition);
        Incoming message =
                Incoming.of(7, Plan.payload(partition, 7), Plan.attributes(7)).to(reader, Plan.ALICE);
        HandOut given = get(shard.open(OpenBatch.range(
                        Plan.GENERATION, 7, 8, Set.of(reader), List.of(message), DEADLINE.plusSeconds(1))))
                .handOuts()
                .findFirst()
                .orElseThrow();
        if (way.equals("handOut")) {
            passTime(DEADLINE.plusSeconds(2));
        }
        dying.dieAtCommit(commit, applied);
        CompletableFuture<?> stage = asked(way, shard, given);
        eventually(() -> assertThat(dying.isDead() || stage.isDone()).isTrue());
        boolean died = dying.isDead();
        dying.crash();

        Shard next = get(witness.stores().deliveries().takeOver(witness.member(), partition));
        boolean open = !Pages.open(witness.stores(), partition).isEmpty();
        long dead = get(witness.stores().deadLetters().count(DeadLetterFilter.topic(partition.topic())));
        String where = way + " killed " + (applied ? "after" : "before") + " commit " + commit;
        assertThat(dead).as("dead letters, %s", where).isEqualTo(open ? 0 : 1);
        assertThat(next.view().all().open()).as("open, %s", where).isEqualTo(open ? 1 : 0);
        assertThat(get(witness.stores().offsets().position(partition, reader)))
                .as("position, %s", where)
                .hasValue(open ? 7 : 8);
        if (commit == 1 && !applied) {
            assertThat(open).as("nothing was written, %s", where).isTrue();
        }
        if (!died) {
            assertThat(open).as("it was answered, %s", where).isFalse();
        }
        return died;
    }

    private static CompletableFuture<?> asked(String way, Shard shard, HandOut given) {
        return switch (way) {
            case "nack" ->
                shard.nack(new Nack(given.receipt(), Plan.ALICE.client(), "no"), Retry.immediately(1))
                        .toCompletableFuture();
            case "deadLetter" -> shard.deadLetter(given.receipt(), "no").toCompletableFuture();
            default -> shard.handOut(1, DEADLINE, due -> Optional.of(Plan.BOB)).toCompletableFuture();
        };
    }
}
