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

import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.Parting;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/**
 * An agent is unregistered in the commit that ends its ownership. Its bindings carry its epoch, so they end in that same
 * step; that they are removed as well is for later.
 */
final class AgentParting implements Parting<AgentId> {
    private final AgentLeases leases;
    private final BindingSweep sweep;

    AgentParting(AgentLeases leases, BindingSweep sweep) {
        this.leases = leases;
        this.sweep = sweep;
    }

    @Override
    public void add(Token<AgentId> token, Collection<Bytes> read, Seen seen, Draft draft) {
        draft.change(Change.delete(SessionKeys.agent(token.scope())))
                .change(Change.delete(SessionKeys.agentLease(token.scope())));
    }

    @Override
    public CompletionStage<Boolean> after(Steps steps, Token<AgentId> token) {
        leases.drop(token);
        return sweep.ofAgent(steps, token.scope(), token.epoch()).exceptionally(failure -> false);
    }
}
