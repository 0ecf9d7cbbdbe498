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

import java.util.Collection;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Token;

/** The loops of a store set. */
public interface Shards {
    /** The loop of a token, made when there is none; it finds out by itself whether the token is current. */
    ShardLoop of(Token<Partition> token);

    /** The same for a token that a member of this store set has just got. */
    ShardLoop owned(Token<Partition> token);

    /** The loop of a partition that a member of this store set owns, as far as known now. */
    Optional<ShardLoop> owned(Partition partition);

    /** Of all partitions that a member of this store set owns, as far as known now. */
    Collection<ShardLoop> owned();

    /**
     * The loop of a handle.
     *
     * @throws IllegalArgumentException when another store set made the handle
     */
    ShardLoop loop(Shard handle);
}
