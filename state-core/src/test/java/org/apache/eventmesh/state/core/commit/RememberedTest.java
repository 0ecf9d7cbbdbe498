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
import java.util.stream.IntStream;
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

    /** Remembers as much as nine absent keys of one byte take. */
    private static Remembered ofNine() {
        return new Remembered(9 * 201, 500);
    }

    private static List<Bytes> keys(int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> Bytes.of((byte) n)).toList();
    }

    @Test
    void what_fits_to_the_last_byte_is_kept() {
        Remembered nine = ofNine();
        nine.read(keys(0, 9), List.of());
        assertThat(nine.all(keys(0, 9))).isPresent();
        nine.read(keys(9, 10), List.of());
        assertThat(nine.all(keys(0, 1))).isEmpty();
        assertThat(nine.all(keys(1, 10))).isPresent();
        Remembered one = new Remembered(10_000, 211);
        one.written(List.of(Change.put(A, Bytes.of(new byte[10])), Change.put(B, Bytes.of(new byte[11]))), 1);
        assertThat(one.all(List.of(A))).isPresent();
        assertThat(one.all(List.of(B))).isEmpty();
    }

    @Test
    void what_is_remembered_anew_or_forgotten_takes_no_room_twice() {
        Remembered nine = ofNine();
        for (int n = 0; n < 100; n++) {
            nine.written(List.of(Change.delete(keys(0, 1).get(0))), n);
            nine.read(keys(1, 2), List.of());
            nine.forget(List.of(Change.delete(keys(1, 2).get(0))));
        }
        nine.read(keys(1, 9), List.of());
        assertThat(nine.all(keys(0, 9))).isPresent();
    }

    @Test
    void values_count_and_too_much_that_is_written_pushes_the_longest_unused_out() {
        Remembered nine = ofNine();
        nine.read(keys(0, 8), List.of());
        nine.written(List.of(Change.put(keys(8, 9).get(0), Bytes.of((byte) 1))), 1);
        assertThat(nine.all(keys(0, 1))).isEmpty();
        assertThat(nine.all(keys(1, 9))).isPresent();
    }

    @Test
    void what_is_expected_absent_is_taken_for_it_unless_something_else_is_known() {
        Remembered nine = ofNine();
        Entry known = new Entry(keys(0, 1).get(0), Bytes.EMPTY, 3);
        nine.read(List.of(known.key()), List.of(known));
        nine.expectAbsent(keys(0, 2));
        assertThat(nine.all(keys(0, 2))).contains(List.of(known));
        nine.expectAbsent(keys(2, 20));
        assertThat(nine.all(keys(0, 1))).as("bounded as all else").isEmpty();
    }
}
