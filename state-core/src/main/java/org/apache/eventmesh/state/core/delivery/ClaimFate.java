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
package org.apache.eventmesh.state.core.delivery;

import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.owner.Claims;
import org.apache.eventmesh.state.core.owner.Validity;
import org.apache.eventmesh.state.core.shard.TokenFate;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;

/**
 * The claims of a store set know when a token is past.
 *
 * @param seenByWrites whether the commits of shards condition on the ownership itself, in the same backend
 */
public record ClaimFate(Claims claims, boolean seenByWrites) implements TokenFate {
    /** For shards whose writes condition on the ownership itself. */
    public ClaimFate(Claims claims) {
        this(claims, true);
    }

    @Override
    public String incarnation() {
        return claims.incarnation();
    }

    @Override
    public Validity validity(Token<Partition> token) {
        return seenByWrites ? Validity.ALWAYS : claims.validity(token);
    }

    @Override
    public CompletionStage<Fenced> lost(Token<Partition> token) {
        return claims.lost(token);
    }

    @Override
    public void fenced(Operation operation, Token<Partition> token, Fenced why) {
        claims.fenced(operation, token, why);
    }
}
