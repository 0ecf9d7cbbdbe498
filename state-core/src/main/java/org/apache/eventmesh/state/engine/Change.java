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
package org.apache.eventmesh.state.engine;

import java.util.OptionalLong;
import org.apache.eventmesh.state.value.Bytes;

/** One changed key of a {@link Commit}. */
public sealed interface Change {
    Bytes key();

    /**
     * Sets a key.
     *
     * @param lease the key vanishes when this lease ends; a later put without it takes the key out of the lease, and so
     *     does a delete. A commit with a put under a lease that has ended, or that was never granted, changes nothing
     *     and is answered with {@link CommitResult.LeaseEnded}. An engine that does not declare
     *     {@link Capability#LEASES} is never handed one
     */
    record Put(Bytes key, Bytes value, OptionalLong lease) implements Change {}

    /** Removes a key; no error when it is absent. */
    record Delete(Bytes key) implements Change {}

    static Change put(Bytes key, Bytes value) {
        return new Put(key, value, OptionalLong.empty());
    }

    static Change put(Bytes key, Bytes value, long lease) {
        return new Put(key, value, OptionalLong.of(lease));
    }

    static Change delete(Bytes key) {
        return new Delete(key);
    }
}
