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
package org.apache.eventmesh.state.tck.history;

import java.util.Random;
import java.util.function.Function;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.OneBackend;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Six threads at three instances fight for the same things, while instances are paused for longer than their lease, cut
 * off and crashed, and commits fail or lose their answers. Afterwards there must be an order of the calls about each thing
 * that explains every answer. Three rounds each; {@code -Dhistory.rounds=…} changes it, {@code -Dsoak.seconds=…} makes
 * them go on for so long, and the time limit must be lifted then.
 */
public interface HistoryRules extends Rules {
    /**
     * Over two backends a claim is two steps: a former owner may still change its private state after the first, and only
     * then.
     */
    @Test
    @OneBackend
    @Timeout(120)
    default void required_O02_positions_openings_and_acks_are_linearizable_under_faults_and_takeovers() {
        run(ReaderWork::new);
    }

    @Test
    @Timeout(120)
    default void required_T03_task_versions_and_owners_are_linearizable_under_faults_and_takeovers() {
        run(TaskWork::new);
    }

    /** Over two backends a dead-lettering is several steps, between which its parts can be seen. */
    @Test
    @OneBackend
    @Timeout(120)
    default void required_D08_fan_outs_settlements_and_dead_letters_are_linearizable_under_faults_and_takeovers() {
        run(MessageWork::new);
    }

    private void run(Function<String, Work> work) {
        Random random = Seeds.next(this);
        Figures figures = new Figures();
        Rounds rounds = Rounds.of("history.rounds", 3);
        while (rounds.next()) {
            String name = "round-" + rounds.number();
            Work one = work.apply(name);
            new Run(kit(), name, random, one).go();
            one.tally().addTo(figures);
            figures.add("rounds", 1);
        }
        figures.log(this);
    }
}
