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
package org.apache.eventmesh.state.core.owner;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.eventmesh.state.core.commit.Decision;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.proto.HolderRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The rule of a claim: one commit that moves the counter and the holder record, while the member's own lease lives and,
 * unless it is a takeover, the present holder's does not.
 */
final class Claiming<S extends Scope> {
    /** What one look or commit says. */
    sealed interface Answer<S extends Scope> {
        record Ours<S extends Scope>(Held<S> held) implements Answer<S> {}

        /**
         * Another holds it.
         *
         * @param lease the engine's name of the lease that lives
         */
        record Blocked<S extends Scope>(Holder holder, long epoch, long lease) implements Answer<S> {}

        /** The member's own lease has ended. */
        record Lapsed<S extends Scope>() implements Answer<S> {}
    }

    private final String incarnation;
    private final S scope;
    private final Holder by;
    private final ClaimStep<S> along;
    private final boolean takeOver;
    private final long now;
    private final Bytes holderKey;
    private final Bytes memberKey;

    Claiming(String incarnation, S scope, Holder by, ClaimStep<S> along, boolean takeOver, long now) {
        this.incarnation = incarnation;
        this.scope = scope;
        this.by = by;
        this.along = along;
        this.takeOver = takeOver;
        this.now = now;
        this.holderKey = OwnerKeys.holder(scope);
        this.memberKey = OwnerKeys.member(by.process());
    }

    Set<Bytes> keys() {
        Set<Bytes> keys = newKeys();
        keys.add(memberKey);
        return keys;
    }

    /** Those that the first claim of a scope creates. */
    Set<Bytes> newKeys() {
        Set<Bytes> keys = new LinkedHashSet<>(NewOwnership.keys(scope));
        keys.addAll(along.keys());
        return keys;
    }

    Decision<Answer<S>> decide(Seen seen) {
        if (seen.entry(memberKey).isEmpty()) {
            return Decision.answer(new Answer.Lapsed<>());
        }
        Optional<HolderRecord> present = seen.entry(holderKey).flatMap(this::readable);
        Draft draft = new Draft();
        if (present.isPresent() && present.get().getProcess().equals(by.process())) {
            return repeated(seen, draft);
        }
        if (present.isPresent() && !takeOver) {
            Bytes leaseKey = HolderLease.key(scope, present.get());
            if (!seen.knows(leaseKey)) {
                return Decision.readMore(leaseKey);
            }
            OptionalLong lease = HolderLease.id(scope, present.get(), seen.entry(leaseKey));
            if (lease.isPresent()) {
                return Decision.answer(new Answer.Blocked<>(
                        Held.holder(present.get()), present.get().getEpoch(), lease.getAsLong()));
            }
            draft.condition(seen.unchanged(leaseKey));
        }
        return next(seen, draft);
    }

    private Decision<Answer<S>> repeated(Seen seen, Draft draft) {
        Token<S> token = Held.token(incarnation, scope, seen.entry(holderKey).orElseThrow());
        Answer<S> ours = new Answer.Ours<>(new Held<>(token, seen.unchanged(holderKey)));
        along.repeated(token, seen, draft);
        return draft.changesNothing()
                ? Decision.answer(ours)
                : draft.condition(seen.unchanged(holderKey))
                        .condition(seen.unchanged(memberKey))
                        .write(ours);
    }

    private Decision<Answer<S>> next(Seen seen, Draft draft) {
        NewOwnership<S> next = NewOwnership.of(
                incarnation, scope, by, seen.entry(OwnerKeys.counter(scope)), seen.entry(holderKey), now);
        NewOwnership.keys(scope).forEach(key -> draft.condition(seen.unchanged(key)));
        draft.condition(seen.unchanged(memberKey));
        next.changes().forEach(draft::change);
        along.claimed(next.token(), seen, draft);
        return draft.write(revision -> new Answer.Ours<>(Held.since(next.token(), revision)));
    }

    /** A takeover is the way out of a record that cannot be decoded: the epoch does not come from it. */
    private Optional<HolderRecord> readable(Entry holder) {
        try {
            return Optional.of(Records.HOLDER.decode(holder).record());
        } catch (CorruptStateException e) {
            if (takeOver) {
                return Optional.empty();
            }
            throw e;
        }
    }
}
