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
package org.apache.eventmesh.state.core.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.SteppedCall;
import org.apache.eventmesh.state.delivery.HandOut;
import org.apache.eventmesh.state.delivery.HandOutResult;
import org.apache.eventmesh.state.delivery.NackResult;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Unreadable;

/** A hand-out, commit by commit, until the limit is reached or nothing is due. What was given is told in any case. */
final class HandOutCall extends SteppedCall<HandOutResult> {
    private final int limit;
    private final Duration lease;
    private final Route route;

    /** Guarded by this, as all below: the time may be over while a part is told. */
    private final List<HandOut> given = new ArrayList<>();

    private final List<NackResult.DeadLettered> exhausted = new ArrayList<>();
    private final Set<Unreadable> unreadable = new LinkedHashSet<>();
    private Optional<Instant> nextDue = Optional.empty();

    HandOutCall(ShardLoop loop, int limit, Duration lease, Route route) {
        super(loop, new Operation(StoreName.DELIVERIES, "handOut", loop.token().scope()));
        this.limit = limit;
        this.lease = lease;
        this.route = route;
    }

    @Override
    protected void first() {
        next(limit, Optional.empty());
    }

    private void next(int left, Optional<OpenDelivery> from) {
        if (loop().sides().two()) {
            new OverTasks(loop()).due(from).thenAccept(tasks -> step(left, from, tasks));
        } else {
            step(left, from, OverTasks.Found.NOTHING);
        }
    }

    private void step(int left, Optional<OpenDelivery> from, OverTasks.Found tasks) {
        run(new HandOutStep(loop(), left, lease, route, from, tasks), this::part);
    }

    private void part(HandOutPart part) {
        if (part instanceof HandOutPart.Lost lost) {
            // what was given before is counted and leased: its receivers must have it
            answer(nothingYet() ? lost.why() : result());
            return;
        }
        HandOutPart.Done done = (HandOutPart.Done) part;
        if (loop().sides().two() && !done.exhausted().isEmpty()) {
            // what was given must reach its receivers, whatever the shared backend does
            Patience.of(loop(), OverTasks.PART)
                    .until(Aftermath.dead(loop(), done.exhausted()), List.of())
                    .whenComplete((dead, failure) -> {
                        if (failure == null) {
                            part(done, dead);
                        } else {
                            fail(failure);
                        }
                    });
        } else {
            part(done, done.exhausted());
        }
    }

    private void part(HandOutPart.Done done, List<NackResult.DeadLettered> dead) {
        int left;
        boolean some = !done.given().isEmpty() || !done.exhausted().isEmpty();
        synchronized (this) {
            given.addAll(done.given());
            exhausted.addAll(dead);
            unreadable.addAll(done.unreadable());
            nextDue = done.nextDue();
            left = limit - given.size();
        }
        if (some) {
            applied();
        }
        if (left > 0 && done.rest().isPresent()) {
            next(left, done.rest());
        } else {
            answer(result());
        }
    }

    @Override
    protected HandOutResult ended(StateStoreException why) {
        if (nothingYet()) {
            throw why;
        }
        return result();
    }

    private synchronized boolean nothingYet() {
        return given.isEmpty() && exhausted.isEmpty();
    }

    private synchronized HandOutResult result() {
        return new HandOutResult.HandedOut(given, exhausted, List.copyOf(unreadable), nextDue);
    }
}
