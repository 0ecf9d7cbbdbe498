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
package org.apache.eventmesh.state.core.key;

import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.value.Bytes;

/**
 * The record of a task, and the keys that list it: by a path that never changes, the same by state, and by the time of the
 * last change, unfinished and final tasks apart. States are the numbers of the record's enum; times are epoch milliseconds.
 */
public final class TaskKey {
    private TaskKey() {}

    public static Bytes bytes(TaskId id) {
        return KeyWriter.of(Table.TASK).text(id.value()).key();
    }

    /** Marks a task whose delivery is not settled. */
    public static Bytes carried(Partition partition, TaskId id) {
        return KeyWriter.of(Table.TASK_CARRIED)
                .partition(partition)
                .text(id.value())
                .key();
    }

    /** Marked tasks whose deliveries belong to a partition. */
    public static KeyRange carriedIn(Partition partition) {
        return KeyWriter.of(Table.TASK_CARRIED).partition(partition).under();
    }

    public static TaskId readCarried(Bytes key) {
        return KeyReader.read(Table.TASK_CARRIED, key, in -> {
            in.partition();
            return new TaskId(in.text());
        });
    }

    public static Bytes byState(int state, TaskId id) {
        return KeyWriter.of(Table.TASK_BY_STATE).kind(state).text(id.value()).key();
    }

    public static Bytes byAgent(AgentId agent, TaskId id) {
        return path(Table.TASK_BY_AGENT, agent.value(), id);
    }

    public static Bytes byAgent(AgentId agent, int state, TaskId id) {
        return path(Table.TASK_BY_AGENT_AND_STATE, agent.value(), state, id);
    }

    public static Bytes byContext(String context, TaskId id) {
        return path(Table.TASK_BY_CONTEXT, context, id);
    }

    public static Bytes byContext(String context, int state, TaskId id) {
        return path(Table.TASK_BY_CONTEXT_AND_STATE, context, state, id);
    }

    public static Bytes byParent(TaskId parent, TaskId id) {
        return path(Table.TASK_BY_PARENT, parent.value(), id);
    }

    public static Bytes byParent(TaskId parent, int state, TaskId id) {
        return path(Table.TASK_BY_PARENT_AND_STATE, parent.value(), state, id);
    }

    public static Bytes byChange(boolean finished, long changedAt, TaskId id) {
        return KeyWriter.of(Table.TASK_BY_CHANGE)
                .kind(finished ? 1 : 0)
                .number(changedAt)
                .text(id.value())
                .key();
    }

    public static TaskId read(Bytes key) {
        return KeyReader.read(Table.TASK, key, in -> new TaskId(in.text()));
    }

    /** The task that a key of one of the tables by path names: it stands last. */
    public static TaskId readListed(Table table, Bytes key) {
        return KeyReader.read(table, key, in -> {
            for (Element element : table.elements().subList(0, table.elements().size() - 1)) {
                if (element.type() == Element.Type.TEXT) {
                    in.text();
                } else {
                    in.kind();
                }
            }
            return new TaskId(in.text());
        });
    }

    /** What a key by change says. */
    public record Changed(boolean finished, long at, TaskId id) {}

    public static Changed readByChange(Bytes key) {
        return KeyReader.read(
                Table.TASK_BY_CHANGE, key, in -> new Changed(in.kind() == 1, in.number(), new TaskId(in.text())));
    }

    /** Finished or unfinished ones whose last change lies before a time, exclusive. */
    public static KeyRange changedBefore(boolean finished, long until) {
        int kind = finished ? 1 : 0;
        return new KeyRange(
                KeyWriter.of(Table.TASK_BY_CHANGE).kind(kind).key(),
                KeyWriter.of(Table.TASK_BY_CHANGE).kind(kind).number(until).key());
    }

    private static Bytes path(Table table, String name, TaskId id) {
        return KeyWriter.of(table).text(name).text(id.value()).key();
    }

    private static Bytes path(Table table, String name, int state, TaskId id) {
        return KeyWriter.of(table).text(name).kind(state).text(id.value()).key();
    }
}
