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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.eventmesh.state.core.engine.HeldEngine;
import org.apache.eventmesh.state.core.engine.MapEngine;
import org.apache.eventmesh.state.core.engine.TestBackend;
import org.apache.eventmesh.state.core.key.KeyWriter;
import org.apache.eventmesh.state.core.key.Table;
import org.apache.eventmesh.state.core.proto.CounterRecord;
import org.apache.eventmesh.state.core.record.Records;
import org.apache.eventmesh.state.core.record.Stored;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Entry;
import org.apache.eventmesh.state.failure.CorruptStateException;
import org.apache.eventmesh.state.failure.OutcomeUnknownException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.observe.StoreListener;
import org.apache.eventmesh.state.observe.StoreName;
import org.apache.eventmesh.state.result.Await;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

class TransactionsTest {
    private static final Operation COUNT = new Operation(StoreName.TASKS, "count");
    private static final Bytes COUNTER = KeyWriter.of(Table.COUNTER).integer(7).key();
    private static final Bytes OTHER = KeyWriter.of(Table.COUNTER).integer(8).key();

    private final MapEngine engine = new MapEngine();
    private final ConcurrentLinkedQueue<String> conflicts = new ConcurrentLinkedQueue<>();
    private final TestBackend backend = new TestBackend(engine, new StoreListener() {
        @Override
        public void conflicting(StoreName store, String operation, String key) {
            conflicts.add(operation + " " + key);
        }
    });
    private final Transactions transactions = new Transactions(backend.get());

    @AfterEach
    void close() {
        backend.close();
    }

    @Test
    void concurrent_increments_are_all_counted() {
        // other processes take no turns here
        try (TestBackend other = new TestBackend(engine)) {
            Transactions theirs = new Transactions(other.get());
            List<CompletionStage<Long>> stages = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                stages.add(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment));
                stages.add(theirs.run(COUNT, List.of(COUNTER), TransactionsTest::increment));
            }
            assertThat(stages.stream().map(Await::result).distinct()).hasSize(100);
        }
        assertThat(Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment)))
                .isEqualTo(101);
    }

    @Test
    void writers_of_one_process_on_one_key_take_turns() {
        List<CompletionStage<Long>> stages = new ArrayList<>();
        for (int i = 0; i < 900; i++) {
            stages.add(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment));
        }
        assertThat(stages.stream().map(Await::result).distinct()).hasSize(900);
        // at most one for each: whoever had read before another wrote, and came when the line was empty
        assertThat(conflicts).hasSizeLessThan(900);
    }

    @Test
    void whoever_waits_for_his_turn_and_is_too_late_has_applied_nothing() {
        HeldEngine held = new HeldEngine();
        try (TestBackend slow = new TestBackend(held)) {
            Transactions waiting = new Transactions(slow.get());
            CompletionStage<Long> first = waiting.run(COUNT, List.of(COUNTER), TransactionsTest::increment);
            await().until(() -> held.calls().size() == 1);
            slow.pass(TestBackend.DEADLINE.dividedBy(2));
            CompletionStage<Long> second = waiting.run(COUNT, List.of(COUNTER), TransactionsTest::increment);
            CompletionStage<Long> third = waiting.run(COUNT, List.of(COUNTER), TransactionsTest::increment);
            slow.pass(TestBackend.DEADLINE.dividedBy(2).plusSeconds(1));
            assertThatThrownBy(() -> Await.result(first)).isInstanceOf(OutcomeUnknownException.class);
            slow.pass(TestBackend.DEADLINE.dividedBy(2));
            assertThatThrownBy(() -> Await.result(second)).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> Await.result(third)).isInstanceOf(StoreUnavailableException.class);
            CompletionStage<Long> fourth = waiting.run(COUNT, List.of(COUNTER), TransactionsTest::increment);
            held.release();
            assertThat(Await.result(fourth)).isEqualTo(2);
        }
    }

    @Test
    void a_refusal_is_decided_again_on_what_came_back() {
        AtomicInteger decisions = new AtomicInteger();
        CompletionStage<Long> stage = transactions.run(COUNT, List.of(COUNTER), seen -> {
            if (decisions.getAndIncrement() < 3) {
                // somebody is faster
                engine.put(COUNTER, Records.COUNTER.encode(epoch(100L * decisions.get())));
            }
            return increment(seen);
        });
        assertThat(Await.result(stage)).isEqualTo(301);
        assertThat(decisions).hasValue(4);
        assertThat(engine.reads()).isEqualTo(1);
    }

    @Test
    void a_repeated_write_reads_nothing() {
        for (long i = 1; i <= 5; i++) {
            assertThat(Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment)))
                    .isEqualTo(i);
        }
        assertThat(engine.reads()).isEqualTo(1);
    }

    @Test
    void a_write_that_rests_on_something_old_is_decided_again_and_conflicts_with_nobody() {
        Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment));
        engine.put(COUNTER, Records.COUNTER.encode(epoch(70)));
        assertThat(Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment)))
                .isEqualTo(71);
        assertThat(engine.reads()).isEqualTo(1);
        assertThat(conflicts).isEmpty();
    }

    @Test
    void an_answer_without_a_write_never_rests_on_something_old() {
        Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment));
        engine.put(COUNTER, Records.COUNTER.encode(epoch(70)));
        CompletionStage<Long> stage = transactions.run(
                COUNT,
                List.of(COUNTER),
                seen -> Decision.answer(seen.get(Records.COUNTER, COUNTER)
                        .orElseThrow()
                        .record()
                        .getEpoch()));
        assertThat(Await.result(stage)).isEqualTo(70);
    }

    @Test
    void a_failure_never_rests_on_something_old() {
        engine.put(COUNTER, Bytes.utf8("damaged"));
        assertThatThrownBy(() -> Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment)))
                .isInstanceOf(CorruptStateException.class);
        engine.put(COUNTER, Records.COUNTER.encode(epoch(70)));
        assertThat(Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment)))
                .isEqualTo(71);
    }

    @Test
    void a_write_that_looked_at_something_old_without_a_condition_is_not_made() {
        // a decision that forgets its condition gets one while what it saw is only remembered
        Decider<Long> copy = seen -> Decision.write(
                List.of(),
                List.of(Change.put(OTHER, seen.entry(COUNTER).orElseThrow().value())),
                1L);
        Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment));
        Bytes now = Records.COUNTER.encode(epoch(70));
        engine.put(COUNTER, now);
        Await.result(transactions.run(COUNT, List.of(COUNTER), copy));
        assertThat(engine.get(OTHER).map(Entry::value)).contains(now);
    }

    @Test
    void what_a_commit_of_unknown_fate_changes_is_read_again() {
        HeldEngine held = new HeldEngine();
        try (TestBackend slow = new TestBackend(held)) {
            Transactions theirs = new Transactions(slow.get());
            CompletionStage<Long> first = theirs.run(COUNT, List.of(COUNTER), TransactionsTest::increment);
            await().until(() -> held.calls().size() == 1);
            slow.pass(TestBackend.DEADLINE.plusSeconds(1));
            assertThatThrownBy(() -> Await.result(first)).isInstanceOf(OutcomeUnknownException.class);
            int before = held.reads();
            Await.result(theirs.run(
                    COUNT,
                    List.of(COUNTER),
                    seen -> Decision.answer(seen.entry(COUNTER).isPresent())));
            assertThat(held.reads()).isEqualTo(before + 1);
            held.release();
        }
    }

    @Test
    void a_decision_may_ask_for_more() {
        engine.put(COUNTER, Records.COUNTER.encode(epoch(8)));
        engine.put(OTHER, Records.COUNTER.encode(epoch(80)));
        CompletionStage<Long> stage = transactions.run(
                COUNT,
                List.of(COUNTER),
                seen -> seen.knows(OTHER)
                        ? Decision.answer(seen.get(Records.COUNTER, OTHER)
                                .orElseThrow()
                                .record()
                                .getEpoch())
                        : Decision.readMore(OTHER));
        assertThat(Await.result(stage)).isEqualTo(80);
    }

    private static long value(Seen seen, Bytes key) {
        return seen.get(Records.COUNTER, key).orElseThrow().record().getEpoch();
    }

    @Test
    void an_answer_that_asked_for_more_rests_on_one_moment() {
        engine.put(COUNTER, Records.COUNTER.encode(epoch(8)));
        engine.put(OTHER, Records.COUNTER.encode(epoch(80)));
        CompletionStage<Long> stage = transactions.run(COUNT, List.of(COUNTER), seen -> {
            if (seen.knows(OTHER)) {
                return Decision.answer(value(seen, COUNTER) + value(seen, OTHER));
            }
            engine.put(COUNTER, Records.COUNTER.encode(epoch(9)));
            engine.put(OTHER, Records.COUNTER.encode(epoch(90)));
            return Decision.readMore(OTHER);
        });
        assertThat(Await.result(stage)).isEqualTo(99);
    }

    @Test
    void an_answer_after_a_wait_for_a_turn_rests_on_one_moment() {
        HeldEngine held = new HeldEngine();
        held.put(OTHER, Records.COUNTER.encode(epoch(80)));
        try (TestBackend slow = new TestBackend(held)) {
            Transactions waiting = new Transactions(slow.get());
            CompletionStage<Long> first = waiting.run(COUNT, List.of(COUNTER), TransactionsTest::increment);
            await().until(() -> held.calls().size() == 1);
            AtomicInteger decisions = new AtomicInteger();
            CompletionStage<Long> second = waiting.run(COUNT, List.of(COUNTER, OTHER), seen -> {
                decisions.incrementAndGet();
                return seen.entry(COUNTER).isEmpty() ? increment(seen) : Decision.answer(value(seen, OTHER));
            });
            await().until(() -> decisions.get() == 1);
            // what it has read, and is not about to write, is changed by somebody else meanwhile
            held.put(OTHER, Records.COUNTER.encode(epoch(90)));
            held.release();
            assertThat(Await.result(first)).isEqualTo(1);
            assertThat(Await.result(second)).isEqualTo(90);
        }
    }

    @Test
    void the_revision_of_the_commit_is_told() {
        CompletionStage<Long> stage = transactions.run(
                COUNT,
                Durability.PROCESS,
                List.of(),
                seen -> Decision.write(List.of(), List.of(Change.put(COUNTER, Bytes.EMPTY)), revision -> revision));
        assertThat(Await.result(stage))
                .isEqualTo(engine.get(COUNTER).map(Entry::revision).orElseThrow());
    }

    @Test
    void a_lease_that_ended_is_told_once_and_then_fails() {
        try (TestBackend ended = new TestBackend(new MapEngine() {
            @Override
            public synchronized CommitResult apply(Commit commit) {
                return new CommitResult.LeaseEnded(5);
            }
        })) {
            AtomicInteger decisions = new AtomicInteger();
            CompletionStage<String> stage = new Transactions(ended.get()).run(COUNT, List.of(), seen -> {
                assertThat(seen.leaseEnded(5)).isEqualTo(decisions.getAndIncrement() > 0);
                return Decision.write(List.of(), List.of(Change.put(COUNTER, Bytes.EMPTY, 5)), "");
            });
            assertThatThrownBy(() -> Await.result(stage))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("lease");
            assertThat(decisions).hasValue(2);
        }
    }

    @Test
    void a_damaged_record_fails_the_operation_and_stays() {
        engine.put(COUNTER, Bytes.utf8("damaged"));
        assertThatThrownBy(() -> Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment)))
                .isInstanceOf(CorruptStateException.class)
                .hasMessageContaining("COUNTER(slot 7)")
                .hasMessageContaining("tasks.count");
        assertThat(engine.get(COUNTER).map(Entry::value)).contains(Bytes.utf8("damaged"));
    }

    @Test
    void a_bug_in_a_decision_fails_only_its_operation() {
        assertThatThrownBy(() -> Await.result(transactions.run(COUNT, List.of(), seen -> {
                    throw new IllegalStateException("bug");
                })))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Await.result(transactions.run(COUNT, List.of(), seen -> Decision.readMore())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("nothing new");
        assertThatThrownBy(() ->
                        Await.result(transactions.run(COUNT, List.of(), seen -> Decision.answer(seen.entry(COUNTER)))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not read");
        assertThat(Await.result(transactions.run(COUNT, List.of(COUNTER), TransactionsTest::increment)))
                .isEqualTo(1);
    }

    private static Decision<Long> increment(Seen seen) {
        long next = seen.get(Records.COUNTER, COUNTER)
                        .map(Stored::record)
                        .map(CounterRecord::getEpoch)
                        .orElse(0L)
                + 1;
        return Decision.write(
                List.of(seen.unchanged(COUNTER)), List.of(Records.COUNTER.put(COUNTER, epoch(next))), next);
    }

    private static CounterRecord epoch(long epoch) {
        return CounterRecord.newBuilder().setEpoch(epoch).build();
    }
}
