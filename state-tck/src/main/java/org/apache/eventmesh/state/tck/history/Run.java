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

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Stages;
import org.apache.eventmesh.state.tck.kit.StoreKit;

import static org.assertj.core.api.Assertions.assertThat;

/** Callers at several instances of one store, and faults; bounded by the number of calls. */
final class Run {
    private static final int INSTANCES = 3;
    private static final int CALLERS_EACH = 2;

    /** Of every caller. */
    private static final int CALLS = 50;

    /** Calls of all callers between the end of a fault and the next. */
    private static final int PEACE = 20;

    private final AtomicLong progress = new AtomicLong();
    private final Work work;
    private final List<Slot> slots = new ArrayList<>();
    private final Random random;
    private final StoreKit kit;
    private final String name;

    Run(StoreKit kit, String name, Random random, Work work) {
        this.kit = kit;
        this.name = name;
        this.random = random;
        this.work = work;
    }

    void go() {
        for (int n = 0; n < INSTANCES; n++) {
            slots.add(new Slot(kit, name + (char) ('A' + n)));
        }
        work.begin(new Caller("first", random, slots.get(0)::life));
        ExecutorService threads = Executors.newFixedThreadPool(INSTANCES * CALLERS_EACH);
        try {
            List<CompletableFuture<Void>> callers = new ArrayList<>();
            for (int n = 0; n < INSTANCES * CALLERS_EACH; n++) {
                Slot slot = slots.get(n % INSTANCES);
                Caller caller = new Caller(
                        (char) ('A' + n % INSTANCES) + "/" + (1 + n / INSTANCES),
                        new Random(random.nextLong()),
                        slot::life);
                slot.callers().incrementAndGet();
                callers.add(CompletableFuture.runAsync(() -> call(caller, slot), threads));
            }
            trouble(CompletableFuture.allOf(callers.toArray(CompletableFuture[]::new)));
        } finally {
            threads.shutdownNow();
        }
        // before the others are closed: an engine that is not durable lives as long as somebody has it open
        Slot last = new Slot(kit, name + "Z");
        slots.forEach(slot -> slot.life().instance().close());
        work.end(new Caller("last", random, last::life));
        last.life().instance().close();
        slots.forEach(Slot::bury);
    }

    private void call(Caller caller, Slot slot) {
        try {
            for (int n = 0; n < CALLS; n++) {
                work.step(caller);
                progress.incrementAndGet();
            }
        } finally {
            slot.callers().decrementAndGet();
        }
    }

    private void trouble(CompletableFuture<?> callers) {
        Trouble trouble = new Trouble(kit, slots, random, progress::get);
        while (!callers.isDone()) {
            trouble.next();
            long wanted = progress.get() + PEACE;
            Eventually.holds(() -> assertThat(callers.isDone() || progress.get() >= wanted)
                    .as("callers get on when nothing is wrong")
                    .isTrue());
        }
        Stages.get(callers);
    }
}
