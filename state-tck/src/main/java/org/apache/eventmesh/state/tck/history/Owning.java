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

import java.util.Optional;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;

/**
 * Who owns a scope, by the contract's rules E01 to E04. Leases are left out: whether another's had ended at a claim is not
 * known here, so a claim from a holder is allowed always.
 *
 * @param holder nobody before the first claim and after a release
 */
record Owning(Optional<Holder> holder, Rising epoch) {
    static final Owning NOBODY = new Owning(Optional.empty(), Rising.NEVER);

    /** After a claim that gave this token. */
    Optional<Owning> claimed(Token<?> token) {
        boolean repeated = holder.equals(Optional.of(token.holder()));
        return (repeated ? epoch.seen(token.epoch()) : epoch.raised(token.epoch()))
                .map(now -> new Owning(Optional.of(token.holder()), now));
    }

    /** After a claim that took effect, and whose answer was lost. */
    Owning claimedUnseen(Holder by) {
        return holder.equals(Optional.of(by)) ? this : new Owning(Optional.of(by), epoch.raised());
    }

    /** After a claim was refused to somebody because another holds it. */
    Optional<Owning> refused(Holder by, ClaimResult.HeldByOther<?> answer) {
        return answer.holder().equals(by) ? Optional.empty() : is(answer.holder(), answer.epoch());
    }

    /** After a write under this token was applied: it was the current one. */
    Optional<Owning> current(Token<?> token) {
        return is(token.holder(), token.epoch());
    }

    private Optional<Owning> is(Holder owner, long number) {
        return holder.equals(Optional.of(owner))
                ? epoch.seen(number).map(now -> new Owning(holder, now))
                : Optional.empty();
    }

    /**
     * After a write under this token was fenced: it was not the current one. A spent handle tells what ended it, which may
     * itself be taken over since: the claim that it names is later than the token's, and no later than the current one.
     */
    Optional<Owning> fenced(Token<?> token, Fenced answer) {
        boolean told = answer.current()
                .map(other -> other.epoch() > token.epoch() && (!epoch.exact() || other.epoch() <= epoch.value()))
                .orElse(true);
        return told && current(token).isEmpty() ? Optional.of(this) : Optional.empty();
    }

    /** After the owner gave it back; nothing changes when this token is not the current one. */
    Owning released(Token<?> token) {
        return current(token)
                .map(now -> new Owning(Optional.empty(), now.epoch()))
                .orElse(this);
    }
}
