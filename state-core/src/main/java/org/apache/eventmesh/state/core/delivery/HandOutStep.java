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
import java.util.Optional;
import org.apache.eventmesh.state.core.shard.OpenDelivery;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardIndex;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.core.shard.Wanted;
import org.apache.eventmesh.state.delivery.Route;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Unreadable;

/** Hands out what is due, as much as one commit takes. The route is asked while nothing is being decided. */
final class HandOutStep implements ShardOperation<HandOutPart> {
    private final ShardLoop loop;
    private final int limit;
    private final Duration lease;
    private final Route route;
    private final Optional<OpenDelivery> from;
    private final OverTasks.Found tasks;
    private HandOutChoice choice = new HandOutChoice();

    /**
     * @param from where to begin in due order; at the start when empty
     * @param tasks what is known of those that due deliveries carry, as far as the shard cannot see them
     */
    HandOutStep(
            ShardLoop loop,
            int limit,
            Duration lease,
            Route route,
            Optional<OpenDelivery> from,
            OverTasks.Found tasks) {
        this.tasks = tasks;
        this.loop = loop;
        this.limit = limit;
        this.lease = lease;
        this.route = route;
        this.from = from;
    }

    @Override
    public StoreName store() {
        return StoreName.DELIVERIES;
    }

    @Override
    public String name() {
        return "handOut";
    }

    @Override
    public void prepare(ShardIndex committed, Wanted wanted) {
        choice = HandOutChoice.of(loop, committed, wanted, limit, route, from, tasks);
    }

    @Override
    public HandOutPart decide(ShardDraft draft) {
        return new HandOutDecision(draft, choice, lease, tasks, this::found).decide();
    }

    private void found(StoreName store, Unreadable damage) {
        loop.backend().callbacks().tell(to -> to.unreadable(store, damage));
    }

    @Override
    public HandOutPart fenced(Fenced why) {
        return new HandOutPart.Lost(why);
    }
}
