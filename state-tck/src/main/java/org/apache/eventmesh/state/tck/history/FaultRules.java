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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.eventmesh.state.tck.contract.Rules;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Rounds;
import org.apache.eventmesh.state.tck.kit.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Writers, owners and watchers at three instances, in the time of the machine, while servers are killed, stopped and cut
 * off and instances are paused past their leases and crash. After each round there must be an order of the calls about
 * each thing that explains every answer, and what was watched is what is there.
 */
public interface FaultRules extends Rules {
    /** Of the test; {@code -Dsoak.seconds=…} changes it, and the time limit must be lifted then. */
    default Duration length() {
        return Duration.ofMinutes(2);
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    default void required_E05_random_faults_of_servers_and_owners_break_no_rule_of_any_store() {
        Random random = Seeds.next(this);
        Figures figures = new Figures();
        Rounds rounds = Rounds.within(length());
        while (rounds.next()) {
            String name = "round-" + rounds.number();
            new FaultRun(kit(), name, random, works(name), figures).go(rounds::inTime);
            figures.add("rounds", 1);
        }
        figures.log(this);
    }

    /** Over two backends only what stays linearizable there: see {@link HistoryRules}. */
    private List<Work> works(String name) {
        List<Work> works = new ArrayList<>(List.of(new TaskWork(name), new InterestWork(name), new AgentWork(name)));
        if (!kit().two()) {
            works.add(new ReaderWork(name));
            works.add(new MessageWork(name));
        }
        return works;
    }
}
