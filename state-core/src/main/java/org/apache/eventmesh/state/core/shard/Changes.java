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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.value.Bytes;
import org.jspecify.annotations.Nullable;

/** The changes of a commit, folded by key, that can be taken back to a mark. */
final class Changes {
    private final Map<Bytes, Change> byKey = new LinkedHashMap<>();
    private final List<Replaced> log = new ArrayList<>();
    private long bytes;

    private record Replaced(Bytes key, @Nullable Change before) {}

    void put(Change change) {
        Change before = byKey.put(change.key(), change);
        log.add(new Replaced(change.key(), before));
        bytes += size(change) - (before == null ? 0 : size(before));
    }

    @Nullable
    Change get(Bytes key) {
        return byKey.get(key);
    }

    int size() {
        return byKey.size();
    }

    long bytes() {
        return bytes;
    }

    int mark() {
        return log.size();
    }

    void undo(int mark) {
        for (int i = log.size() - 1; i >= mark; i--) {
            Replaced replaced = log.remove(i);
            Change before = replaced.before();
            Change now = before == null ? byKey.remove(replaced.key()) : byKey.put(replaced.key(), before);
            bytes -= (now == null ? 0 : size(now)) - (before == null ? 0 : size(before));
        }
    }

    /**
     * All of them, ascending by key.
     *
     * @param others of keys that none of these has
     */
    List<Change> ascending(List<Change> others) {
        // within a table most were put in the order of their keys; then there is little to sort
        Map<Integer, List<Change>> byTable = new TreeMap<>();
        byKey.values().forEach(change -> ofTable(byTable, change).add(change));
        others.forEach(change -> ofTable(byTable, change).add(change));
        List<Change> all = new ArrayList<>(byKey.size() + others.size());
        byTable.values().forEach(all::addAll);
        all.sort(Comparator.comparing(Change::key));
        return all;
    }

    private static List<Change> ofTable(Map<Integer, List<Change>> byTable, Change change) {
        return byTable.computeIfAbsent(Table.numberOf(change.key()), table -> new ArrayList<>());
    }

    static int size(Change change) {
        return change.key().size()
                + (change instanceof Change.Put put ? put.value().size() : 0);
    }
}
