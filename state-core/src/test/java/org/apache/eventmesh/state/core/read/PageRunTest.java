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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.eventmesh.state.core.commit.Operation;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.engine.KeyRange;
import org.apache.eventmesh.state.engine.Slice;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.result.Page;
import org.apache.eventmesh.state.result.Unreadable;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class PageRunTest {
    private static final Operation LIST = new Operation(StoreName.TASKS, "list");
    private static final KeyRange ALL = new KeyRange(Bytes.utf8("k"), Bytes.utf8("l"));

    private final List<Integer> asked = new ArrayList<>();
    private final ConcurrentLinkedQueue<Unreadable> told = new ConcurrentLinkedQueue<>();
    private final MapEngine engine = new MapEngine() {
        @Override
        public CompletionStage<Slice> scan(KeyRange range, int limit) {
            synchronized (asked) {
                asked.add(limit);
            }
            return super.scan(range, limit);
        }
    };
    private final TestBackend backend = new TestBackend(engine, new StoreListener() {
        @Override
        public void unreadable(StoreName store, Unreadable record) {
            told.add(record);
        }
    });

    @AfterEach
    void close() {
        backend.close();
    }

    private static Bytes key(int number) {
        return Bytes.utf8("k%06d".formatted(number));
    }

    private void put(int count, int bytes) {
        IntStream.range(0, count).forEach(n -> engine.put(key(n), Bytes.of(new byte[bytes])));
    }

    private CompletableFuture<Page<String>> page(Rows<String> rows, int limit) {
        return new PageRun<>(backend.get(), LIST, new Positions("test", ALL), rows, limit)
                .start(ALL)
                .toCompletableFuture();
    }

    /** Each key is an item. */
    private static List<Row<String>> keys(List<Entry> scanned) {
        return scanned.stream()
                .map(entry -> Row.of(
                        entry.key(),
                        entry.key(),
                        entry.value().size(),
                        () -> Optional.of(entry.key().toUtf8())))
                .toList();
    }

    private static Rows<String> items() {
        return (scanned, from) -> CompletableFuture.completedStage(keys(scanned));
    }

    static List<Error> errors() {
        return List.of(new OutOfMemoryError("on purpose"), new StackOverflowError("on purpose"));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void required_G02_rows_that_throw_an_error_fail_their_page(Error error) {
        put(3, 1);
        CompletableFuture<Page<String>> thrown = page(
                (scanned, from) -> {
                    throw error;
                },
                10);
        CompletableFuture<Page<String>> told = page((scanned, from) -> CompletableFuture.failedStage(error), 10);

        assertThatThrownBy(() -> Await.result(thrown)).isSameAs(error);
        assertThatThrownBy(() -> Await.result(told)).isSameAs(error);
        assertThat(Await.result(page(items(), 10)).items()).hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("errors")
    void required_G02_an_engine_that_throws_an_error_fails_the_page(Error error) {
        put(3, 1);
        engine.beforeScan(() -> {
            throw error;
        });
        CompletableFuture<Page<String>> thrown = page(items(), 10);

        assertThatThrownBy(() -> Await.result(thrown)).isSameAs(error);
        engine.beforeScan(() -> {});
        assertThat(Await.result(page(items(), 10)).items()).hasSize(3);
    }

    @Test
    void a_page_is_full_with_its_limit_and_goes_on_behind_its_last_key() {
        put(40, 1);
        Page<String> page = Await.result(page(items(), 25));

        assertThat(page.items()).hasSize(25).endsWith(key(24).toUtf8());
        assertThat(new Positions("test", ALL)
                        .after(page.next().orElseThrow().position().orElseThrow()))
                .isEqualTo(ALL.after(key(24)));
        assertThat(Await.result(page(items(), 40)).next()).as("nothing is left").isEmpty();
    }

    @Test
    void what_is_unreadable_counts_for_the_limit_and_is_told() {
        put(10, 1);
        Rows<String> broken = (scanned, from) -> CompletableFuture.completedStage(scanned.stream()
                .map(entry -> Row.<String>of(entry.key(), entry.key(), 1, () -> {
                    throw new IllegalStateException("broken");
                }))
                .toList());
        Page<String> page = Await.result(page(broken, 4));

        assertThat(page.items()).isEmpty();
        assertThat(page.unreadable()).hasSize(4);
        assertThat(page.next()).isPresent();
        await().untilAsserted(() -> assertThat(told).containsExactlyInAnyOrderElementsOf(page.unreadable()));
    }

    @Test
    void few_are_read_at_first_and_fewer_where_they_are_large() {
        put(60, 512 << 10);
        Page<String> page = Await.result(page(items(), 50));

        // 16 of them are 8 MiB
        assertThat(page.items()).hasSize(16);
        assertThat(page.next()).isPresent();
        assertThat(asked).containsExactly(16);
    }

    @Test
    void many_are_read_at_once_where_they_are_small() {
        put(400, 10);
        Page<String> page = Await.result(page(items(), 400));

        assertThat(page.items()).hasSize(400);
        assertThat(asked).startsWith(16, 128, 128).hasSize(4);
    }

    @Test
    void a_page_of_one_reads_one() {
        put(3, 1);

        assertThat(Await.result(page(items(), 1)).items()).containsExactly(key(0).toUtf8());
        assertThat(asked).containsExactly(1);
    }

    @Test
    void several_entries_may_be_one_row() {
        put(40, 1);
        Rows<String> one = (scanned, from) -> {
            Bytes last = scanned.get(scanned.size() - 1).key();
            return CompletableFuture.completedStage(
                    List.of(Row.of(last, last, scanned.size(), () -> Optional.of(last.toUtf8()))));
        };
        Page<String> page = Await.result(page(one, 100));

        assertThat(page.items()).endsWith(key(39).toUtf8());
        assertThat(page.next()).isEmpty();
    }

    @Test
    void required_G02_a_page_that_nobody_waits_for_any_more_reads_no_further() {
        put(1_000, 1);
        CompletableFuture<List<Row<String>>> held = new CompletableFuture<>();
        CompletableFuture<Page<String>> page = page((scanned, from) -> held, 500);
        await().until(() -> {
            synchronized (asked) {
                return asked.size() == 1;
            }
        });
        backend.pass(TestBackend.DEADLINE.plusSeconds(1));
        assertThatThrownBy(() -> Await.result(page)).hasMessageContaining("tasks.list");

        held.complete(List.of(Row.of(key(3), key(3), 1, () -> Optional.of("late"))));

        assertThat(asked).hasSize(1);
    }
}
