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
package org.apache.eventmesh.state.core.deadletter;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.key.DeadLetterKey;
import org.apache.eventmesh.state.core.world.World;
import org.apache.eventmesh.state.deadletter.DeadLetter;
import org.apache.eventmesh.state.deadletter.DeadLetterFilter;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.id.DeadLetterId;
import org.apache.eventmesh.state.id.Partition;
import org.apache.eventmesh.state.id.Subscriber;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.apache.eventmesh.state.core.deadletter.LetterBox.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DeadLetterListingTest {
    private final LetterBox box = new LetterBox();

    @AfterEach
    void close() {
        box.close();
    }

    @Test
    void required_L03_lists_and_counts_by_topic_subscriber_and_time_in_order_of_time() {
        box.put(id("orders", 5, "billing"), 300);
        box.put(id("orders", 6, "audit"), 100);
        box.put(id("payments", 7, "billing"), 200);
        box.put(id("payments", 8, "audit"), 400);

        assertListed(
                DeadLetterFilter.all(),
                id("orders", 6, "audit"),
                id("payments", 7, "billing"),
                id("orders", 5, "billing"),
                id("payments", 8, "audit"));
        assertListed(DeadLetterFilter.topic("orders"), id("orders", 6, "audit"), id("orders", 5, "billing"));
        assertListed(
                DeadLetterFilter.subscriber(Subscriber.group("billing")),
                id("payments", 7, "billing"),
                id("orders", 5, "billing"));
        assertListed(
                new DeadLetterFilter(
                        DeadLetterFilter.topic("orders").topic(),
                        DeadLetterFilter.subscriber(Subscriber.group("billing")).subscriber(),
                        DeadLetterFilter.all().since()),
                id("orders", 5, "billing"));
        assertListed(
                DeadLetterFilter.all().since(Instant.ofEpochMilli(300)),
                id("orders", 5, "billing"),
                id("payments", 8, "audit"));
        assertListed(
                DeadLetterFilter.topic("orders").since(Instant.ofEpochMilli(100).plusNanos(1)),
                id("orders", 5, "billing"));
        assertListed(DeadLetterFilter.all().since(Instant.ofEpochMilli(401)));
    }

    @Test
    void required_G05_identifiers_that_collide_when_joined_naively_do_not_meet() {
        List<String> names = List.of("a", "a\0", "a\0b", "ab", "a/b", "a\nb", "a|b", "😀", "\u00ff", "b");
        for (String topic : names) {
            for (String group : names) {
                box.put(id(topic, 1, group), 100);
            }
            box.put(new DeadLetterId(new Partition(topic, 0), 1, Subscriber.single("a")), 100);
        }

        for (String name : names) {
            assertThat(box.listed(DeadLetterFilter.topic(name)))
                    .hasSize(names.size() + 1)
                    .allMatch(id -> id.partition().topic().equals(name));
            assertThat(box.listed(DeadLetterFilter.subscriber(Subscriber.group(name))))
                    .hasSize(names.size())
                    .allMatch(id -> id.subscriber().equals(Subscriber.group(name)));
        }
        assertThat(box.count(DeadLetterFilter.subscriber(Subscriber.single("a"))))
                .isEqualTo(names.size());
    }

    @Test
    void required_G12_what_does_not_change_is_listed_once_whatever_happens_meanwhile() {
        List<DeadLetterId> steady = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            steady.add(id("orders", i, "billing"));
            box.put(steady.get(i), 100 + i);
            box.put(id("orders", 1_000 + i, "billing"), 100 + i);
        }
        AtomicInteger turn = new AtomicInteger();

        List<DeadLetterId> listed = box.listed(DeadLetterFilter.topic("orders"), 7, () -> {
            int i = turn.getAndIncrement();
            // given up again: moves to the end; purged; new at the front
            box.put(id("orders", 1_000 + i, "billing"), 500 + i);
            Await.result(box.store.purge(box.find(id("orders", 1_030 + i % 10, "billing"))));
            box.put(id("orders", 1_030 + i % 10, "billing"), 50);
        });

        assertThat(listed).containsAll(steady);
        assertThat(listed.stream().filter(steady::contains)).doesNotHaveDuplicates();
    }

    @Test
    void required_G08_a_damaged_record_is_named_and_hides_no_other() {
        box.put(id("orders", 1, "billing"), 100);
        box.put(id("orders", 2, "billing"), 200);
        box.put(id("orders", 3, "billing"), 300);
        box.engine.put(DeadLetterKey.bytes(id("orders", 2, "billing")), World.DAMAGED);

        Page<DeadLetter> page = Await.result(box.store.list(DeadLetterFilter.all(), PageRequest.first(10)));

        assertThat(page.items()).extracting(letter -> letter.id().offset()).containsExactly(1L, 3L);
        assertThat(page.unreadable()).hasSize(1);
        assertThat(page.unreadable().get(0).key()).contains("orders").contains("offset 2");
        assertThat(box.count(DeadLetterFilter.all())).isEqualTo(3);
        assertThatThrownBy(() -> box.find(id("orders", 2, "billing"))).isInstanceOf(CorruptStateException.class);
    }

    @Test
    void required_L03_counting_reads_no_payload() {
        List<KeyRange> scanned = new CopyOnWriteArrayList<>();
        try (LetterBox watched = new LetterBox(new MapEngine() {
            @Override
            public synchronized CompletionStage<List<Entry>> read(Collection<Bytes> keys) {
                throw new AssertionError("a record was read");
            }

            @Override
            public synchronized CompletionStage<Slice> scan(KeyRange range, int limit) {
                scanned.add(range);
                return super.scan(range, limit);
            }
        })) {
            watched.put(id("orders", 1, "billing"), 100);

            assertThat(watched.count(DeadLetterFilter.subscriber(Subscriber.group("billing"))))
                    .isEqualTo(1);
            assertThat(scanned).noneMatch(range -> range.contains(DeadLetterKey.bytes(id("orders", 1, "billing"))));
        }
    }

    private void assertListed(DeadLetterFilter filter, DeadLetterId... expected) {
        assertThat(box.listed(filter)).containsExactly(expected);
        assertThat(box.count(filter)).isEqualTo(expected.length);
    }
}
