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
import java.util.function.BiFunction;
import org.apache.eventmesh.state.tck.fault.Hold;
import org.apache.eventmesh.state.tck.kit.StoreFixture.Disturbance;

/** What happens to the instances of a run, and to what they ask for; the servers stay as they are. */
record OwnerTrouble(String name, List<Slot> slots, BiFunction<Slot, Random, Runnable> fault) implements Disturbance {
    /**
     * One of each kind that needs no server, of any of these instances. A crash is not among them: it leaves nothing under
     * way, and while servers are away nobody can say that.
     */
    static List<Disturbance> always(List<Slot> slots) {
        return List.of(
                new OwnerTrouble("owner paused", slots, (slot, random) -> {
                    slot.life().instance().pause();
                    return () -> slot.life().instance().resume();
                }),
                new OwnerTrouble("owner cut off", slots, (slot, random) -> {
                    slot.life().instance().cutOff();
                    return () -> slot.life().instance().heal();
                }),
                new OwnerTrouble("commits failed", slots, (slot, random) -> {
                    slot.life().instance().faults().fail(Trouble.some(random));
                    return () -> slot.life().instance().faults().disarm();
                }),
                new OwnerTrouble("answers lost", slots, (slot, random) -> {
                    Hold lost = slot.life().instance().faults().loseAnswer(Trouble.some(random));
                    return () -> {
                        slot.life().instance().faults().disarm();
                        lost.release();
                    };
                }));
    }

    /** One of each kind, of any of these instances, while servers are well. */
    static List<Disturbance> of(List<Slot> slots) {
        List<Disturbance> all = new ArrayList<>(always(slots));
        all.addAll(List.of(
                new OwnerTrouble("owner crashed", slots, (slot, random) -> {
                    slot.crash();
                    return slot::restart;
                }),
                new OwnerTrouble("all owners crashed", slots, (slot, random) -> {
                    slots.forEach(Slot::crash);
                    return () -> slots.forEach(Slot::restart);
                })));
        return List.copyOf(all);
    }

    @Override
    public Runnable begin(Random random) {
        return fault.apply(slots.get(random.nextInt(slots.size())), random);
    }

    @Override
    public String toString() {
        return name;
    }
}
