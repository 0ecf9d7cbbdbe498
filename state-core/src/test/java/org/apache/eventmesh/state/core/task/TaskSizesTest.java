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
import org.apache.eventmesh.state.StoreLimits;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.core.record.LetterRoom;
import org.apache.eventmesh.state.engine.Limits;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.task.NewTask;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.value.Attributes;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is just small enough is taken, and one byte more is not. */
class TaskSizesTest {
    private static final int PAYLOAD = 100;
    private static final StoreLimits LIMITS = StoreLimits.DEFAULT.withPayloadBytes(PAYLOAD);
    private static final Limits PLENTY = new Limits(1_000, 1 << 20);

    private static NewTask task(int input, Attributes attributes) {
        return new NewTask(
                TaskSamples.ID,
                new AgentId("agent"),
                Optional.empty(),
                Optional.empty(),
                Bytes.of(new byte[input]),
                attributes);
    }

    /** Of an engine that leaves so much for one task. */
    private static Limits leaving(int bytes) {
        int all = bytes;
        while (all - LetterRoom.of(all) < bytes) {
            all++;
        }
        return new Limits(1_000, all);
    }

    @Test
    void required_G09_an_input_as_large_as_the_limit_is_taken() {
        TaskSizes sizes = new TaskSizes(LIMITS, PLENTY);

        assertThatCode(() -> sizes.check(task(PAYLOAD, Attributes.NONE))).doesNotThrowAnyException();
        assertThatThrownBy(() -> sizes.check(task(PAYLOAD + 1, Attributes.NONE)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("input of task \"t\" has 101 bytes; the limit payloadBytes is 100");
    }

    @Test
    void required_G09_attributes_have_the_same_limit() {
        TaskSizes sizes = new TaskSizes(LIMITS, PLENTY);

        // each text has its length before it
        assertThatCode(() -> sizes.check(task(0, Attributes.of("k", "v".repeat(PAYLOAD - 3)))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> sizes.check(task(0, Attributes.of("k", "v".repeat(PAYLOAD - 2)))))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("attributes of task \"t\" have 101 bytes");
    }

    @Test
    void required_G09_input_and_attributes_fit_twice_into_one_write() {
        NewTask task = task(50, Attributes.of("k", "v".repeat(47)));

        assertThatCode(() -> new TaskSizes(LIMITS, leaving(200)).check(task)).doesNotThrowAnyException();
        assertThatThrownBy(() -> new TaskSizes(LIMITS, leaving(199)).check(task))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("have 200 bytes; one write to this backend takes 199");
    }

    @Test
    void required_G09_a_note_as_long_as_the_limit_is_taken() {
        TaskSizes sizes = new TaskSizes(LIMITS, PLENTY);

        assertThatCode(() -> sizes.check(
                        TaskSamples.ID, TaskChange.to(TaskState.WORKING).note("é".repeat(2048))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> sizes.check(
                        TaskSamples.ID, TaskChange.to(TaskState.WORKING).note("é".repeat(2048) + "e")))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("the note of task \"t\" has 4097 bytes in UTF-8, the limit is 4096");
    }

    @Test
    void required_G09_a_task_leaves_room_for_the_dead_letter_of_its_delivery_while_that_is_open() {
        TaskRecord open = TaskSamples.in(TaskState.WORKING);
        int letter = open.getInput().size() + open.getAttributes().getSerializedSize();
        int all = open.getSerializedSize();

        assertThatCode(() -> new TaskSizes(LIMITS, leaving(all + letter)).check(TaskSamples.ID, open))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> new TaskSizes(LIMITS, leaving(all + letter - 1)).check(TaskSamples.ID, open))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("would have " + all + " bytes")
                .hasMessageContaining("takes " + (all - 1) + " of it");
        TaskRecord.Builder settling = open.toBuilder();
        settling.getDeliveryBuilder().setSettled(true);
        TaskRecord settled = settling.build();
        assertThatCode(() -> new TaskSizes(LIMITS, leaving(settled.getSerializedSize())).check(TaskSamples.ID, settled))
                .doesNotThrowAnyException();
    }
}
