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
package org.apache.eventmesh.state.etcd;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;

/** A commit that has no fate yet. */
final class Pending {
    private final Commit commit;
    private final long bytes;
    private final long giveUp;
    private final CompletableFuture<CommitResult> fate = new CompletableFuture<>();
    private volatile boolean alone;

    /**
     * @param bytes that it takes in a request, at most
     * @param giveUp when, by {@link System#nanoTime()}, it is not sent any more
     */
    Pending(Commit commit, long bytes, long giveUp) {
        this.commit = commit;
        this.bytes = bytes;
        this.giveUp = giveUp;
    }

    Commit commit() {
        return commit;
    }

    long bytes() {
        return bytes;
    }

    boolean deletesOnly() {
        return commit.changes().stream().allMatch(Change.Delete.class::isInstance);
    }

    /** Whether there is still time to send it. */
    boolean inTime() {
        return giveUp - System.nanoTime() > 0;
    }

    /** From now on it shares no transaction. */
    void beAlone() {
        alone = true;
    }

    boolean isAlone() {
        return alone;
    }

    CompletionStage<CommitResult> stage() {
        return fate.minimalCompletionStage();
    }

    void complete(CommitResult result) {
        fate.complete(result);
    }

    void fail(Throwable failure) {
        fate.completeExceptionally(failure);
    }
}
