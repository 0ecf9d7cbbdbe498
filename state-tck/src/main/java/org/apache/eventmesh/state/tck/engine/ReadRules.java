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
package org.apache.eventmesh.state.tck.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.tck.engine.EngineRules.always;
import static org.apache.eventmesh.state.tck.engine.EngineRules.key;
import static org.apache.eventmesh.state.tck.engine.EngineRules.put;
import static org.apache.eventmesh.state.tck.engine.EngineRules.value;
import static org.assertj.core.api.Assertions.assertThat;

/** Point reads and scans: any bytes, in unsigned order, page after page. */
public interface ReadRules extends EngineRules {
    /** From the first table number to behind the last. */
    KeyRange EVERY_TABLE = new KeyRange(Bytes.of((byte) 0x01), Bytes.of((byte) 0xFF, (byte) 0xFF, (byte) 0xFF));

    @Test
    default void required_ENG_a_read_gives_what_is_there_and_leaves_out_what_is_not() {
        long revision = apply(engine(), always(put("a", "1"), put("b", "2")));
        assertThat(get(engine().read(List.of(key("b"), key("x"), key("a")))))
                .containsExactlyInAnyOrder(
                        new Entry(key("a"), value("1"), revision), new Entry(key("b"), value("2"), revision));
        assertThat(get(engine().read(List.of(key("x"))))).isEmpty();
        assertThat(get(engine().read(List.of()))).isEmpty();
    }

    /** More keys than a transaction of a server takes at once; the first and the last are always changed together. */
    @Test
    default void required_ENG_a_read_of_many_keys_is_of_one_moment() {
        List<Bytes> many = IntStream.range(0, 300)
                .mapToObj(i -> key(String.format("m%03d", i)))
                .toList();
        apply(engine(), always(put("m000", "0"), put("m299", "0")));
        AtomicBoolean enough = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            while (!enough.get()) {
                String next = String.valueOf(written.incrementAndGet());
                apply(engine(), always(put("m000", next), put("m299", next)));
            }
        });
        try {
            for (int reads = 0; (reads < 100 || written.get() < 20) && !writing.isDone(); reads++) {
                assertThat(get(engine().read(many)))
                        .extracting(Entry::value)
                        .hasSize(2)
                        .satisfies(both -> assertThat(both.get(0)).isEqualTo(both.get(1)));
            }
        } finally {
            enough.set(true);
        }
        writing.join();
        assertThat(written).hasValueGreaterThanOrEqualTo(20);
    }

    @Test
    default void required_G05_keys_of_any_bytes_come_back_exactly_and_in_unsigned_order() {
        List<Bytes> keys = new ArrayList<>();
        for (int table : new int[] {0x01, 0x7F, 0x80, 0xFE}) {
            byte first = (byte) table;
            keys.add(Bytes.of(first));
            keys.add(Bytes.of(first, (byte) 0x00));
            keys.add(Bytes.of(first, (byte) 0x00, (byte) 0x00));
            keys.add(Bytes.of(first, (byte) 0x00, (byte) 0xFF));
            keys.add(Bytes.of(first, (byte) '/'));
            keys.add(Bytes.of(first, (byte) '\n', (byte) 'a'));
            keys.add(Bytes.of(first, (byte) 0x7F));
            keys.add(Bytes.of(first, (byte) 0x80));
            keys.add(Bytes.of(first, (byte) 0xFF));
            keys.add(Bytes.of(first, (byte) 0xFF, (byte) 0xFF));
        }
        Collections.shuffle(keys, new Random(7));
        for (Bytes key : keys) {
            apply(engine(), always(Change.put(key, key)));
        }

        // as text, hexadecimal sorts like unsigned bytes, and is readable when it does not
        List<String> sorted = keys.stream().map(ReadRules::hex).sorted().toList();
        assertThat(scan(engine(), EVERY_TABLE, 7))
                .extracting(entry -> hex(entry.key()))
                .containsExactlyElementsOf(sorted);
        assertThat(get(engine().read(keys)))
                .hasSize(keys.size())
                .allSatisfy(entry -> assertThat(entry.value()).isEqualTo(entry.key()));
        apply(engine(), always(Change.delete(keys.get(1))));
        assertThat(scan(engine(), EVERY_TABLE, 100)).hasSize(keys.size() - 1);
    }

    @Test
    default void required_ENG_a_scan_begins_with_its_first_key_and_ends_before_its_last() {
        apply(engine(), always(put("a", "v"), put("b", "v"), put("ba", "v"), put("c", "v"), put("d", "v")));
        assertThat(names(scan(engine(), new KeyRange(key("b"), key("c")), 10))).containsExactly("b", "ba");
        assertThat(names(scan(engine(), new KeyRange(key("aa"), key("bb")), 10)))
                .containsExactly("b", "ba");
        assertThat(names(scan(engine(), new KeyRange(key("b"), key("b")), 10))).isEmpty();
        assertThat(names(scan(engine(), new KeyRange(key("e"), key("f")), 10))).isEmpty();
    }

    @Test
    default void required_ENG_a_scan_tells_whether_there_is_more() {
        apply(engine(), always(put("a", "v"), put("b", "v"), put("c", "v")));
        Slice two = get(engine().scan(ALL, 2));
        assertThat(two.entries()).hasSizeBetween(1, 2);
        assertThat(two.more()).isTrue();
        assertThat(names(scan(engine(), ALL, 3))).containsExactly("a", "b", "c");
        assertThat(get(engine().scan(new KeyRange(key("a"), key("b")), 1)).more())
                .isFalse();
        assertThat(get(engine().scan(new KeyRange(key("x"), key("y")), 1)).more())
                .isFalse();
    }

    @Test
    default void required_G12_pages_hold_every_key_exactly_once_while_others_come_and_go() {
        List<String> steady = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            steady.add(String.format("s%03d", i));
            apply(engine(), always(put(steady.get(i), "v"), put(String.format("s%03d-", i), "v")));
        }
        List<String> seen = new ArrayList<>();
        KeyRange rest = ALL;
        for (int page = 0; ; page++) {
            Slice slice = get(engine().scan(rest, 7));
            seen.addAll(names(slice.entries()));
            if (!slice.more()) {
                break;
            }
            rest = rest.after(slice.entries().get(slice.entries().size() - 1).key());
            apply(engine(), always(Change.delete(key(String.format("s%03d-", 99 - page))), put("s000+" + page, "v")));
        }
        assertThat(seen).doesNotHaveDuplicates().isSorted().containsAll(steady);
    }

    @Test
    default void required_ENG_an_empty_value_is_a_value() {
        long revision = apply(engine(), always(Change.put(key("a"), Bytes.EMPTY)));
        assertThat(read(engine(), "a")).contains(new Entry(key("a"), Bytes.EMPTY, revision));
        assertThat(scan(engine(), ALL, 10)).containsExactly(new Entry(key("a"), Bytes.EMPTY, revision));
    }

    @Test
    default void required_G09_a_large_value_and_a_long_key_come_back_exactly() {
        byte[] name = new byte[4_000];
        Arrays.fill(name, (byte) 'k');
        name[0] = 0x20;
        byte[] content = new byte[Math.min(1 << 20, engine().limits().maxBytes() - name.length)];
        new Random(3).nextBytes(content);
        Bytes key = Bytes.of(name);
        apply(engine(), new Commit(List.of(), List.of(Change.put(key, Bytes.of(content)))));
        assertThat(get(engine().read(List.of(key))).get(0).value()).isEqualTo(Bytes.of(content));
        assertThat(scan(engine(), ALL, 10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.value()).isEqualTo(Bytes.of(content)));
    }

    private static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.toArray());
    }

    private static List<String> names(List<Entry> entries) {
        return entries.stream().map(entry -> entry.key().toUtf8().substring(1)).toList();
    }
}
