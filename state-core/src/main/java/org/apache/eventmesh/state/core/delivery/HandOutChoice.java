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

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Receiver;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Unreadable;
import org.jspecify.annotations.Nullable;

/** What is due, and what the caller's route says of it. */
final class HandOutChoice {
    /** Deliveries of one commit; more would keep others waiting. */
    private static final int MOST = 500;

    /** Questions to the caller's route in one turn of the shard, for the same reason: it may want none of them. */
    private static final int ASKED = 1_000;

    final List<Routed> routed = new ArrayList<>();
    final List<OpenDelivery> exhausted = new ArrayList<>();
    final List<Unreadable> unreadable = new ArrayList<>();

    /** The first, in due order, that needs another look, if any does. */
    @Nullable
    OpenDelivery rest;

    private int asked;

    /** A due delivery and who gets it. */
    record Routed(OpenDelivery delivery, Receiver receiver) {}

    /** @param tasks as in {@link HandOutStep} */
    static HandOutChoice of(
            ShardLoop loop,
            ShardIndex index,
            Wanted wanted,
            int limit,
            Route route,
            Optional<OpenDelivery> from,
            OverTasks.Found tasks) {
        HandOutChoice choice = new HandOutChoice();
        if (from.isEmpty()) {
            index.unreadable().values().stream()
                    .limit(MOST)
                    .forEach(delivery -> delivery.damage().ifPresent(choice.unreadable::add));
        }
        long now = Millis.now(loop.settings().clock());
        int mostHandOuts = loop.settings().limits().handOuts();
        NavigableSet<OpenDelivery> due =
                from.map(first -> index.due().tailSet(first, true)).orElse(index.due());
        for (OpenDelivery delivery : due) {
            if (delivery.dueAt() > now) {
                break;
            }
            if (choice.full(limit) || tasks.toBeAsked(delivery)) {
                choice.rest = first(choice.rest, delivery);
                break;
            }
            Unreadable damage = index.damagedMessage(delivery.key().message());
            if (damage != null) {
                choice.unreadable.add(damage);
            } else if (wanted.chosen(delivery.number())) {
                choice.rest = first(choice.rest, delivery);
            } else if (delivery.record().getHandOuts() >= mostHandOuts) {
                wanted.choose(delivery.number());
                choice.exhausted.add(delivery);
                GivenUp.prepare(index.partition(), delivery, wanted);
            } else {
                choice.ask(loop, index, delivery, wanted, route);
            }
        }
        return choice;
    }

    private boolean full(int limit) {
        return routed.size() >= Math.min(limit, MOST)
                || exhausted.size() >= MOST
                || unreadable.size() >= 2 * MOST
                || asked >= ASKED;
    }

    /** The one that is due before the other. */
    static OpenDelivery first(@Nullable OpenDelivery one, OpenDelivery other) {
        return one != null && ShardIndex.DUE_ORDER.compare(one, other) <= 0 ? one : other;
    }

    private void ask(ShardLoop loop, ShardIndex index, OpenDelivery delivery, Wanted wanted, Route route) {
        asked++;
        to(loop, index, delivery, route).ifPresent(receiver -> {
            wanted.choose(delivery.number());
            routed.add(new Routed(delivery, receiver));
            Messages.prepare(index.partition(), delivery, wanted);
            CarriedTask.prepare(delivery, wanted);
        });
    }

    private static Optional<Receiver> to(ShardLoop loop, ShardIndex index, OpenDelivery delivery, Route route) {
        try {
            return route.to(Messages.due(
                            index.partition(), loop.backend().engine().incarnation(), delivery))
                    .map(receiver -> receiver);
        } catch (Throwable e) {
            loop.backend().callbacks().listenerFailed(StoreName.DELIVERIES, e);
            throw new StoreUnavailableException(
                    "the caller's route threw " + e + "; nothing was handed out, correct the route and call again", e);
        }
    }
}
