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
package org.apache.eventmesh.state.session;

import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.owner.Handle;

/** An agent registered here; releasing it unregisters it and ends its bindings in the same step. */
public interface OwnedAgent extends Handle<AgentId> {
    /**
     * Renews the agent's lease and reports its state. Idempotent; synced when the state changed.
     *
     * @param ready whether it takes work
     * @param load in the caller's unit
     */
    CompletionStage<HeartbeatResult> heartbeat(boolean ready, int load);
}
