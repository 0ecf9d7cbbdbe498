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

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.owner.KeptLease;
import org.apache.eventmesh.state.core.owner.Leases;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.owner.Token;

/** The leases of the agents that are registered through this store set. */
final class AgentLeases {
    private final Leases leases;
    private final Map<Token<AgentId>, KeptLease> kept = new ConcurrentHashMap<>();

    /** Under what the agents stand again whose lapse the caller was not told of yet. */
    private final Map<Token<AgentId>, KeptLease> afterLapse = new ConcurrentHashMap<>();

    AgentLeases(Leases leases) {
        this.leases = leases;
    }

    Optional<KeptLease> of(Token<AgentId> token) {
        return Optional.ofNullable(kept.get(token));
    }

    /** The agent stands under this one now; another one that it stood under holds nothing any more. */
    void put(Token<AgentId> token, KeptLease lease) {
        kept.values().removeIf(this::over);
        KeptLease before = kept.put(token, lease);
        if (before != null && before != lease) {
            leases.revoke(before);
        }
    }

    /** The agent's lease had ended, and it is put under this one: the caller must know. */
    void lapsed(Token<AgentId> token, KeptLease lease) {
        // of one that has ended again the caller is told by what he finds then
        afterLapse.values().removeIf(former -> !former.live());
        afterLapse.put(token, lease);
    }

    /** Whether there was a lapse that the caller was not told of. */
    boolean lapseUntold(Token<AgentId> token) {
        return afterLapse.containsKey(token);
    }

    /** The caller was told. */
    void lapseTold(Token<AgentId> token) {
        afterLapse.remove(token);
    }

    /** The agent does not stand under it: it was not registered, or is not any more. */
    void revoke(KeptLease lease) {
        leases.revoke(lease);
    }

    /** The ownership has ended. */
    void drop(Token<AgentId> token) {
        afterLapse.remove(token);
        KeptLease last = kept.remove(token);
        if (last != null) {
            leases.revoke(last);
        }
    }

    /** Its agent is dead; a heartbeat would need another one. */
    private boolean over(KeptLease lease) {
        if (!lease.live()) {
            leases.ended(lease);
            return true;
        }
        return false;
    }

    Leases all() {
        return leases;
    }
}
