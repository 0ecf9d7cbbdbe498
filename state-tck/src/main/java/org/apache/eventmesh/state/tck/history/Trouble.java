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

import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.eventmesh.state.engine.Capability;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.fault.Which;
import org.apache.eventmesh.state.tck.kit.Eventually;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.apache.eventmesh.state.tck.kit.StoreKit;
import org.apache.eventmesh.state.value.Bytes;

import static org.assertj.core.api.Assertions.assertThat;

/** The faults of a run, one after the other, each of them over before the next begins. Driven by the progress of the callers. */
final class Trouble {
    private enum Kind {
        PAUSE,
        CUT_OFF,
        FAILED_COMMITS,
        LOST_ANSWERS,
        CRASH,
        CRASH_OF_ALL
    }

    /** Table numbers of what leases keep, and of the data set itself: the kit renews, and does not expect to wait for it. */
    private static final int META = 0x01;

    private static final int MEMBER = 0x04;

    private final StoreKit kit;
    private final List<Slot> slots;
    private final Random random;
    private final LongSupplier progress;

    Trouble(StoreKit kit, List<Slot> slots, Random random, LongSupplier progress) {
        this.kit = kit;
        this.slots = slots;
        this.random = random;
        this.progress = progress;
    }

    /** Another fault, from its beginning to its end. */
    void next() {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        Slot slot = slots.get(random.nextInt(slots.size()));
        Instance instance = slot.life().instance();
        switch (kind) {
            case PAUSE -> {
                instance.pause();
                outlast(slot);
                instance.resume();
            }
            case CUT_OFF -> {
                instance.cutOff();
                awaitProgress(20, slot);
                instance.heal();
            }
            case FAILED_COMMITS -> {
                instance.faults().fail(some(random));
                awaitProgress(20, slot);
                instance.faults().disarm();
            }
            case LOST_ANSWERS -> {
                Hold lost = instance.faults().loseAnswer(some(random));
                awaitProgress(10, slot);
                instance.faults().disarm();
                outlast(slot);
                lost.release();
            }
            case CRASH -> {
                slot.crash();
                awaitProgress(10, slot);
                slot.restart();
            }
            case CRASH_OF_ALL -> {
                if (kit.has(Capability.DURABLE)) {
                    slots.forEach(Slot::crash);
                    slots.forEach(Slot::restart);
                }
            }
        }
    }

    /** Several commits from some moment on. */
    static Which some(Random random) {
        return new Which(Trouble::isData, 1 + random.nextInt(5), 1 + random.nextInt(4));
    }

    private static boolean isData(Bytes key) {
        int table = key.buffer().get(0) & 0xFF;
        return table != META && table != MEMBER;
    }

    /** Longer than callers wait, and sometimes longer than a lease lasts. */
    private void outlast(Slot slot) {
        int deadlines = 1 + random.nextInt(4);
        for (int n = 0; n < deadlines; n++) {
            awaitProgress(6, slot);
            kit.passDeadline();
        }
    }

    /** Until others got on, or until nobody else does and those at this instance are stuck. */
    private void awaitProgress(int calls, Slot at) {
        long wanted = progress.getAsLong() + calls;
        BooleanSupplier stuck =
                () -> slots.stream().allMatch(slot -> slot.callers().get() == 0 || (slot == at && slot.allWait()));
        Eventually.holds(() -> assertThat(progress.getAsLong() >= wanted || stuck.getAsBoolean())
                .as("somebody gets on")
                .isTrue());
    }
}
