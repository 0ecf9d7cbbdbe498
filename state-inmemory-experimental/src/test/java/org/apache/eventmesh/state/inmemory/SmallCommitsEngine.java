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
package org.apache.eventmesh.state.inmemory;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Engine;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;

/** An engine that takes less in one commit, as the core asks it; all else is the engine's own. */
record SmallCommitsEngine(Engine engine) implements Engine {
    /** What an etcd with its own settings takes, in bytes. */
    private static final int MOST = 1_310_720;

    @Override
    public Limits limits() {
        return new Limits(engine.limits().maxOperations(), MOST);
    }

    @Override
    public String incarnation() {
        return engine.incarnation();
    }

    @Override
    public List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        return engine.commit(commits, level);
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return engine.read(keys);
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return engine.scan(range, limit);
    }

    @Override
    public long syncedRevision() {
        return engine.syncedRevision();
    }

    @Override
    public EngineHealth health() {
        return engine.health();
    }

    @Override
    public void close() {
        engine.close();
    }
}
