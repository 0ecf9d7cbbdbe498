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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KeyWriterTest {
    /** Two texts and a number, as many keys have them. */
    private record Tuple(String one, String two, long three) {
        static final Comparator<Tuple> ORDER = Comparator.comparing(Tuple::one, Names::compare)
                .thenComparing(Tuple::two, Names::compare)
                .thenComparing(Tuple::three);

        static Tuple random(Random random) {
            long three = random.nextBoolean() ? random.nextInt(3) : random.nextLong() & Long.MAX_VALUE;
            return new Tuple(Names.random(random), Names.random(random), three);
        }

        Bytes key() {
            return KeyWriter.of(Table.BINDING_BY_AGENT)
                    .text(one)
                    .text(two)
                    .number(three)
                    .key();
        }

        static Tuple read(Bytes key) {
            return KeyReader.read(Table.BINDING_BY_AGENT, key, in -> new Tuple(in.text(), in.text(), in.number()));
        }
    }

    @Test
    void keys_sort_as_their_tuples_and_come_back() {
        Random random = new Random(20_260_101);
        for (int i = 0; i < 100_000; i++) {
            Tuple one = Tuple.random(random);
            Tuple other = random.nextInt(4) == 0 ? new Tuple(one.one(), Names.random(random), 1) : Tuple.random(random);
            assertThat(Integer.signum(one.key().compareTo(other.key())))
                    .as("%s and %s", one, other)
                    .isEqualTo(Integer.signum(Tuple.ORDER.compare(one, other)));
            assertThat(Tuple.read(one.key())).isEqualTo(one);
        }
    }

    @Test
    void required_G05_no_two_tuples_share_a_key() {
        Map<Bytes, List<String>> tuples = new HashMap<>();
        for (String one : Names.NASTY) {
            for (String two : Names.NASTY) {
                for (String three : Names.NASTY) {
                    Bytes key = KeyWriter.of(Table.SUBSCRIPTION_BY_INSTANCE)
                            .text(one)
                            .text(two)
                            .text(three)
                            .key();
                    assertThat(tuples.put(key, List.of(one, two, three))).isNull();
                }
            }
        }
        assertThat(KeyWriter.of(Table.SUBSCRIPTION).text("a").text("bc").key())
                .isNotEqualTo(
                        KeyWriter.of(Table.SUBSCRIPTION).text("ab").text("c").key());
    }

    @Test
    void required_G05_what_stands_under_a_prefix_is_a_range_and_nothing_else_is_in_it() {
        List<Bytes> keys = new ArrayList<>();
        Map<Bytes, String> firstOf = new HashMap<>();
        for (String one : Names.NASTY) {
            for (String two : Names.NASTY) {
                Bytes key = KeyWriter.of(Table.SUBSCRIPTION).text(one).text(two).key();
                keys.add(key);
                firstOf.put(key, one);
            }
        }
        keys.add(KeyWriter.of(Table.SUBSCRIPTION_BY_CLIENT).text("").key());
        keys.add(KeyWriter.of(Table.SESSION_BY_EXPIRY).number(0).key());
        for (String one : Names.NASTY) {
            KeyRange range = KeyWriter.of(Table.SUBSCRIPTION).text(one).under();
            for (Bytes key : keys) {
                assertThat(range.contains(key))
                        .as("%s in the range of %s", KeyText.of(key), KeyText.quoted(one))
                        .isEqualTo(one.equals(firstOf.get(key)));
            }
        }
        assertThat(keys.stream().filter(KeyWriter.of(Table.SUBSCRIPTION).under()::contains))
                .hasSize(Names.NASTY.size() * Names.NASTY.size());
    }

    @Test
    void numbers_keep_their_order_and_their_ranges() {
        long[] numbers = {0, 1, 127, 128, 255, 256, Integer.MAX_VALUE, 1L << 32, Long.MAX_VALUE - 1, Long.MAX_VALUE};
        for (long one : numbers) {
            KeyRange range = KeyWriter.of(Table.SESSION_BY_EXPIRY).number(one).under();
            for (long other : numbers) {
                Bytes key = KeyWriter.of(Table.SESSION_BY_EXPIRY)
                        .number(other)
                        .text("\udbff\udfff")
                        .key();
                assertThat(range.contains(key)).isEqualTo(one == other);
            }
        }
    }

    @Test
    void text_is_the_utf_8_of_the_language() {
        Random random = new Random(5);
        for (int i = 0; i < 10_000; i++) {
            String text = Names.random(random).replace("\0", "");
            byte[] key = KeyWriter.of(Table.TASK).text(text).key().toArray();
            byte[] expected = text.getBytes(StandardCharsets.UTF_8);
            assertThat(key).hasSize(expected.length + 2).startsWith(0x50).endsWith(0);
            assertThat(java.util.Arrays.copyOfRange(key, 1, key.length - 1)).isEqualTo(expected);
        }
    }

    @Test
    void what_has_no_place_in_a_key_is_refused() {
        for (String broken : List.of("\ud800", "a\udc00", "\udc00\ud800", "\ud83d", "x\ud83dy")) {
            assertThatThrownBy(() -> KeyWriter.of(Table.TASK).text(broken))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("surrogate");
        }
        assertThatThrownBy(() -> KeyWriter.of(Table.SHARD).number(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyWriter.of(Table.SHARD).integer(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> KeyWriter.of(Table.SHARD).kind(0x80)).isInstanceOf(IllegalArgumentException.class);
    }
}
