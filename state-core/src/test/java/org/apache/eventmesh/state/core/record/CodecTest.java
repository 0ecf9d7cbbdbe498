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
package org.apache.eventmesh.state.core.record;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import java.util.Arrays;
import java.util.Random;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.TaskRecord;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.IncompatibleFormatException;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CodecTest {
    private static final Bytes KEY = KeyWriter.of(Table.TASK).text("t\n1").key();
    private static final TaskRecord TASK = TaskRecord.newBuilder()
            .setVersion(3)
            .setState(TaskRecord.State.WORKING)
            .setAgent("a\0b")
            .setInput(ByteString.copyFromUtf8("in"))
            .setOutput(ByteString.EMPTY)
            .build();

    @Test
    void a_record_comes_back_with_its_revision() {
        Stored<TaskRecord> stored = Records.TASK.decode(new Entry(KEY, Records.TASK.encode(TASK), 42));
        assertThat(stored.record()).isEqualTo(TASK);
        assertThat(stored.unchanged().revision()).isEqualTo(42);
        assertThat(stored.unchanged().key()).isEqualTo(KEY);
    }

    @Test
    void empty_and_absent_differ() {
        TaskRecord empty = decode(Records.TASK.encode(TASK));
        assertThat(empty.hasOutput()).isTrue();
        TaskRecord absent =
                decode(Records.TASK.encode(TASK.toBuilder().clearOutput().build()));
        assertThat(absent.hasOutput()).isFalse();
        assertThat(absent.hasContext()).isFalse();
    }

    @Test
    void damage_to_any_bit_is_seen_and_named() {
        byte[] whole = Records.TASK.encode(TASK).toArray();
        for (int bit = 0; bit < 8 * whole.length; bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> decode(Bytes.of(damaged)))
                    .isInstanceOf(CorruptStateException.class)
                    .hasMessageContaining("TASK(task \"t\\u000a1\")");
        }
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> decode(Bytes.of(cut))).isInstanceOf(CorruptStateException.class);
        }
    }

    @Test
    void bytes_that_were_never_a_record_are_corrupt() {
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            byte[] noise = new byte[random.nextInt(60)];
            random.nextBytes(noise);
            assertThatThrownBy(() -> decode(Bytes.of(noise))).isInstanceOf(CorruptStateException.class);
        }
    }

    @Test
    void a_good_checksum_of_something_else_is_corrupt() {
        assertThatThrownBy(() -> decode(Envelope.seal(new byte[] {(byte) 0xFF})))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("do not parse");
    }

    @Test
    void required_G13_the_next_format_is_tolerated_if_it_parses() {
        assertThat(decode(Envelope.seal(Envelope.FORMAT + 1, TASK.toByteArray())))
                .isEqualTo(TASK);
        assertThatThrownBy(() -> decode(Envelope.seal(Envelope.FORMAT + 1, new byte[] {(byte) 0xFF})))
                .isInstanceOf(IncompatibleFormatException.class);
    }

    @Test
    void required_G13_a_later_format_is_incompatible_and_says_what_to_do() {
        assertThatThrownBy(() -> decode(Envelope.seal(Envelope.FORMAT + 2, TASK.toByteArray())))
                .isInstanceOf(IncompatibleFormatException.class)
                .hasMessageContaining("format 3")
                .hasMessageContaining("use the version that wrote it");
    }

    @Test
    void required_G13_unknown_fields_survive_rewriting() {
        UnknownFieldSet later = UnknownFieldSet.newBuilder()
                .addField(
                        1000,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("of a later version"))
                                .build())
                .build();
        Bytes written =
                Records.TASK.encode(TASK.toBuilder().setUnknownFields(later).build());
        TaskRecord moved = decode(written).toBuilder().setVersion(4).build();
        TaskRecord again = decode(Records.TASK.encode(moved));
        assertThat(again.getVersion()).isEqualTo(4);
        assertThat(again.getUnknownFields()).isEqualTo(later);
    }

    private static TaskRecord decode(Bytes value) {
        return Records.TASK.decode(KEY, value);
    }
}
