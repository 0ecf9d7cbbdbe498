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

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.core.key.TaskKey;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.Millis;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.SharedValues;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.DeliveryId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.Task;
import org.apache.eventmesh.state.value.Bytes;

/** The record of a task: its beginning, its end, and how callers see it. */
public final class TaskRecords {
    private TaskRecords() {}

    /** A new task, SUBMITTED, in version 1, with the delivery that carries it to its agent. */
    public static TaskWrite created(NewTask task, DeliveryId delivery, Subscriber queue, long now) {
        TaskRecord.Builder record = TaskRecord.newBuilder()
                .setVersion(1)
                .setState(TaskRecord.State.SUBMITTED)
                .setAgent(task.agent().value())
                .setInput(SharedValues.bytes(task.input()))
                .setAttributes(SharedValues.attributes(task.attributes()))
                .addHistory(step(TaskRecord.State.SUBMITTED, now, ""))
                .setCreatedAtMillis(now)
                .setChangedAtMillis(now)
                .setCreationHash(CreationHash.of(task))
                .setDelivery(carriedBy(delivery, queue));
        task.context().ifPresent(record::setContext);
        task.parent().ifPresent(parent -> record.setParent(parent.value()));
        TaskRecord created = record.build();
        List<Change> changes = new ArrayList<>();
        changes.add(Records.TASK.put(TaskKey.bytes(task.id()), created));
        changes.addAll(TaskIndex.added(task.id(), created));
        return new TaskWrite(created, changes);
    }

    /** Whether a task was created with the same content. */
    public static boolean sameCreation(TaskRecord record, NewTask task) {
        return record.getCreationHash().equals(CreationHash.of(task));
    }

    /** What removes the record, the keys that list it, and its mark, which nothing else would find any more. */
    public static List<Change> removal(TaskId id, TaskRecord record) {
        TaskRecord.TaskDelivery delivery = record.getDelivery();
        List<Change> changes = new ArrayList<>();
        changes.add(Change.delete(TaskKey.bytes(id)));
        changes.add(Change.delete(TaskKey.carried(new Partition(delivery.getTopic(), delivery.getPartition()), id)));
        changes.addAll(TaskIndex.removed(id, record));
        return changes;
    }

    /**
     * As callers see it.
     *
     * @throws org.apache.eventmesh.state.failure.CorruptStateException when it holds what no task may
     */
    public static Task task(Stored<TaskRecord> stored) {
        return SharedValues.value(stored, read -> task(TaskKey.read(read.key()), read.record()));
    }

    public static Task task(TaskId id, TaskRecord record) {
        return new Task(
                id,
                record.getVersion(),
                TaskStates.of(record),
                new AgentId(record.getAgent()),
                record.hasContext() ? Optional.of(record.getContext()) : Optional.empty(),
                record.hasParent() ? Optional.of(new TaskId(record.getParent())) : Optional.empty(),
                SharedValues.bytes(record.getInput()),
                record.hasOutput() ? Optional.of(SharedValues.bytes(record.getOutput())) : Optional.empty(),
                artifacts(record.getArtifactsList()),
                SharedValues.attributes(record.getAttributes()),
                record.getHistoryList().stream().map(TaskRecords::step).toList(),
                Millis.instant(record.getCreatedAtMillis()),
                Millis.instant(record.getChangedAtMillis()));
    }

    static TaskRecord.Step step(TaskRecord.State state, long at, String note) {
        return TaskRecord.Step.newBuilder()
                .setState(state)
                .setAtMillis(at)
                .setNote(note)
                .build();
    }

    private static Task.Step step(TaskRecord.Step step) {
        return new Task.Step(TaskStates.of(step.getStateValue()), Millis.instant(step.getAtMillis()), step.getNote());
    }

    private static List<Bytes> artifacts(List<ByteString> stored) {
        return stored.stream().map(SharedValues::bytes).toList();
    }

    private static TaskRecord.TaskDelivery carriedBy(DeliveryId delivery, Subscriber queue) {
        return TaskRecord.TaskDelivery.newBuilder()
                .setTopic(delivery.partition().topic())
                .setPartition(delivery.partition().number())
                .setIncarnation(delivery.incarnation())
                .setNumber(delivery.number())
                .setSubscriber(SharedValues.subscriber(queue))
                .build();
    }
}
