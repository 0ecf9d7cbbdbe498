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
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.session.Agent;

/** Rule N01 for one agent: whoever registered it last reports for it. It is not known here when its lease ended, and it with that. */
final class AgentOwning implements Spec<Owning, AgentInput, Object> {
    @Override
    public Owning initial() {
        return Owning.NOBODY;
    }

    @Override
    public boolean reads(AgentInput input) {
        return input instanceof AgentInput.Find;
    }

    @Override
    public Optional<Owning> after(Owning owning, AgentInput input, Object output) {
        if (input instanceof OwnerInput owner) {
            return OwnerInput.after(owning, owner, output).or(() -> claimedAnew(owning, output));
        }
        if (input instanceof AgentInput.Beat beat) {
            return output instanceof Fenced fenced ? owning.fenced(beat.token(), fenced) : owning.current(beat.token());
        }
        Optional<?> found = (Optional<?>) output;
        if (found.isEmpty()) {
            return Optional.of(owning);
        }
        Agent agent = (Agent) found.get();
        return owning.holder().equals(Optional.of(agent.holder()))
                ? owning.epoch().seen(agent.epoch()).map(now -> new Owning(owning.holder(), now))
                : Optional.empty();
    }

    /** By its owner, whose lease had ended. */
    private static Optional<Owning> claimedAnew(Owning owning, Object output) {
        return output instanceof Token<?> token && owning.holder().equals(Optional.of(token.holder()))
                ? owning.epoch().raised(token.epoch()).map(now -> new Owning(owning.holder(), now))
                : Optional.empty();
    }

    @Override
    public Collection<Owning> possible(Owning owning, AgentInput input) {
        if (!(input instanceof OwnerInput owner)) {
            return List.of();
        }
        List<Owning> all = new ArrayList<>(OwnerInput.possible(owning, owner));
        if (owner instanceof OwnerInput.Claim claim && owning.holder().equals(Optional.of(claim.by()))) {
            all.add(new Owning(owning.holder(), owning.epoch().raised()));
        }
        return all;
    }
}
