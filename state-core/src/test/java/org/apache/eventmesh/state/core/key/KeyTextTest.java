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

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.eventmesh.state.id.AgentId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeyTextTest {
    @Test
    void a_key_reads_as_its_table_and_elements() {
        assertThat(KeyText.of(new ProgressKey(new Partition("orders", 3), Subscriber.group("billing")).bytes()))
                .isEqualTo("PROGRESS(topic \"orders\", partition 3, subscriber group \"billing\")");
        assertThat(KeyText.of(KeyWriter.of(Table.HELD_BY)
                        .text("i")
                        .text("p")
                        .scope(new AgentId("a"))
                        .key()))
                .isEqualTo("HELD_BY(instance \"i\", process \"p\", scope agent \"a\")");
        assertThat(KeyText.of(KeyWriter.of(Table.TASK)
                        .text("line\nbreak \"\\\0\u202e\ud83d\ude00")
                        .key()))
                .isEqualTo("TASK(task \"line\\u000abreak \\\"\\\\\\u0000\\u202e\ud83d\ude00\")");
    }

    @Test
    void what_is_not_understood_stands_as_bytes() {
        assertThat(KeyText.of(Bytes.EMPTY)).isEqualTo("0x");
        assertThat(KeyText.of(Bytes.of((byte) 0x7F, (byte) 1))).isEqualTo("0x7f01");
        Bytes whole = KeyWriter.of(Table.SHARD).text("t").integer(1).key();
        Bytes cut = Bytes.of(Arrays.copyOf(whole.toArray(), whole.size() - 1));
        assertThat(KeyText.of(cut)).isEqualTo("SHARD(topic \"t\", 0x000000)");
        assertThat(KeyText.of(Bytes.of((byte) 0x03, (byte) 9))).isEqualTo("HOLDER(0x09)");
    }

    @Test
    void anything_has_a_printable_form_of_one_line() {
        Random random = new Random(11);
        List<Table> tables = List.of(Table.values());
        for (int i = 0; i < 20_000; i++) {
            byte[] key = new byte[random.nextInt(40)];
            random.nextBytes(key);
            if (key.length > 0 && random.nextBoolean()) {
                key[0] = (byte) tables.get(random.nextInt(tables.size())).number();
            }
            assertThat(KeyText.of(Bytes.of(key)).codePoints())
                    .allMatch(point -> point >= ' ' && point != 0x7F && point != 0x2028);
        }
    }
}
