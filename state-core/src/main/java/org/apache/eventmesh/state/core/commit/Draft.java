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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.value.Bytes;

/** A commit to which several parts of a decision add; for one thread. */
public final class Draft {
    private final Map<Bytes, Condition> conditions = new LinkedHashMap<>();
    private final Map<Bytes, Change> changes = new LinkedHashMap<>();

    /** Naming a key again is fine, if it is the same condition. */
    public Draft condition(Condition condition) {
        Condition before = conditions.put(condition.key(), condition);
        if (before != null && before.revision() != condition.revision()) {
            throw new IllegalStateException("two revisions of one key in a commit");
        }
        return this;
    }

    /** The last change of a key counts. */
    public Draft change(Change change) {
        changes.put(change.key(), change);
        return this;
    }

    public boolean changesNothing() {
        return changes.isEmpty();
    }

    /** Conditions and changes together. */
    public int operations() {
        return conditions.size() + changes.size();
    }

    public <R> Decision<R> write(LongFunction<R> result) {
        return new Decision.Write<>(
                new Commit(new ArrayList<>(conditions.values()), new ArrayList<>(changes.values())), result);
    }

    public <R> Decision<R> write(R result) {
        return write(revision -> result);
    }
}
