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
package org.apache.eventmesh.state.core.owner;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Handle;
import org.apache.eventmesh.state.owner.Token;
import org.jspecify.annotations.Nullable;

/** The part of a handle that all stores have in common. */
public final class OwnedScope<S extends Scope> implements Handle<S> {
    private final Claims claims;
    private final StoreName store;
    private final Token<S> token;
    private final AtomicReference<@Nullable CompletionStage<Fenced>> lost = new AtomicReference<>();

    /**
     * Claims nothing.
     *
     * @param store that the handle belongs to
     */
    public OwnedScope(Claims claims, StoreName store, Token<S> token) {
        this.claims = claims;
        this.store = store;
        this.token = token;
    }

    @Override
    public Token<S> token() {
        return token;
    }

    @Override
    public CompletionStage<Fenced> lost() {
        CompletionStage<Fenced> known = lost.get();
        if (known != null) {
            return known;
        }
        CompletionStage<Fenced> awaited = claims.lost(token);
        // two callers at once await the same
        return lost.compareAndSet(null, awaited) ? awaited : lost();
    }

    @Override
    public CompletionStage<Void> release() {
        return claims.release(new Operation(store, "release", token.scope()), token);
    }
}
