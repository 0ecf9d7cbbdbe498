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
package org.apache.eventmesh.state.core.commit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.failure.StateStoreException;
import org.apache.eventmesh.state.value.Durability;

/** A commit on its way through a {@link CommitQueue}. */
public final class Submission implements Withdrawable {
    private final CommitQueue queue;
    private final Commit commit;
    private final Durability level;
    private final int bytes;
    private final CompletableFuture<CommitResult> fate = new CompletableFuture<>();

    Submission(CommitQueue queue, Commit commit, Durability level) {
        this.queue = queue;
        this.commit = commit;
        this.level = level;
        this.bytes = bytes(commit);
    }

    /** As the engine tells it, on a thread of the engine or of the queue: be quick there and never block. */
    public CompletionStage<CommitResult> fate() {
        return fate;
    }

    /**
     * Takes it back, if it still waits: then it will never be handed to the engine, and {@link #fate} stays open.
     *
     * @return whether it was taken back, or has failed already without being applied
     */
    @Override
    public boolean withdraw() {
        return queue.withdraw(this) || failed();
    }

    /** Known to whoever failed it, and perhaps not yet to whoever waits. */
    private boolean failed() {
        try {
            return fate.isDone() && !(fate.join() instanceof CommitResult.Applied);
        } catch (CompletionException e) {
            return e.getCause() instanceof StateStoreException why && why.certainlyNotApplied();
        }
    }

    Commit commit() {
        return commit;
    }

    Durability level() {
        return level;
    }

    int bytes() {
        return bytes;
    }

    void complete(CommitResult result) {
        fate.complete(result);
    }

    void fail(Throwable failure) {
        fate.completeExceptionally(failure);
    }

    private static int bytes(Commit commit) {
        int bytes = 0;
        for (Condition condition : commit.conditions()) {
            bytes += condition.key().size();
        }
        for (Change change : commit.changes()) {
            bytes += change.key().size();
            if (change instanceof Change.Put put) {
                bytes += put.value().size();
            }
        }
        return bytes;
    }
}
