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

import java.util.HashMap;
import java.util.Map;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.value.Bytes;

/** The keys of some commits, so that no two that touch each other's keys are under way at once. Not thread safe. */
final class BusyKeys {
    private final Map<Bytes, Integer> changed = new HashMap<>();
    private final Map<Bytes, Integer> conditioned = new HashMap<>();

    /** Whether a commit changes what these condition on or change, or conditions on what they change. */
    boolean touch(Commit commit) {
        if (changed.isEmpty() && conditioned.isEmpty()) {
            return false;
        }
        for (Change change : commit.changes()) {
            if (changed.containsKey(change.key()) || conditioned.containsKey(change.key())) {
                return true;
            }
        }
        for (Condition condition : commit.conditions()) {
            if (changed.containsKey(condition.key())) {
                return true;
            }
        }
        return false;
    }

    void add(Commit commit) {
        commit.changes().forEach(change -> changed.merge(change.key(), 1, Integer::sum));
        commit.conditions().forEach(condition -> conditioned.merge(condition.key(), 1, Integer::sum));
    }

    void remove(Commit commit) {
        commit.changes().forEach(change -> less(changed, change.key()));
        commit.conditions().forEach(condition -> less(conditioned, condition.key()));
    }

    private static void less(Map<Bytes, Integer> counts, Bytes key) {
        counts.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1);
    }
}
