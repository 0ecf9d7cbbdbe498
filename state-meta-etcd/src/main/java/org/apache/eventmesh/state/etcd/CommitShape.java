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

import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;

/**
 * What fits in one transaction. etcd bounds the bytes of a request; and of a transaction the comparisons, the steps of
 * one branch, and those of the other, each by itself. A transaction within another has what the outer one leaves.
 *
 * @param maxSteps the server's limit
 * @param maxBytes the server's limit
 * @param keyOverhead how much longer a key is in etcd
 */
record CommitShape(int maxSteps, int maxBytes, int keyOverhead) {
    /** Framing of a request in its log entry, and the slot. */
    static final int REQUEST_BYTES = 1_024;
    /** Framing of a comparison or step, and the lease of a put, at most. */
    private static final int STEP_BYTES = 64;
    /** Of the outer transaction: the slot, and the commit's own transaction. */
    private static final int OUTER_STEPS = 2;
    /** What a refused commit notes beside reading its conditioned keys. */
    private static final int REFUSAL_STEPS = 1;

    /** What one commit may hold; of the bytes, a sixth is for keys that are longer in etcd, and for reading them back. */
    Limits limits() {
        return new Limits(maxSteps - OUTER_STEPS - REFUSAL_STEPS, (int) (maxBytes * 5L / 6));
    }

    /** How much of the server's limit the inner transaction of a commit takes. */
    static int steps(Commit commit) {
        return Math.max(
                commit.conditions().size() + REFUSAL_STEPS, commit.changes().size());
    }

    /** What a commit takes of a request, at most. */
    long bytes(Commit commit) {
        long bytes = STEP_BYTES + REQUEST_BYTES / 4;
        for (Condition condition : commit.conditions()) {
            bytes += 2L * (condition.key().size() + keyOverhead + STEP_BYTES);
        }
        for (Change change : commit.changes()) {
            bytes += change.key().size() + keyOverhead + STEP_BYTES;
            bytes += change instanceof Change.Put put ? put.value().size() : 0;
        }
        return bytes;
    }

    /**
     * A commit that is too large.
     *
     * @throws LimitExceededException when it is one
     */
    void mustFit(Commit commit, String backend) {
        Limits limits = limits();
        int operations = commit.conditions().size() + commit.changes().size();
        long size = 0;
        for (Condition condition : commit.conditions()) {
            size += condition.key().size();
        }
        for (Change change : commit.changes()) {
            size += change.key().size();
            size += change instanceof Change.Put put ? put.value().size() : 0;
        }
        if (operations > limits.maxOperations() || size > limits.maxBytes()) {
            throw new LimitExceededException("a commit of " + operations + " operations and " + size + " bytes for "
                    + backend + " is too large; at most " + limits.maxOperations() + " operations and "
                    + limits.maxBytes() + " bytes: split it. Nothing was applied");
        }
        if (!new Room(this).take(commit, bytes(commit))) {
            throw new LimitExceededException("a commit of " + operations + " operations and " + size + " bytes for "
                    + backend + " takes " + bytes(commit) + " bytes of a request, since its conditions name much; etcd"
                    + " takes " + maxBytes + " at once: split it. Nothing was applied");
        }
    }
}
