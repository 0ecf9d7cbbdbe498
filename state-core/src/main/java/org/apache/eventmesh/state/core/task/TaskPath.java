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

import java.util.Optional;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.TaskFilter;
import org.apache.eventmesh.state.value.Bytes;

/** The keys through which the tasks of a filter are found, by id: no others are gone over. */
record TaskPath(TaskFilter filter) {
    /** The table of tasks itself, if all are wanted. */
    Table table() {
        boolean anyState = filter.state().isEmpty();
        TaskFilter.By by = filter.by();
        if (by instanceof TaskFilter.OfAgent) {
            return anyState ? Table.TASK_BY_AGENT : Table.TASK_BY_AGENT_AND_STATE;
        } else if (by instanceof TaskFilter.OfContext) {
            return anyState ? Table.TASK_BY_CONTEXT : Table.TASK_BY_CONTEXT_AND_STATE;
        } else if (by instanceof TaskFilter.OfParent) {
            return anyState ? Table.TASK_BY_PARENT : Table.TASK_BY_PARENT_AND_STATE;
        }
        return anyState ? Table.TASK : Table.TASK_BY_STATE;
    }

    KeyRange range() {
        KeyWriter prefix = KeyWriter.of(table());
        name().ifPresent(prefix::text);
        filter.state().ifPresent(state -> prefix.kind(TaskStates.stored(state).getNumber()));
        return prefix.under();
    }

    TaskId read(Bytes key) {
        return TaskKey.readListed(table(), key);
    }

    /** Whether the record is still what the key said: it may have moved since, or be another task of the same id. */
    boolean wants(TaskRecord record) {
        return filter.state().map(state -> TaskStates.is(record, state)).orElse(true) && onPath(record);
    }

    private boolean onPath(TaskRecord record) {
        TaskFilter.By by = filter.by();
        if (by instanceof TaskFilter.OfAgent of) {
            return record.getAgent().equals(of.agent().value());
        } else if (by instanceof TaskFilter.OfContext of) {
            return record.hasContext() && record.getContext().equals(of.context());
        } else if (by instanceof TaskFilter.OfParent of) {
            return record.hasParent() && record.getParent().equals(of.parent().value());
        }
        return true;
    }

    private Optional<String> name() {
        TaskFilter.By by = filter.by();
        if (by instanceof TaskFilter.OfAgent of) {
            return Optional.of(of.agent().value());
        } else if (by instanceof TaskFilter.OfContext of) {
            return Optional.of(of.context());
        } else if (by instanceof TaskFilter.OfParent of) {
            return Optional.of(of.parent().value());
        }
        return Optional.empty();
    }
}
