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
package org.apache.eventmesh.state.core.shard;

import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.owner.Validity;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Fenced;
import org.apache.eventmesh.state.owner.Token;

/** Knows when tokens are past: from a watch, and from what loops tell it. */
public interface TokenFate {
    /** Completes once, on the callback executor, when the token is not current any more. */
    CompletionStage<Fenced> lost(Token<Partition> token);

    /** Of the data set that keeps the ownerships. */
    String incarnation();

    /** Whether writes under the token may go on; asked before each batch. */
    Validity validity(Token<Partition> token);

    /** An operation was refused because of it. Called on the callback executor, before the operation's answer. */
    void fenced(Operation operation, Token<Partition> token, Fenced why);
}
