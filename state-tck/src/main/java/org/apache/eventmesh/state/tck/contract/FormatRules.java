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
package org.apache.eventmesh.state.tck.contract;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.eventmesh.state.delivery.Shard;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.task.TaskChange;
import org.apache.eventmesh.state.task.TaskState;
import org.apache.eventmesh.state.tck.kit.Below;
import org.apache.eventmesh.state.tck.kit.Instance;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.contract.Examples.BILLING;
import static org.apache.eventmesh.state.tck.contract.Examples.ORDERS_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** G13: what older and newer versions of the library leave to one another. */
public interface FormatRules extends Rules {
    /** A field that no version has yet. */
    String FUTURE = "from the future";

    @Test
    default void required_G13_a_data_set_of_a_later_format_is_refused_and_left_alone() {
        open("A").close();
        try (Below below = kit().below()) {
            open("B").close();
            Entry meta = below.records("META").get(0);
            below.rewrite(meta, value -> Below.seal(200, Below.content(value)));
            Entry before = below.records("META").get(0);

            assertThatThrownBy(() -> open("C"))
                    .isInstanceOf(IncompatibleFormatException.class)
                    .hasMessageContaining(kit().fixture().uri())
                    .hasMessageContaining("200");
            assertThat(below.records("META").get(0)).isEqualTo(before);
        }
    }

    @Test
    default void required_G13_a_record_of_the_next_format_is_read_and_one_beyond_is_refused() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        try (Below below = kit().below()) {
            int written = below.record("TASK", "s-task").value().buffer().get(0);

            below.rewrite(below.record("TASK", "s-task"), value -> Below.seal(written + 1, Below.content(value)));
            assertThat(get(a.stores().tasks().find(scene.task.id()))).hasValue(scene.task);

            below.rewrite(below.record("TASK", "s-task"), value -> Below.seal(written + 2, Below.content(value)));
            assertThat(Operation.answers(a.stores().tasks().find(scene.task.id())))
                    .singleElement()
                    .isInstanceOfSatisfying(
                            IncompatibleFormatException.class,
                            failure -> assertThat(failure.getMessage())
                                    .contains("s-task")
                                    .matches(FailureRules.ADVICE));
        }
    }

    @Test
    default void required_G13_unknown_fields_survive_the_rewriting_of_a_task() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        try (Below below = kit().below()) {
            addField(below, below.record("TASK", "s-task"));

            get(scene.ownedTask.move(scene.task, TaskChange.to(TaskState.WORKING)));

            assertThat(get(a.stores().tasks().find(scene.task.id()))
                            .orElseThrow()
                            .state())
                    .isEqualTo(TaskState.WORKING);
            assertFieldIsThere(below.record("TASK", "s-task"));
        }
    }

    @Test
    default void required_G13_unknown_fields_survive_the_rewriting_of_deliveries_and_progress() {
        Instance a = open("A");
        Shard before = a.shard(ORDERS_0);
        get(before.open(Examples.range(0, 1, BILLING)));
        get(before.release());
        try (Below below = kit().below()) {
            addField(below, below.record("DELIVERY", "billing"));
            addField(below, below.record("PROGRESS", "billing"));

            Shard shard = open("B").shard(ORDERS_0);
            assertThat(get(shard.handOut(1, Examples.HAND_OUT, due -> Optional.of(Examples.ALICE)))
                            .handOuts())
                    .hasSize(1);
            assertFieldIsThere(below.record("DELIVERY", "billing"));
            get(shard.open(Examples.range(1, 2, BILLING)));
            assertFieldIsThere(below.record("PROGRESS", "billing"));
        }
    }

    @Test
    default void required_G13_unknown_fields_survive_the_rewriting_of_a_session() {
        Instance a = open("A");
        Scene scene = new Scene("s", a);
        try (Below below = kit().below()) {
            addField(below, below.record("SESSION", "s-session"));

            passTime(Duration.ofMinutes(1));
            get(a.stores().sessions().keepAlive(scene.session));

            assertFieldIsThere(below.record("SESSION", "s-session"));
        }
    }

    private static void addField(Below below, Entry record) {
        byte[] text = FUTURE.getBytes(StandardCharsets.UTF_8);
        below.rewrite(record, value -> {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            content.writeBytes(Below.content(value));
            // field 15000, length-delimited: the tag is 15000 * 8 + 2, in groups of seven bits, low first
            int tag = 15_000 * 8 + 2;
            content.writeBytes(new byte[] {
                (byte) ((tag & 0x7F) | 0x80),
                (byte) (((tag >> 7) & 0x7F) | 0x80),
                (byte) (tag >> 14),
                (byte) text.length
            });
            content.writeBytes(text);
            return Below.seal(value[0], content.toByteArray());
        });
    }

    private static void assertFieldIsThere(Entry record) {
        assertThat(record.value().toUtf8())
                .as("the record after it was rewritten, at revision %d", record.revision())
                .contains(FUTURE);
    }
}
