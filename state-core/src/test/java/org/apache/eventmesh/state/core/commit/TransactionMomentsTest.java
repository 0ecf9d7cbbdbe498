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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.engine.HeldEngine;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A decision may see entries of several moments; what is made of it stands only if they were there together. */
class TransactionMomentsTest {
    private static final Operation COPY = new Operation(StoreName.TASKS, "copy");

    /** What the decisions condition on. */
    private static final Bytes COUNTER = KeyWriter.of(Table.COUNTER).integer(7).key();

    /** What they rest on without a condition: it changes only together with the counter. */
    private static final Bytes ALONG = KeyWriter.of(Table.COUNTER).integer(8).key();

    private static final Bytes COPIED = KeyWriter.of(Table.COUNTER).integer(9).key();

    private final HeldEngine engine = new HeldEngine();
    private final TestBackend backend = new TestBackend(engine);
    private final Transactions transactions = new Transactions(backend.get());
    private final AtomicInteger decisions = new AtomicInteger();

    @AfterEach
    void close() {
        engine.release();
        backend.close();
    }

    @Test
    void required_E03_after_a_refusal_a_write_does_not_rest_on_what_was_read_before_it() {
        engine.release();
        both("old");
        Await.result(transactions.run(COPY, List.of(COUNTER, ALONG), seen -> {
            if (decisions.getAndIncrement() == 0) {
                // somebody is faster
                both("new");
            }
            return copy(seen);
        }));
        assertThat(copied()).isEqualTo("new");
    }

    @Test
    void required_E03_after_a_refusal_an_answer_rests_on_one_moment() {
        engine.release();
        both("old");
        CompletionStage<String> answer = transactions.run(COPY, List.of(COUNTER, ALONG), seen -> {
            if (decisions.getAndIncrement() == 0) {
                both("new");
                return copy(seen);
            }
            return Decision.answer(text(seen, COUNTER) + " and " + text(seen, ALONG));
        });
        assertThat(Await.result(answer)).isEqualTo("new and new");
    }

    @Test
    void required_E03_after_a_wait_for_a_turn_a_write_does_not_rest_on_what_was_read_before_it() {
        both("old");
        CompletionStage<String> first =
                transactions.run(COPY, List.of(COUNTER), seen -> put(seen, COUNTER, Bytes.utf8("first")));
        await().until(() -> engine.calls().size() == 1);
        CompletionStage<String> second = transactions.run(COPY, List.of(COUNTER, ALONG), seen -> {
            decisions.incrementAndGet();
            return copy(seen);
        });
        await().until(() -> decisions.get() == 1);
        engine.put(ALONG, Bytes.utf8("new"));
        engine.release();
        Await.result(first);
        Await.result(second);
        assertThat(copied()).isEqualTo("new");
    }

    @Test
    void required_E03_what_is_remembered_is_no_moment_of_what_was_read() {
        engine.release();
        both("old");
        Bytes more = KeyWriter.of(Table.COUNTER).integer(10).key();
        Await.result(transactions.run(COPY, List.of(more), seen -> put(seen, more, Bytes.utf8("here"))));
        Await.result(transactions.run(COPY, List.of(COUNTER, ALONG), seen -> {
            if (!seen.knows(more)) {
                both("new");
                return Decision.readMore(more);
            }
            return Decision.write(
                    List.of(seen.unchanged(more)), List.of(Change.put(COPIED, value(seen, ALONG))), "copied");
        }));
        assertThat(copied()).isEqualTo("new");
    }

    @Test
    void whoever_conditions_on_all_that_was_read_asks_once() {
        MapEngine quick = new MapEngine();
        try (TestBackend other = new TestBackend(quick)) {
            quick.put(COUNTER, Bytes.utf8("old"));
            Await.result(new Transactions(other.get()).run(COPY, List.of(COUNTER), seen -> {
                if (decisions.getAndIncrement() == 0) {
                    quick.put(COUNTER, Bytes.utf8("new"));
                    return put(seen, COUNTER, Bytes.utf8("mine"));
                }
                return Decision.answer(text(seen, COUNTER));
            }));
            assertThat(quick.reads()).isEqualTo(1);
        }
    }

    private void both(String value) {
        engine.apply(new Commit(
                List.of(), List.of(Change.put(COUNTER, Bytes.utf8(value)), Change.put(ALONG, Bytes.utf8(value)))));
    }

    private static Decision<String> copy(Seen seen) {
        return Decision.write(
                List.of(seen.unchanged(COUNTER)),
                List.of(Change.put(COUNTER, Bytes.utf8("copied")), Change.put(COPIED, value(seen, ALONG))),
                "copied");
    }

    private static Decision<String> put(Seen seen, Bytes key, Bytes value) {
        return Decision.write(List.of(seen.unchanged(key)), List.of(Change.put(key, value)), "put");
    }

    private static Bytes value(Seen seen, Bytes key) {
        return seen.entry(key).map(Entry::value).orElseThrow();
    }

    private static String text(Seen seen, Bytes key) {
        return value(seen, key).toUtf8();
    }

    private String copied() {
        return engine.get(COPIED).orElseThrow().value().toUtf8();
    }
}
