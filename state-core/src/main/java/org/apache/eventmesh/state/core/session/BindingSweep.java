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
package org.apache.eventmesh.state.core.session;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.proto.BindingRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.value.Bytes;

/**
 * Removes bindings of registrations that have ended. Nobody sees these any more, so it takes its time: a bounded number at
 * the end of a registration, and some whenever sessions are expired, one part of the table after the other.
 */
final class BindingSweep {
    private static final int PAGE = 128;

    /** Where the next part begins. */
    private volatile KeyRange rest = SessionKeys.bindingsByAgent();

    /** Some of an agent's, of registrations up to that epoch. */
    CompletionStage<Boolean> ofAgent(Steps steps, AgentId agent, long upTo) {
        return steps.scan(SessionKeys.bindingsByAgent(agent, upTo), PAGE)
                .thenCompose(slice -> remove(steps, slice.entries()));
    }

    /** Of the next part of the table. */
    CompletionStage<Boolean> some(Steps steps) {
        KeyRange part = rest;
        return steps.scan(part, PAGE).thenCompose(slice -> {
            List<Entry> entries = slice.entries();
            rest = slice.more() ? part.after(entries.get(entries.size() - 1).key()) : SessionKeys.bindingsByAgent();
            return remove(steps, entries);
        });
    }

    private static CompletionStage<Boolean> remove(Steps steps, List<Entry> byAgent) {
        List<Bound> bindings = new ArrayList<>();
        Set<Bytes> keys = new HashSet<>();
        for (Entry entry : byAgent) {
            try {
                Bound bound = SessionKeys.readBindingByAgent(entry.key());
                bindings.add(bound);
                keys.add(SessionKeys.agent(bound.agent()));
                keys.add(SessionKeys.binding(bound.session()));
            } catch (CorruptStateException e) {
                // it names no binding, so there is nothing that it would keep
            }
        }
        return bindings.isEmpty()
                ? CompletableFuture.completedStage(true)
                : steps.transact(
                        keys,
                        seen -> remove(
                                bindings,
                                seen,
                                steps.backend().engine().limits().maxOperations()));
    }

    private static Decision<Boolean> remove(List<Bound> bindings, Seen seen, int maxOperations) {
        Draft draft = new Draft();
        for (Bound bound : bindings) {
            if (draft.operations() + 4 <= maxOperations && ended(bound, seen)) {
                draft.change(Change.delete(SessionKeys.bindingByAgent(bound)));
                Bytes key = SessionKeys.binding(bound.session());
                if (names(seen, key, bound)) {
                    draft.condition(seen.unchanged(key)).change(Change.delete(key));
                }
            }
        }
        return draft.changesNothing() ? Decision.answer(true) : draft.write(true);
    }

    /** The agent is unregistered, or registered anew: epochs only rise, so this stays so. */
    private static boolean ended(Bound bound, Seen seen) {
        try {
            return AgentRecords.agent(seen.entry(SessionKeys.agent(bound.agent())))
                    .filter(agent -> agent.record().getEpoch() <= bound.epoch())
                    .isEmpty();
        } catch (CorruptStateException | IncompatibleFormatException e) {
            return false;
        }
    }

    /** The session may be bound elsewhere meanwhile. */
    private static boolean names(Seen seen, Bytes key, Bound bound) {
        try {
            return seen.get(Records.BINDING, key)
                    .map(Stored::record)
                    .filter(record -> sameAs(record, bound))
                    .isPresent();
        } catch (CorruptStateException | IncompatibleFormatException e) {
            return false;
        }
    }

    private static boolean sameAs(BindingRecord record, Bound bound) {
        return record.getAgentEpoch() == bound.epoch()
                && record.getAgent().equals(bound.agent().value());
    }
}
