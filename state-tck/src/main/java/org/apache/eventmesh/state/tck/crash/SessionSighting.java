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
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.session.Agent;
import org.apache.eventmesh.state.session.Session;
import org.apache.eventmesh.state.session.SessionSpec;
import org.apache.eventmesh.state.tck.kit.Eventually;

import static org.apache.eventmesh.state.tck.kit.Stages.get;
import static org.assertj.core.api.Assertions.assertThat;

/** What is found of sessions and bindings, held against the ledger. */
final class SessionSighting {
    private static final int CLOSED = 300;

    private SessionSighting() {}

    /** Throws where the two differ. */
    static void check(StateStores stores, Ledger ledger, Map<String, String> found) {
        sessions(stores, ledger, found);
        bindings(stores);
    }

    private static void sessions(StateStores stores, Ledger ledger, Map<String, String> found) {
        List<Long> numbers = Ledger.offsets(ledger.things("session"));
        long newest = numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1);
        for (String thing : ledger.things("session")) {
            // each look is a read: those that were closed long ago are looked at no more
            if (ledger.sure(thing).equals(Ledger.SETTLED) && Ledger.offset(thing) < newest - CLOSED) {
                continue;
            }
            SessionSpec spec = Plan.session(Ledger.offset(thing));
            Optional<Session> session = get(stores.sessions().find(spec.id()));
            session.ifPresent(there -> {
                assertThat(there.spec()).as(thing).isEqualTo(spec);
                found.put(thing, "there");
            });
            assertThat(ledger.allowed(thing))
                    .as("%s is %s; promised was %s", thing, found.get(thing), ledger.sure(thing))
                    .anyMatch(value -> session.isPresent() ? value.equals("there") : Sighting.isNothing(value));
        }
    }

    private static void bindings(StateStores stores) {
        // where a server keeps the lease of the killed process, its agent may end meanwhile
        Eventually.holds(() -> {
            Optional<Agent> agent = get(stores.sessions().find(Plan.AGENT.id()));
            long bound = IntStream.range(0, Plan.BINDINGS)
                    .mapToObj(number -> get(stores.sessions().boundTo(Plan.bound(number))))
                    .flatMap(Optional::stream)
                    .count();
            assertThat(bound)
                    .as("sessions bound to %s", agent)
                    .isEqualTo(agent.map(Agent::bound).orElse(0).longValue());
        });
    }
}
