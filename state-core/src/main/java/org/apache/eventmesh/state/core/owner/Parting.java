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

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.core.commit.Steps;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/** What ends together with an ownership that is given back. */
public interface Parting<S extends Scope> {
    /**
     * Goes first; ends under the token what is too much for one commit.
     *
     * @return what the last commit has to read
     */
    default CompletionStage<Collection<Bytes>> before(Steps steps, Token<S> token) {
        return CompletableFuture.completedStage(List.of());
    }

    /**
     * Adds to the commit that ends the ownership.
     *
     * @param read what {@link #before} asked for, seen
     */
    default void add(Token<S> token, Collection<Bytes> read, Seen seen, Draft draft) {}

    /** Cleans up what nobody can write any more; the scope was nobody's when this was decided. */
    default CompletionStage<Boolean> after(Steps steps, Token<S> token) {
        return CompletableFuture.completedStage(true);
    }

    /** Nothing beside the ownership. */
    static <S extends Scope> Parting<S> none() {
        return new Parting<>() {};
    }
}
