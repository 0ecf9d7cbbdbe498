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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TurnsTest {
    private static final Bytes A = Bytes.utf8("a");
    private static final Bytes B = Bytes.utf8("b");

    private final Turns turns = new Turns(Runnable::run);
    private final List<String> came = new ArrayList<>();

    @Test
    void a_free_key_is_had_at_once_and_the_next_one_finds_what_was_left() {
        Turns.Turn first = take("first", Set.of(A));
        Turns.Turn second = take("second", Set.of(A));
        Turns.Turn third = take("third", Set.of(A));
        assertThat(first.isMine()).isTrue();
        assertThat(second.isMine()).isFalse();
        first.end(List.of(Change.put(A, Bytes.utf8("x")), Change.put(B, Bytes.EMPTY)), 7);
        assertThat(second.isMine()).isTrue();
        assertThat(came).containsExactly("second " + Map.of(A, Optional.of(new Entry(A, Bytes.utf8("x"), 7))));
        second.end(List.of(Change.delete(A)), 8);
        assertThat(came).last().isEqualTo("third " + Map.of(A, Optional.empty()));
        third.end();
        assertThat(take("later", Set.of(A)).isMine()).isTrue();
        assertThat(came).hasSize(2);
    }

    @Test
    void whoever_leaves_the_line_makes_room_for_those_behind() {
        Turns.Turn holder = take("holder", Set.of(A));
        Turns.Turn both = take("both", Set.of(A, B));
        Turns.Turn behind = take("behind", Set.of(B));
        assertThat(behind.isMine()).isFalse();
        both.end();
        assertThat(behind.isMine()).isTrue();
        assertThat(holder.isMine()).isTrue();
        both.end();
        holder.end();
        assertThat(came).containsExactly("behind {}");
    }

    @Test
    void every_turn_comes_and_no_key_has_two() {
        Random random = new Random(4);
        List<Bytes> keys = List.of(A, B, Bytes.utf8("c"), Bytes.utf8("d"));
        List<Turns.Turn> open = new ArrayList<>();
        List<Set<Bytes>> held = new ArrayList<>();
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < 5_000; i++) {
            Set<Bytes> wanted = Set.copyOf(List.of(keys.get(random.nextInt(4)), keys.get(random.nextInt(4))));
            open.add(turns.take(wanted, left -> {}));
            held.add(wanted);
            if (open.size() > 8) {
                endOneThatIsMine(open, held);
                ended.incrementAndGet();
            }
        }
        while (!open.isEmpty()) {
            endOneThatIsMine(open, held);
            ended.incrementAndGet();
        }
        assertThat(ended).hasValue(5_000);
    }

    private static void endOneThatIsMine(List<Turns.Turn> open, List<Set<Bytes>> held) {
        List<Bytes> mine = new ArrayList<>();
        int last = -1;
        for (int i = 0; i < open.size(); i++) {
            if (open.get(i).isMine()) {
                mine.addAll(held.get(i));
                last = i;
            }
        }
        assertThat(mine).isNotEmpty().doesNotHaveDuplicates();
        held.remove(last);
        open.remove(last).end();
    }

    private Turns.Turn take(String name, Set<Bytes> keys) {
        return turns.take(keys, left -> came.add(name + " " + left));
    }
}
