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

import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.core.owner.OwnedScope;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Renewal;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.session.HeartbeatResult;
import org.apache.eventmesh.state.session.OwnedAgent;

/** An agent under its token. */
final class RegisteredAgent implements OwnedAgent {
    private final Agents agents;
    private final OwnedScope<AgentId> owned;

    RegisteredAgent(Agents agents, Token<AgentId> token) {
        this.agents = agents;
        this.owned = new OwnedScope<>(agents.claims(), StoreName.SESSIONS, token);
    }

    @Override
    public Token<AgentId> token() {
        return owned.token();
    }

    @Override
    public CompletionStage<Fenced> lost() {
        return owned.lost();
    }

    @Override
    public CompletionStage<Void> release() {
        return owned.release();
    }

    @Override
    public CompletionStage<HeartbeatResult> heartbeat(boolean ready, int load) {
        Operation operation = new Operation(StoreName.SESSIONS, "heartbeat", token().scope());
        Heartbeat heartbeat = new Heartbeat(agents.claims(), agents.leases(), token(), ready, load);
        return agents.claims()
                .told(operation, token(), Steps.run(agents.backend(), operation, heartbeat::run))
                .thenApply(this::told);
    }

    /** It is the answer: one that came too late does not get here. */
    private HeartbeatResult told(HeartbeatResult answer) {
        if (answer instanceof HeartbeatResult.Alive alive && alive.renewal() == Renewal.RENEWED_AFTER_LAPSE) {
            agents.leases().lapseTold(token());
        }
        return answer;
    }
}
