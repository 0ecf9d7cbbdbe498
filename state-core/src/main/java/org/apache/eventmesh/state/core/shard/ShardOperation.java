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

import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.owner.Fenced;

/**
 * One atomic decision on a shard. It may be decided several times, when a commit was refused because what it rested on
 * had changed: it keeps its arguments, and at most what its last preparation found.
 *
 * @param <R> the answer, immutable
 */
public interface ShardOperation<R> {
    /** The store that it was asked of. */
    StoreName store();

    /** For messages and events: {@code ack}. */
    String name();

    /**
     * Names what is not in the index and will be needed, so that one read fetches it for all operations that wait. It
     * sees committed facts only; operations that are decided before this one may change them. Changes nothing. When it
     * throws, only this operation fails.
     */
    default void prepare(ShardIndex committed, Wanted wanted) {}

    /**
     * Decides, seeing what the operations before it decided, and puts down its changes. Never blocks and calls no code of
     * the user. When it throws, what it changed is taken back, and only this operation fails.
     *
     * @throws org.apache.eventmesh.state.failure.StateStoreException the failure of this operation
     */
    R decide(ShardDraft draft);

    /** The answer when the token is not current. */
    R fenced(Fenced why);
}
