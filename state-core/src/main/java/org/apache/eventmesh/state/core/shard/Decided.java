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

import java.util.List;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.jspecify.annotations.Nullable;

/**
 * What became of a batch in one turn.
 *
 * @param operations decided; their answers hold when the commit is applied
 * @param failed those that failed by themselves
 * @param rest those that found no room, or need more read; they wait for the next turn
 * @param missing what the first of the rest needs read
 */
record Decided(
        DraftCommit draft,
        Commit commit,
        boolean reserving,
        List<Pending<?>> operations,
        List<Failed> failed,
        List<Pending<?>> rest,
        @Nullable Bytes missing) {

    /** What the commit has to survive. */
    Durability level() {
        return draft.synced() && !commit.changes().isEmpty() ? Durability.DISK : Durability.PROCESS;
    }

    record Failed(Pending<?> operation, Throwable failure) {}
}
