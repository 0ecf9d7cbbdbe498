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
package org.apache.eventmesh.state.core.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.key.KeyReader;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.BindingRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.PageRequest;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ListingTest {
    private static final Operation LIST = new Operation(StoreName.SESSIONS, "list");
    private static final KeyRange ALL = KeyWriter.of(Table.BINDING).under();

    private final MapEngine engine = new MapEngine();
    private final TestBackend backend = new TestBackend(engine);

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    void what_stays_appears_exactly_once_while_others_come_and_go() {
        Random random = new Random(42);
        IntStream.range(0, 2_000).forEach(i -> bind(name(2 * i)));
        List<String> seen = new ArrayList<>();
        Optional<PageRequest> next = Optional.of(PageRequest.first(37));
        while (next.isPresent()) {
            Page<String> page = Await.result(bindings().page(backend.get(), LIST, next.get()));
            seen.addAll(page.items());
            next = page.next()
                    .map(request -> PageRequest.from(request.position().orElseThrow(), 1 + random.nextInt(60)));
            for (int i = 0; i < 20; i++) {
                int odd = 2 * random.nextInt(2_000) + 1;
                if (random.nextBoolean()) {
                    bind(name(odd));
                } else {
                    engine.delete(key(name(odd)));
                }
            }
        }
        assertThat(seen).doesNotHaveDuplicates().isSorted();
        assertThat(seen.stream().filter(name -> Integer.parseInt(name) % 2 == 0))
                .hasSize(2_000);
    }

    @Test
    void a_record_that_cannot_be_decoded_hides_no_other() {
        IntStream.range(0, 10).forEach(i -> bind(name(i)));
        engine.put(key(name(4)), Bytes.of((byte) 1, (byte) 2));
        Page<String> page = Await.result(bindings().page(backend.get(), LIST, PageRequest.first(100)));
        assertThat(page.items()).hasSize(9).doesNotContain(name(4));
        assertThat(page.unreadable())
                .singleElement()
                .extracting(Unreadable::key)
                .asString()
                .contains("BINDING", name(4));
        assertThat(page.next()).isEmpty();
    }

    @Test
    void an_index_leads_to_records_and_leaves_out_what_is_gone() {
        for (int i = 0; i < 300; i++) {
            bind(name(i));
            engine.put(indexKey(name(i)), Records.NOTHING);
        }
        engine.delete(key(name(7)));
        engine.put(key(name(8)), Bytes.of((byte) 1));
        engine.put(KeyWriter.of(Table.BINDING_BY_AGENT).text("a").number(1).key(), Records.NOTHING);
        List<String> seen = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        Listing<String> byAgent = Listing.byIndex(
                "by agent",
                KeyWriter.of(Table.BINDING_BY_AGENT).text("a").under(),
                index -> key(session(index)),
                Records.BINDING,
                (index, stored) -> Optional.of(session(stored.key(), Table.BINDING)));
        for (Optional<PageRequest> next = Optional.of(PageRequest.first(50)); next.isPresent(); ) {
            Page<String> page = Await.result(byAgent.page(backend.get(), LIST, next.get()));
            assertThat(page.items().size() + page.unreadable().size()).isLessThanOrEqualTo(50);
            seen.addAll(page.items());
            unreadable.addAll(page.unreadable());
            next = page.next();
        }
        assertThat(seen).hasSize(298).doesNotContain(name(7), name(8)).isSorted();
        assertThat(unreadable).extracting(Unreadable::key).hasSize(2).anyMatch(key -> key.contains(name(8)));
    }

    @Test
    void a_position_serves_no_other_listing() {
        IntStream.range(0, 10).forEach(i -> bind(name(i)));
        String position = Await.result(bindings().page(backend.get(), LIST, PageRequest.first(3)))
                .next()
                .flatMap(PageRequest::position)
                .orElseThrow();
        assertThat(position).matches("[A-Za-z0-9_-]+");
        Listing<String> other = Listing.ofKeys("others", ALL, key -> Optional.empty());
        for (String wrong : List.of("", "x", position + "A", position.substring(1), "ümlaut", position + "=")) {
            assertThatThrownBy(() -> bindings().page(backend.get(), LIST, PageRequest.from(wrong, 3)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("position");
        }
        assertThatThrownBy(() -> other.page(backend.get(), LIST, PageRequest.from(position, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("others");
    }

    @Test
    void a_page_of_large_records_ends_early() {
        String large = "x".repeat(1 << 20);
        for (int i = 0; i < 40; i++) {
            engine.put(
                    key(name(i)),
                    Records.BINDING.encode(
                            BindingRecord.newBuilder().setAgent(large).build()));
        }
        int items = 0;
        int pages = 0;
        for (Optional<PageRequest> next = Optional.of(PageRequest.first(1_000)); next.isPresent(); pages++) {
            Page<String> page = Await.result(bindings().page(backend.get(), LIST, next.get()));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(16);
            items += page.items().size();
            next = page.next();
        }
        assertThat(items).isEqualTo(40);
        assertThat(pages).isGreaterThanOrEqualTo(3);
    }

    @Test
    void a_page_of_which_nothing_is_wanted_goes_on() {
        IntStream.range(0, 25_000).forEach(i -> engine.put(key(name(i)), Records.NOTHING));
        Listing<String> nothing = Listing.ofKeys("nothing", ALL, key -> Optional.empty());
        Page<String> page = Await.result(nothing.page(backend.get(), LIST, PageRequest.first(10)));
        assertThat(page.items()).isEmpty();
        assertThat(page.next()).isPresent();
    }

    @Test
    void required_G07_an_engine_that_gives_nothing_and_says_there_is_more_fails_the_page() {
        MapEngine lazy = new MapEngine() {
            @Override
            public CompletionStage<Slice> scan(KeyRange range, int limit) {
                return CompletableFuture.completedStage(new Slice(List.of(), 1, true));
            }
        };
        try (TestBackend over = new TestBackend(lazy)) {
            assertThatThrownBy(() -> Await.result(bindings().page(over.get(), LIST, PageRequest.first(3))))
                    .hasMessageContaining("says that there is more");
        }
    }

    @Test
    void required_G07_a_failed_scan_is_a_failure_and_never_an_empty_page() {
        engine.away(true);
        assertThatThrownBy(() -> Await.result(bindings().page(backend.get(), LIST, PageRequest.first(3))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("sessions.list");
    }

    private Listing<String> bindings() {
        return Listing.ofRecords(
                "bindings", ALL, Records.BINDING, stored -> Optional.of(session(stored.key(), Table.BINDING)));
    }

    private void bind(String session) {
        engine.put(key(session), Records.BINDING.encode(BindingRecord.getDefaultInstance()));
    }

    private static String name(int i) {
        return "%05d".formatted(i);
    }

    private static Bytes key(String session) {
        return KeyWriter.of(Table.BINDING).text(session).key();
    }

    private static Bytes indexKey(String session) {
        return KeyWriter.of(Table.BINDING_BY_AGENT)
                .text("a")
                .number(1)
                .text(session)
                .key();
    }

    private static String session(Bytes key, Table table) {
        return KeyReader.read(table, key, KeyReader::text);
    }

    private static String session(Bytes index) {
        return KeyReader.read(Table.BINDING_BY_AGENT, index, in -> {
            in.text();
            in.number();
            return in.text();
        });
    }
}
