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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.eventmesh.state.core.across.Sides;
import org.apache.eventmesh.state.core.commit.Backend;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.owner.Token;

/** Makes the loops of a store set, one for each token, and keeps them until their token is known to be past. */
public final class Registry implements Shards {
    private final Sides sides;
    private final ShardSettings settings;
    private final TokenFate fate;
    private final Map<Token<Partition>, SerialShardLoop> loops = new ConcurrentHashMap<>();
    private final Map<Partition, SerialShardLoop> owned = new ConcurrentHashMap<>();

    /** Over one backend. */
    public Registry(Backend backend, ShardSettings settings, TokenFate fate) {
        this(Sides.one(backend), settings, fate);
    }

    public Registry(Sides sides, ShardSettings settings, TokenFate fate) {
        this.fate = fate;
        this.sides = sides;
        this.settings = settings;
    }

    @Override
    public ShardLoop of(Token<Partition> token) {
        return made(token);
    }

    @Override
    public ShardLoop owned(Token<Partition> token) {
        SerialShardLoop loop = made(token);
        owned.put(token.scope(), loop);
        if (loop.past().isPresent()) {
            // it was lost before it was put there, or is being lost now
            forget(loop);
        }
        return loop;
    }

    @Override
    public Optional<ShardLoop> owned(Partition partition) {
        return Optional.ofNullable(owned.get(partition));
    }

    @Override
    public Collection<ShardLoop> owned() {
        return List.copyOf(owned.values());
    }

    @Override
    public ShardLoop loop(Shard handle) {
        if (handle instanceof LoopHandle ours && ours.loop().backend() == sides.local()) {
            return ours.loop();
        }
        throw new IllegalArgumentException("the shard " + handle.token().scope()
                + " is a handle of another store set; make one here from its token");
    }

    private SerialShardLoop made(Token<Partition> token) {
        SerialShardLoop present = loops.get(token);
        if (present != null) {
            return present;
        }
        SerialShardLoop loop = loops.computeIfAbsent(token, this::make);
        fate.lost(token).thenAccept(loop::lost);
        return loop;
    }

    private SerialShardLoop make(Token<Partition> token) {
        return new SerialShardLoop(token, sides, settings, fate, this::forget);
    }

    private void forget(SerialShardLoop loop) {
        loops.remove(loop.token(), loop);
        owned.remove(loop.token().scope(), loop);
    }
}
