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

import java.util.concurrent.CompletionStage;

/**
 * This process in the mesh: holder and lease of all its claims. The library renews the lease every third of its
 * length, until {@link #leave()} or the store set closes.
 */
public interface Member {
    Holder holder();

    /** Whether the lease is valid by the local monotonic clock, counted from before the last renewal; a local copy. */
    boolean live();

    /** Renews now. Durable; idempotent. */
    CompletionStage<Renewal> renew();

    /**
     * Ends the lease and releases every claim of this member, with its registrations. Durable; idempotent. Afterwards
     * its writes are {@link Fenced} and its claims fail with {@link IllegalStateException}.
     */
    CompletionStage<Void> leave();
}
