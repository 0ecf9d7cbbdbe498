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

import com.google.protobuf.CodedOutputStream;
import java.util.Map;
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.key.KeyText;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.LetterRoom;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.id.TaskId;
import org.apache.eventmesh.state.internal.Utf8;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;

/** What is too large is refused before anything is written. */
final class TaskSizes {
    /** Of a note or a cancel's reason, in bytes of UTF-8: the task keeps one with every step of its history. */
    private static final int NOTE = 4096;

    private final StoreLimits limits;
    private final int most;

    TaskSizes(StoreLimits limits, Limits engine) {
        this.limits = limits;
        this.most = engine.maxBytes() - LetterRoom.of(engine.maxBytes());
    }

    void check(NewTask task) {
        payload("input", task.id(), task.input());
        limited("attributes", task.id(), size(task.attributes()));
        // its delivery carries both once more, in the same commit
        long twice = 2L * (task.input().size() + size(task.attributes()));
        if (twice > most) {
            throw new LimitExceededException("input and attributes of task " + name(task.id())
                    + ", written with the delivery that carries them, have " + twice
                    + " bytes; one write to this backend takes " + most + ". Nothing was written; pass a reference");
        }
    }

    void check(TaskId id, TaskChange change) {
        change.output().ifPresent(output -> payload("output", id, output));
        change.artifacts().forEach(artifact -> payload("artifact", id, artifact));
        long note = Utf8.size(change.note());
        if (note > NOTE) {
            throw new LimitExceededException("the note of task " + name(id) + " has " + note
                    + " bytes in UTF-8, the limit is " + NOTE
                    + ". Nothing was written; give a shorter one and log the rest");
        }
    }

    /**
     * All that it has gathered must still fit into one write; and while its delivery is open, into one with the dead letter
     * of that delivery, or nothing could give it up.
     */
    void check(TaskId id, TaskRecord after) {
        int letter = after.getDelivery().getSettled()
                ? 0
                : after.getInput().size() + after.getAttributes().getSerializedSize();
        int size = after.getSerializedSize();
        if (size > most - letter) {
            throw new LimitExceededException("task " + name(id) + " would have " + size
                    + " bytes with all its artifacts and its history; one write to this backend takes "
                    + (most - letter)
                    + " of it. Nothing was written; keep large artifacts elsewhere and pass references");
        }
    }

    private void payload(String what, TaskId id, Bytes payload) {
        limited(what, id, payload.size());
    }

    private void limited(String what, TaskId id, int size) {
        if (size > limits.payloadBytes()) {
            throw new LimitExceededException(what + " of task " + name(id) + (what.endsWith("s") ? " have " : " has ")
                    + size + " bytes; the limit payloadBytes is " + limits.payloadBytes()
                    + ". Nothing was written; make it smaller or raise the limit");
        }
    }

    private static int size(Attributes attributes) {
        int size = 0;
        for (Map.Entry<String, String> attribute : attributes.values().entrySet()) {
            size += CodedOutputStream.computeStringSizeNoTag(attribute.getKey())
                    + CodedOutputStream.computeStringSizeNoTag(attribute.getValue());
        }
        return size;
    }

    private static String name(TaskId id) {
        return KeyText.quoted(id.value());
    }
}
