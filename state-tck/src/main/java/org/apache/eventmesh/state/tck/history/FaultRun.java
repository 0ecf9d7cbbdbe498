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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.apache.eventmesh.state.StateStores;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Figures;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.tck.kit.StoreFixture.Disturbance;
import org.apache.eventmesh.state.tck.kit.StoreKit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** One round: callers at several instances in the time of the machine, and some faults, one after the other. */
final class FaultRun {
    private static final Logger LOG = LoggerFactory.getLogger(FaultRun.class);

    private static final int INSTANCES = 3;

    /** Of each work, at each instance. */
    private static final int CALLERS = 2;

    private static final int FAULTS = 6;

    /** Longer than the longest fault of servers that a member should outlive, shorter than the longest of all. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    /** Shorter than the longest faults: some calls never hear what became of them. */
    private static final Duration DEADLINE = Duration.ofSeconds(4);

    private static final long LONGEST_MILLIS = 6_000;

    /** Of all callers of a work, while a fault lasts and after it. */
    private static final int CALLS_DURING = 36;

    private static final int CALLS_AFTER = 12;

    private static final Duration BEAT = Duration.ofMillis(50);

    private final Pace pace = new Pace();
    private final List<Slot> slots = new ArrayList<>();
    private final List<CompletableFuture<Void>> callers = new ArrayList<>();
    private final StoreKit kit;
    private final String name;
    private final Random random;
    private final List<Work> works;
    private final Figures figures;

    FaultRun(StoreKit kit, String name, Random random, List<Work> works, Figures figures) {
        this.kit = kit;
        this.name = name;
        this.random = random;
        this.works = works;
        this.figures = figures;
    }

    /** @param goesOn when it no longer does, the fault under way is the last */
    void go(BooleanSupplier goesOn) {
        for (int n = 0; n < INSTANCES; n++) {
            slots.add(new Slot(this::born, name + (char) ('A' + n)));
        }
        works.forEach(work -> work.begin(new Caller("first", random, slots.get(0)::life)));
        ExecutorService threads = Executors.newFixedThreadPool(works.size() * INSTANCES * CALLERS);
        try {
            works.forEach(work -> send(work, threads));
            trouble(goesOn);
        } finally {
            pace.end();
            threads.shutdown();
        }
        callers.forEach(Stages::get);
        works.forEach(work -> work.converge(slots.stream().map(Slot::life).toList()));
        slots.forEach(slot -> slot.life().instance().close());
        Slot last = new Slot(this::born, name + "Z");
        works.forEach(work -> work.end(new Caller("last", random, last::life)));
        last.life().instance().close();
        slots.forEach(Slot::bury);
        works.stream().map(Work::tally).reduce(Tally.NONE, Tally::plus).addTo(figures);
    }

    /** As a runtime starts: on a busy machine not always at the first try. */
    private Life born(String instance) {
        CompletableFuture<Life> life = new CompletableFuture<>();
        Eventually.holds(() -> {
            try {
                Instance opened = kit.openInRealTime(instance, DEADLINE);
                try {
                    life.complete(new Life(opened, LEASE));
                } finally {
                    if (!life.isDone()) {
                        opened.close();
                    }
                }
            } catch (StoreUnavailableException | OutcomeUnknownException notYet) {
                throw new AssertionError(instance + " cannot be opened though nothing is wrong", notYet);
            }
        });
        return Stages.get(life);
    }

    private void send(Work work, ExecutorService threads) {
        for (int n = 0; n < INSTANCES * CALLERS; n++) {
            Slot slot = slots.get(n % INSTANCES);
            Caller caller = new Caller(
                    (char) ('A' + n % INSTANCES) + "/" + (1 + n / INSTANCES),
                    new Random(random.nextLong()),
                    slot::life);
            callers.add(CompletableFuture.runAsync(() -> call(work, caller), threads));
        }
    }

    private void call(Work work, Caller caller) {
        while (pace.next()) {
            work.step(caller);
            pace.made();
        }
    }

    private void trouble(BooleanSupplier goesOn) {
        List<Disturbance> ofServers = kit.fixture().disturbances();
        List<Disturbance> alone = OwnerTrouble.of(slots);
        List<Disturbance> beside = OwnerTrouble.always(slots);
        for (int n = 0; n < FAULTS && goesOn.getAsBoolean() && !stopped(); n++) {
            int dice = ofServers.isEmpty() ? 0 : random.nextInt(10);
            List<Disturbance> now = new ArrayList<>();
            if (dice > 3) {
                now.add(ofServers.get(random.nextInt(ofServers.size())));
            }
            if (dice < 6) {
                List<Disturbance> ofOwners = now.isEmpty() ? alone : beside;
                now.add(ofOwners.get(random.nextInt(ofOwners.size())));
            }
            suffer(now);
        }
    }

    /** All at once, and until everybody gets on again; servers first, as who restarts needs them. */
    private void suffer(List<Disturbance> now) {
        // most are short: much happens at their edges
        Duration length = Duration.ofMillis(
                switch (random.nextInt(3)) {
                    case 0 -> random.nextLong(100);
                    case 1 -> random.nextLong(1_500);
                    default -> random.nextLong(LONGEST_MILLIS);
                });
        LOG.info("{}: {} for {}", name, now.stream().map(Disturbance::name).toList(), length);
        pace.give(CALLS_AFTER * works.size());
        List<Runnable> ends = new ArrayList<>();
        try {
            for (Disturbance each : now) {
                figures.add("faults", 1);
                figures.add("faults." + each.name(), 1);
                ends.add(each.begin(random));
            }
            letCall(length, CALLS_DURING * works.size());
        } finally {
            ends.forEach(Runnable::run);
        }
        awaitCalls(now);
        slots.forEach(slot -> awaitWell(slot.life(), now));
        pace.give(CALLS_AFTER * works.size());
        awaitCalls(now);
    }

    private void awaitCalls(List<Disturbance> over) {
        Eventually.holds(() -> assertThat(pace.allMade() || stopped())
                .as("every call is answered after %s", over)
                .isTrue());
    }

    /** A client may need a moment to see that its servers are there again. */
    private static void awaitWell(Life life, List<Disturbance> over) {
        StateStores stores = life.instance().stores();
        Eventually.holds(() -> {
            Answer<?> written = life.ask(life.instance().member().renew());
            Answer<?> read = life.ask(stores.subscriptions().topics(PageRequest.first(1)));
            assertThat(written.value().isPresent() && read.value().isPresent())
                    .as("%s works again after %s", life.instance().name(), over)
                    .isTrue();
        });
    }

    /** All calls at once, or spread over the time. */
    private void letCall(Duration length, int calls) {
        int beats = (int) (length.toMillis() / BEAT.toMillis());
        if (beats == 0 || random.nextInt(3) == 0) {
            pace.give(calls);
            Eventually.passes(length);
            return;
        }
        for (int beat = 0; beat < beats; beat++) {
            pace.give(calls * (beat + 1) / beats - calls * beat / beats);
            Eventually.passes(BEAT);
        }
    }

    /** Whether a caller has seen what must not be. */
    private boolean stopped() {
        return callers.stream().anyMatch(CompletableFuture::isCompletedExceptionally);
    }
}
