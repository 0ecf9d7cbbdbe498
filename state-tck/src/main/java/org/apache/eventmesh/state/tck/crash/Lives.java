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

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.tck.kit.StoreFixture.Power;

import static org.apache.eventmesh.state.tck.kit.Stages.get;

/** One life of a process that works on all stores after the other, in one place; what is found after each is checked. */
final class Lives implements AutoCloseable {
    private final Place place;
    private final Ledger ledger;
    private final Random random;
    private final Optional<Power> power;
    private Child child;

    /** @param power of the disk below the place, which may go */
    Lives(Place place, Ledger ledger, Random random, Optional<Power> power) {
        this.place = place;
        this.ledger = ledger;
        this.random = random;
        this.power = power;
        this.child = Child.start(place, Workload.class, power);
    }

    /**
     * One life, up to its kill.
     *
     * @param pace how often it makes what is synced at any level
     * @param lines that it says before {@code end}
     * @param end what happens before the kill, while it works on
     * @param back what happens before anybody looks at the place
     */
    void live(Pace pace, int lines, Runnable end, Runnable back) {
        child.begin(beginning() + " " + pace);
        listen(lines);
        end.run();
        child.kill();
        listen(Integer.MAX_VALUE);
        // its JVM starts while this one looks
        child = Child.start(place, Workload.class, power);
        back.run();
        try (StateStores stores = place.open()) {
            Member member = get(stores.join("parent", Duration.ofSeconds(30)));
            Sighting.check(stores, ledger, member);
        }
    }

    /** What a new life must know: it goes on where the last one ended. */
    private String beginning() {
        Set<String> fanOuts = ledger.things("fanout");
        fanOuts.addAll(ledger.unanswered("fanout"));
        Set<String> sessions = ledger.things("session");
        sessions.addAll(ledger.unanswered("session"));
        String again = Ledger.offsets(ledger.unanswered("fanout")).stream()
                .filter(offset -> !ledger.sure(Openings.fanOut(offset)).equals(Ledger.CONFIRMED))
                .map(String::valueOf)
                .collect(Collectors.joining(","));
        return random.nextLong() + " " + next(fanOuts) + " " + (again.isEmpty() ? "none" : again) + " "
                + next(ledger.things("task"))
                + " "
                + Math.max(0, ledger.atMost("position/" + Plan.MIRROR.topic() + "/" + Plan.name(Plan.FOLLOWER)))
                + " " + next(sessions);
    }

    private static long next(Set<String> things) {
        List<Long> numbers = Ledger.offsets(things);
        return numbers.isEmpty() ? 0 : numbers.get(numbers.size() - 1) + 1;
    }

    private void listen(int lines) {
        for (int i = 0; i < lines; i++) {
            Optional<String> line = child.next();
            if (line.isEmpty()) {
                return;
            }
            ledger.read(line.get());
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
