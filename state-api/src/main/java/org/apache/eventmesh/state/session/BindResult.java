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

import org.apache.eventmesh.state.internal.Check;

/** Answer to a binding. */
public sealed interface BindResult {
    /** The session is bound to the agent, durably. */
    record Bound(Agent agent) implements BindResult {
        public Bound {
            Check.given("agent", agent);
        }
    }

    /** The session is bound already, to this agent or another living one; nothing was changed. */
    record AlreadyBound(Agent agent) implements BindResult {
        public AlreadyBound {
            Check.given("agent", agent);
        }
    }

    /** The agent has no room; nothing was changed. */
    record Full(int capacity) implements BindResult {}

    /** The agent is dead, unregistered, or registered anew since it was read: choose again. */
    record AgentGone() implements BindResult {}
}
