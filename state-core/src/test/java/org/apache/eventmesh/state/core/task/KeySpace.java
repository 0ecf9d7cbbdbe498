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
package org.apache.eventmesh.state.core.task;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Bytes;

import static org.assertj.core.api.Assertions.assertThat;

/** Applies changes to a set of keys, as an engine would: no commit may change a key twice. */
final class KeySpace {
    private final Set<Bytes> keys = new TreeSet<>();

    void apply(List<Change> changes) {
        Set<Bytes> seen = new HashSet<>();
        for (Change change : changes) {
            assertThat(seen.add(change.key())).as("a key twice").isTrue();
            if (change instanceof Change.Put) {
                keys.add(change.key());
            } else {
                keys.remove(change.key());
            }
        }
    }

    Set<Bytes> all() {
        return keys;
    }

    /** What a record of that content needs, made from nothing. */
    static Set<Bytes> of(TaskId id, TaskRecord record) {
        KeySpace fresh = new KeySpace();
        fresh.keys.add(TaskKey.bytes(id));
        fresh.apply(TaskIndex.added(id, record));
        return fresh.all();
    }
}
