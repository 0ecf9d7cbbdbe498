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

import java.util.HashSet;
import java.util.Set;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;

/** What is left of a transaction, in whichever {@link Group.Form} its commits will stand. Not thread safe. */
final class Room {
    /** Of each list of steps, and of the comparisons: the one of the slot. */
    private static final int SLOT_STEPS = 1;

    private final CommitShape shape;
    /** Commits of one owner have conditions in common; etcd is told each once. */
    private final Set<Condition> conditions = new HashSet<>();

    private int commits;
    private int changes;
    /** Of the largest commit. */
    private int steps;

    private long bytes = CommitShape.REQUEST_BYTES;

    Room(CommitShape shape) {
        this.shape = shape;
    }

    /**
     * Takes a commit in, unless there is no room for it.
     *
     * @param size of the commit in a request, at most, in bytes
     */
    boolean take(Commit commit, long size) {
        int compared = conditions.size();
        for (Condition condition : commit.conditions()) {
            compared += conditions.contains(condition) ? 0 : 1;
        }
        int changed = changes + commit.changes().size();
        int largest = Math.max(steps, CommitShape.steps(commit));
        boolean together = SLOT_STEPS + Math.max(compared, changed) <= shape.maxSteps();
        boolean apart = SLOT_STEPS + commits + 1 + largest <= shape.maxSteps();
        if (!together || !apart || bytes + size > shape.maxBytes()) {
            return false;
        }
        conditions.addAll(commit.conditions());
        changes = changed;
        steps = largest;
        commits++;
        bytes += size;
        return true;
    }
}
