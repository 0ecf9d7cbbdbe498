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
package org.apache.eventmesh.state.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;

/** The commits of one call whose conditions hold: written together, answered together. */
final class Batch {
    private final List<Change> changes = new ArrayList<>();
    private final List<CompletableFuture<CommitResult>> stages = new ArrayList<>();

    void add(Commit commit, CompletableFuture<CommitResult> stage) {
        changes.addAll(commit.changes());
        stages.add(stage);
    }

    boolean isEmpty() {
        return stages.isEmpty();
    }

    List<Change> changes() {
        return changes;
    }

    List<CompletableFuture<CommitResult>> stages() {
        return stages;
    }
}
