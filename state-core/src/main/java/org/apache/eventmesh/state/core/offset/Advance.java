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
package org.apache.eventmesh.state.core.offset;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.shard.Elements;
import org.apache.eventmesh.state.core.shard.Entering;
import org.apache.eventmesh.state.core.shard.Place;
import org.apache.eventmesh.state.core.shard.Reader;
import org.apache.eventmesh.state.core.shard.ShardDraft;
import org.apache.eventmesh.state.core.shard.ShardLoop;
import org.apache.eventmesh.state.core.shard.ShardOperation;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.offset.AdvanceResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.result.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Raises a cursor, never past what is open: the position is then the cursor, and nobody sees it fall.
 *
 * @param entering who may enter; empty over one backend, where everybody may
 */
record Advance(Subscriber subscriber, long to, Optional<Entering> entering) implements ShardOperation<AdvanceResult> {
    /** Many of one shard; outcomes in order. Fails as a whole only when the store set is closed. */
    static CompletionStage<Map<Subscriber, Outcome<AdvanceResult>>> all(
            ShardLoop loop, Map<Subscriber, Long> to, Optional<Entering> entering) {
        List<Advance> advances = to.entrySet().stream()
                .map(each -> new Advance(each.getKey(), each.getValue(), entering))
                .toList();
        Operation operation =
                new Operation(StoreName.OFFSETS, "advance", loop.token().scope());
        return Elements.run(loop, operation, advances).thenApply(outcomes -> {
            Map<Subscriber, Outcome<AdvanceResult>> bySubscriber = new LinkedHashMap<>();
            for (int i = 0; i < outcomes.size(); i++) {
                bySubscriber.put(advances.get(i).subscriber(), outcomes.get(i));
            }
            return bySubscriber;
        });
    }

    @Override
    public StoreName store() {
        return StoreName.OFFSETS;
    }

    @Override
    public String name() {
        return "advance";
    }

    @Override
    public AdvanceResult decide(ShardDraft draft) {
        Reader reader = draft.index().reader(subscriber);
        Place place = Served.place(reader);
        if (place != null && place.cursor() >= to) {
            return new AdvanceResult.AlreadyAt(place.cursor());
        }
        OptionalLong lowestOpen = reader == null ? OptionalLong.empty() : reader.lowestOpen();
        if (lowestOpen.isPresent() && lowestOpen.getAsLong() < to) {
            return new AdvanceResult.HeldBack(lowestOpen.getAsLong());
        }
        if (place == null && !Entering.allowed(entering, draft, subscriber)) {
            throw new StoreUnavailableException(
                    "the subscriber was removed at the same moment; nothing was applied, try again");
        }
        draft.place(subscriber, raised(draft, place));
        return new AdvanceResult.Advanced(place == null ? OptionalLong.empty() : OptionalLong.of(place.cursor()), to);
    }

    @Override
    public AdvanceResult fenced(Fenced why) {
        return why;
    }

    private Place raised(ShardDraft draft, @Nullable Place place) {
        return place == null ? Place.entered(draft.number(), Optional.empty(), to) : place.at(to);
    }
}
