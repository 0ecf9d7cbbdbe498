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
package org.apache.eventmesh.state.example;

import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.SessionId;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Member;
import org.apache.eventmesh.state.session.*;

/** Agents come, report, and get sessions. */
final class Agents {
    private final SessionStore store;
    private final Member me;

    Agents(SessionStore store, Member me) {
        this.store = store;
        this.me = me;
    }

    CompletionStage<OwnedAgent> connected(AgentSpec spec) {
        return store.takeOver(me, spec, Duration.ofSeconds(15));
    }

    void heartbeat(OwnedAgent agent, int load, Runnable disconnect) {
        agent.heartbeat(true, load).thenAccept(r -> {
            if (r instanceof Fenced) {
                disconnect.run();
            }
        });
    }

    CompletionStage<BindResult> bind(String kind, SessionId session) {
        return store.view().available(kind).stream()
                .min(Comparator.comparingInt(Agent::load))
                .map(a -> store.bind(a, session))
                .orElse(CompletableFuture.completedStage(new BindResult.AgentGone()));
    }
}
