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
package org.apache.eventmesh.state.owner;

import org.apache.eventmesh.state.id.Scope;
import org.apache.eventmesh.state.internal.Check;

/**
 * Proof of an ownership, a plain value that may be kept and sent; a handle ({@code Shard}, {@code OwnedClient}, ...)
 * carries it for you.
 *
 * @param incarnation of the data set; a token of another one is fenced
 * @param epoch greater than every epoch issued before for this scope; positive
 */
public record Token<S extends Scope>(String incarnation, S scope, long epoch, Holder holder) {
    public Token {
        Check.given("scope", scope);
        Check.given("holder", holder);
        Check.identifier("incarnation", incarnation);
        Check.that(epoch > 0, "epoch is %d; it must be positive", epoch);
    }
}
