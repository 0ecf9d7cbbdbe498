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

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.owner.ClaimResult;
import org.apache.eventmesh.state.owner.Holder;
import org.apache.eventmesh.state.owner.Token;

/** What is asked about the ownership of a scope. */
sealed interface OwnerInput extends ReaderInput, MessageInput, TaskInput, AgentInput {
    /** Answered with a token, or with {@link ClaimResult.HeldByOther} when it is not by force. */
    record Claim(Holder by, boolean force) implements OwnerInput {
        @Override
        public String toString() {
            return (force ? "take over as " : "claim as ") + by.instance();
        }
    }

    /** Answered with anything. */
    record Release(Token<?> token) implements OwnerInput {
        @Override
        public String toString() {
            return "release epoch " + token.epoch();
        }
    }

    /** The ownership after such an answer. */
    static Optional<Owning> after(Owning owning, OwnerInput input, Object output) {
        if (input instanceof Release release) {
            return Optional.of(owning.released(release.token()));
        }
        if (output instanceof Token<?> token) {
            return owning.claimed(token);
        }
        Claim claim = (Claim) input;
        return output instanceof ClaimResult.HeldByOther<?> other && !claim.force()
                ? owning.refused(claim.by(), other)
                : Optional.empty();
    }

    /** The ownership after a lost answer. */
    static Collection<Owning> possible(Owning owning, OwnerInput input) {
        return List.of(
                input instanceof Release release
                        ? owning.released(release.token())
                        : owning.claimedUnseen(((Claim) input).by()));
    }
}
