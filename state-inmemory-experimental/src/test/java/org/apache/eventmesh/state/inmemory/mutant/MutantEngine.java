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
package org.apache.eventmesh.state.inmemory.mutant;

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

/** A good engine; each mutant makes one thing of it wrong. */
class MutantEngine implements Engine {
    final Engine good;

    MutantEngine(Engine good) {
        this.good = good;
    }

    /** One commit at a time, so that a mutant has one to make wrong. */
    CompletionStage<CommitResult> commit(Commit commit, Durability level) {
        return good.commit(List.of(commit), level).get(0);
    }

    @Override
    public final List<CompletionStage<CommitResult>> commit(List<Commit> commits, Durability level) {
        return commits.stream().map(commit -> commit(commit, level)).toList();
    }

    @Override
    public CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
        return good.read(keys);
    }

    @Override
    public CompletionStage<Slice> scan(KeyRange range, int limit) {
        return good.scan(range, limit);
    }

    @Override
    public String incarnation() {
        return good.incarnation();
    }

    @Override
    public Limits limits() {
        return good.limits();
    }

    @Override
    public long syncedRevision() {
        return good.syncedRevision();
    }

    @Override
    public EngineHealth health() {
        return good.health();
    }

    @Override
    public void close() {
        good.close();
    }
}
