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

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.value.Bytes;

/** What commits must look like, whatever is stored. */
final class CommitShape {
    /** A batch lies in memory several times; its log must stay far below what all logs may hold. */
    static final Limits LIMITS = new Limits(100_000, 16 << 20);

    private CommitShape() {}

    /** Mistakes of the code above, not of a user. */
    static void check(List<Commit> commits) {
        for (Commit commit : commits) {
            for (Change change : commit.changes()) {
                if (change instanceof Change.Put put && put.lease().isPresent()) {
                    throw new UnsupportedOperationException("this engine does not declare LEASES");
                }
            }
        }
        assert isDisjoint(commits) : "commits of one call must not touch each other's keys";
    }

    static void mustFit(Commit commit, String backend) {
        long operations = (long) commit.conditions().size() + commit.changes().size();
        long bytes = 0;
        for (Condition condition : commit.conditions()) {
            bytes += condition.key().size();
        }
        for (Change change : commit.changes()) {
            bytes += change.key().size();
            bytes += change instanceof Change.Put put ? put.value().size() : 0;
        }
        if (operations > LIMITS.maxOperations() || bytes > LIMITS.maxBytes()) {
            throw new LimitExceededException("a commit of " + operations + " operations and " + bytes + " bytes for "
                    + backend + " is too large; at most " + LIMITS.maxOperations() + " operations and "
                    + LIMITS.maxBytes() + " bytes: split it");
        }
    }

    private static boolean isDisjoint(List<Commit> commits) {
        Set<Bytes> changed = new HashSet<>();
        for (Commit commit : commits) {
            for (Change change : commit.changes()) {
                if (!changed.add(change.key())) {
                    return false;
                }
            }
        }
        for (Commit commit : commits) {
            Set<Bytes> others = new HashSet<>(changed);
            commit.changes().forEach(change -> others.remove(change.key()));
            if (commit.conditions().stream().map(Condition::key).anyMatch(others::contains)) {
                return false;
            }
        }
        return true;
    }
}
