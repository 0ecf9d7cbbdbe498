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
import org.apache.eventmesh.state.core.commit.Draft;
import org.apache.eventmesh.state.core.commit.Seen;
import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.owner.Token;
import org.apache.eventmesh.state.value.Bytes;

/** What a store does in the commit of a claim. Pure and quick: it is called again when the commit was refused. */
public interface ClaimStep<S extends Scope> {
    /** Read along with what the claim itself needs. */
    default Collection<Bytes> keys() {
        return List.of();
    }

    /** The scope changes hands. */
    default void claimed(Token<S> token, Seen seen, Draft draft) {}

    /** The member holds the scope already; what is added here is committed while it does. */
    default void repeated(Token<S> token, Seen seen, Draft draft) {}

    /** Nothing beside the ownership. */
    static <S extends Scope> ClaimStep<S> none() {
        return new ClaimStep<>() {};
    }
}
