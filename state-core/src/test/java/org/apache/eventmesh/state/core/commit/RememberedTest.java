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
package org.apache.eventmesh.state.core.commit;

import java.util.List;
import java.util.Optional;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RememberedTest {
    private static final Bytes A = Bytes.utf8("a");
    private static final Bytes B = Bytes.utf8("b");

    private final Remembered remembered = new Remembered(2_000, 500);

    @Test
    void what_was_read_is_known_present_or_absent() {
        assertThat(remembered.all(List.of(A))).isEmpty();
        Entry a = new Entry(A, Bytes.utf8("1"), 7);
        remembered.read(List.of(A, B), List.of(a));
        assertThat(remembered.all(List.of(A, B))).contains(List.of(a));
        assertThat(remembered.all(List.of(B))).contains(List.of());
        assertThat(remembered.all(List.of(A, Bytes.utf8("c")))).isEmpty();
    }

    @Test
    void what_was_written_has_the_revision_of_its_commit() {
        remembered.written(List.of(Change.put(A, Bytes.utf8("2")), Change.delete(B)), 9);
        assertThat(remembered.all(List.of(A, B))).contains(List.of(new Entry(A, Bytes.utf8("2"), 9)));
    }

    @Test
    void what_is_forgotten_is_not_known() {
        remembered.read(List.of(A, B), List.of());
        remembered.forget(List.of(Change.delete(A)));
        assertThat(remembered.all(List.of(A))).isEmpty();
        assertThat(remembered.all(List.of(B))).isPresent();
    }

    @Test
    void the_longest_unused_go_first_and_large_ones_are_not_kept() {
        Bytes large = Bytes.of(new byte[500]);
        remembered.written(List.of(Change.put(A, large)), 1);
        assertThat(remembered.all(List.of(A))).isEmpty();
        remembered.read(List.of(A), List.of());
        for (int i = 0; i < 100; i++) {
            Optional<List<Entry>> used = remembered.all(List.of(A));
            assertThat(used).isPresent();
            remembered.read(List.of(Bytes.utf8("key " + i)), List.of());
        }
        assertThat(remembered.all(List.of(Bytes.utf8("key 99")))).isPresent();
        assertThat(remembered.all(List.of(Bytes.utf8("key 0")))).isEmpty();
    }
}
