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
package org.apache.eventmesh.state.etcd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.apache.eventmesh.state.engine.Change;
import org.apache.eventmesh.state.engine.Commit;
import org.apache.eventmesh.state.engine.CommitResult;
import org.apache.eventmesh.state.engine.Condition;
import org.apache.eventmesh.state.engine.EngineHealth;
import org.apache.eventmesh.state.engine.Lease;
import org.apache.eventmesh.state.etcd.ScriptedEtcd.Fate;
import org.apache.eventmesh.state.etcd.client.Failure;
import org.apache.eventmesh.state.etcd.client.Step;
import org.apache.eventmesh.state.etcd.client.Txn;
import org.apache.eventmesh.state.failure.LimitExceededException;
import org.apache.eventmesh.state.failure.OverloadedException;
import org.apache.eventmesh.state.failure.StoreClosedException;
import org.apache.eventmesh.state.failure.StoreUnavailableException;
import org.apache.eventmesh.state.value.Bytes;
import org.apache.eventmesh.state.value.Durability;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.apache.eventmesh.state.etcd.ScriptedEngine.answer;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.failure;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.isOpen;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.key;
import static org.apache.eventmesh.state.etcd.ScriptedEngine.put;
import static org.assertj.core.api.Assertions.assertThat;

/** Which commits share a transaction, and what becomes of each. */
@Timeout(60)
class CommitGroupTest {
    private final ScriptedEngine scripted = new ScriptedEngine(2);
    private final int opening = scripted.etcd.written().size();

    @AfterEach
    void close() {
        scripted.close();
    }

    private List<Txn> sent() {
        List<Txn> written = scripted.etcd.written();
        return written.subList(opening, written.size());
    }

    /** How many commits each transaction since the opening held; all commits here change one key. */
    private List<Integer> groups() {
        return sent().stream().map(txn -> txn.then().size() - 1).toList();
    }

    private static boolean isApart(Txn txn) {
        return txn.then().stream().anyMatch(Step.Nested.class::isInstance);
    }

    private List<CompletionStage<CommitResult>> commit(Commit... commits) {
        return scripted.engine.commit(List.of(commits), Durability.DISK);
    }

    @Test
    void a_lone_commit_goes_out_at_once_in_one_transaction() {
        assertThat(scripted.commit(put("k", "v")).toCompletableFuture()).isCompleted();
        assertThat(groups()).containsExactly(1);
    }

    @Test
    void commits_of_one_call_share_a_transaction_and_each_is_decided_by_itself() {
        answer(scripted.commit(put("b", "before")));

        List<CompletionStage<CommitResult>> fates =
                commit(put("a", "1"), put("b", "2", Condition.absent(key("b"))), put("c", "3"));

        // together first, which one of them spoils, then each by itself
        assertThat(groups()).containsExactly(1, 3, 3);
        assertThat(sent().stream().map(CommitGroupTest::isApart)).containsExactly(false, false, true);
        assertThat(answer(fates.get(0))).isInstanceOf(CommitResult.Applied.class);
        assertThat(((CommitResult.Refused) answer(fates.get(1))).current())
                .singleElement()
                .satisfies(entry -> assertThat(entry.value().toUtf8()).isEqualTo("before"));
        assertThat(answer(fates.get(2))).isInstanceOf(CommitResult.Applied.class);
        assertThat(scripted.value("b")).isEqualTo("before");
    }

    @Test
    void a_lone_commit_that_is_refused_is_told_why_in_its_first_answer() {
        answer(scripted.commit(put("k", "before")));

        CommitResult refused = answer(scripted.commit(put("k", "after", Condition.absent(key("k")))));

        assertThat(((CommitResult.Refused) refused).current())
                .singleElement()
                .satisfies(entry -> assertThat(entry.value().toUtf8()).isEqualTo("before"));
        assertThat(groups()).containsExactly(1, 1);
    }

    @Test
    void what_several_commits_are_conditioned_on_is_compared_once() {
        Condition fence = Condition.absent(key("fence"));

        commit(put("a", "1", fence), put("b", "2", fence), put("c", "3", fence))
                .forEach(fate -> assertThat(answer(fate)).isInstanceOf(CommitResult.Applied.class));

        assertThat(sent()).singleElement().satisfies(txn -> {
            assertThat(txn.compares()).hasSize(2);
            assertThat(txn.then()).hasSize(4);
            assertThat(txn.otherwise()).hasSize(1);
        });
    }

    @Test
    void commits_that_are_together_are_applied_once_when_their_answer_is_lost() {
        scripted.etcd.next(new Fate.LostAfter());

        List<CompletionStage<CommitResult>> fates =
                commit(put("a", "1", Condition.absent(key("a"))), put("b", "2", Condition.absent(key("b"))));

        fates.forEach(fate -> assertThat(answer(fate)).isInstanceOf(CommitResult.Applied.class));
    }

    @Test
    void what_comes_while_all_slots_are_taken_goes_out_together() {
        scripted.etcd.next(new Fate.Held(), new Fate.Held());
        List<CompletionStage<CommitResult>> fates = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            fates.add(scripted.commit(put("k" + i, "v")));
        }
        assertThat(groups()).containsExactly(1, 1);

        scripted.etcd.arrive();

        assertThat(groups()).containsExactly(1, 1, 10);
        assertThat(isOpen(fates.get(1))).isTrue();
        scripted.etcd.arrive();
        fates.forEach(fate -> assertThat(answer(fate)).isInstanceOf(CommitResult.Applied.class));
    }

    @Test
    void commits_on_one_key_keep_their_order_across_calls() {
        scripted.etcd.next(new Fate.Held());
        CompletionStage<CommitResult> first = scripted.commit(put("k", "first"));
        CompletionStage<CommitResult> second = scripted.commit(put("k", "second"));
        CompletionStage<CommitResult> other = scripted.commit(put("other", "v"));

        assertThat(answer(other)).isInstanceOf(CommitResult.Applied.class);
        assertThat(isOpen(second)).isTrue();
        scripted.etcd.arrive();

        answer(first);
        answer(second);
        assertThat(scripted.value("k")).isEqualTo("second");
    }

    @Test
    void a_commit_does_not_overtake_one_whose_keys_it_touches_only_by_condition() {
        scripted.etcd.next(new Fate.Held());
        CompletionStage<CommitResult> reader = scripted.commit(put("x", "1", Condition.absent(key("shared"))));
        CompletionStage<CommitResult> writer = scripted.commit(put("shared", "2"));

        assertThat(isOpen(writer)).isTrue();
        scripted.etcd.arrive();

        assertThat(answer(reader)).isInstanceOf(CommitResult.Applied.class);
        assertThat(answer(writer)).isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void no_transaction_has_more_operations_or_bytes_than_the_server_takes() {
        List<Commit> commits = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            List<Condition> conditions = new ArrayList<>();
            for (int c = 0; c < i % 40; c++) {
                conditions.add(Condition.absent(key("absent" + i + "-" + c)));
            }
            commits.add(new Commit(
                    conditions, List.of(Change.put(key("k" + i), Bytes.of(new byte[(i % 7) * 20_000])))));
        }

        scripted.engine
                .commit(commits, Durability.DISK)
                .forEach(fate -> assertThat(answer(fate)).isInstanceOf(CommitResult.Applied.class));

        assertThat(sent()).hasSizeLessThan(150).allSatisfy(txn -> {
            assertThat(operations(txn)).isLessThanOrEqualTo(128);
            assertThat(bytes(txn)).isLessThan(1_572_864);
        });
    }

    /** As etcd counts: the longest list of a transaction, and of what is within it, what is left. */
    private static int operations(Txn txn) {
        int own = Math.max(
                txn.compares().size(),
                Math.max(txn.then().size(), txn.otherwise().size()));
        int within = 0;
        for (Step step : txn.then()) {
            within = Math.max(within, step instanceof Step.Nested nested ? operations(nested.txn()) : 0);
        }
        return own + within;
    }

    private static long bytes(Txn txn) {
        long bytes = txn.compares().stream()
                .mapToLong(compare -> compare.key().size() + 10)
                .sum();
        for (List<Step> branch : List.of(txn.then(), txn.otherwise())) {
            for (Step step : branch) {
                if (step instanceof Step.Put put) {
                    bytes += put.key().size() + put.value().size() + 20;
                } else if (step instanceof Step.Get get) {
                    bytes += get.key().size() + 8;
                } else if (step instanceof Step.Nested nested) {
                    bytes += bytes(nested.txn()) + 8;
                }
            }
        }
        return bytes;
    }

    @Test
    void members_of_a_group_that_names_an_ended_lease_are_tried_one_by_one() {
        Lease lease = answer(scripted.engine.lease(Duration.ofSeconds(30)));
        scripted.etcd.endLease(lease.id());

        List<CompletionStage<CommitResult>> fates = commit(
                put("a", "1"),
                new Commit(List.of(), List.of(Change.put(key("b"), Bytes.EMPTY, lease.id()))),
                put("c", "3"));

        assertThat(answer(fates.get(0))).isInstanceOf(CommitResult.Applied.class);
        assertThat(answer(fates.get(1))).isEqualTo(new CommitResult.LeaseEnded(lease.id()));
        assertThat(answer(fates.get(2))).isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void slots_that_ended_are_made_anew_and_the_commit_is_applied() {
        scripted.etcd.endLease(scripted.etcd.leases().iterator().next());

        assertThat(answer(scripted.commit(put("k", "v")))).isInstanceOf(CommitResult.Applied.class);
        assertThat(answer(scripted.commit(put("l", "v")))).isInstanceOf(CommitResult.Applied.class);
        assertThat(answer(scripted.commit(put("m", "v")))).isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void when_the_database_is_full_puts_are_refused_with_the_remedy_and_deletes_go_through() {
        answer(scripted.commit(put("k", "v")));
        scripted.etcd.next(new Fate.Refused(Failure.NO_SPACE));

        assertThat(failure(scripted.commit(put("l", "v"))))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("compact")
                .hasMessageContaining("disarm");
        assertThat(scripted.engine.health().up()).isFalse();

        scripted.etcd.next(new Fate.Refused(Failure.NO_SPACE));
        assertThat(answer(scripted.commit(new Commit(List.of(), List.of(Change.delete(key("k")))))))
                .isInstanceOf(CommitResult.Applied.class);
        assertThat(scripted.value("k")).isEmpty();

        answer(scripted.commit(put("m", "v")));
        assertThat(scripted.engine.health().up()).isTrue();
    }

    @Test
    void required_G04_servers_that_tell_their_state_to_administrators_alone_are_found_to_have_space_by_writing() {
        scripted.etcd.statusFails(Failure.PERMISSION);
        // the commit, and the first that tries
        scripted.etcd.next(new Fate.Refused(Failure.NO_SPACE), new Fate.Refused(Failure.NO_SPACE));
        assertThat(failure(scripted.commit(put("k", "v")))).hasMessageContaining("disarm");
        assertThat(scripted.engine.health().up()).isFalse();

        Awaitility.await().until(() -> scripted.engine.health().up());

        assertThat(scripted.health).extracting(EngineHealth::up).containsExactly(false, true);
        assertThat(groups()).containsExactly(1, 0, 0);
        assertThat(answer(scripted.commit(put("k", "v")))).isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void a_server_with_smaller_limits_is_named_and_one_that_is_busy_too() {
        scripted.etcd.next(new Fate.Refused(Failure.REQUEST_TOO_LARGE));
        assertThat(failure(scripted.commit(put("k", "v"))))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("etcd.maxRequestBytes");

        scripted.etcd.next(new Fate.Refused(Failure.TOO_MANY_STEPS));
        assertThat(failure(scripted.commit(put("k", "v"))))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("etcd.maxTxnOps");

        scripted.etcd.next(new Fate.Refused(Failure.OVERLOADED));
        assertThat(failure(scripted.commit(put("k", "v")))).isInstanceOf(OverloadedException.class);
        assertThat(scripted.value("k")).isEmpty();
    }

    @Test
    void a_commit_that_only_checks_takes_no_slot() {
        CommitResult held = answer(scripted.commit(new Commit(List.of(Condition.absent(key("k"))), List.of())));
        answer(scripted.commit(put("k", "v")));
        CommitResult refused = answer(scripted.commit(new Commit(List.of(Condition.absent(key("k"))), List.of())));

        assertThat(held).isInstanceOf(CommitResult.Applied.class);
        assertThat(refused).isInstanceOf(CommitResult.Refused.class);
        assertThat(groups()).containsExactly(1);
    }

    @Test
    void what_waits_when_the_engine_is_closed_fails_as_closed_and_what_is_under_way_is_answered() {
        scripted.etcd.next(new Fate.Held());
        CompletionStage<CommitResult> underWay = scripted.commit(put("k", "v"));
        CompletionStage<CommitResult> waiting = scripted.commit(put("k", "w"));

        Thread closing = new Thread(scripted::close, "closing");
        closing.start();
        assertThat(failure(waiting)).isInstanceOf(StoreClosedException.class);
        scripted.etcd.arrive();

        assertThat(answer(underWay)).isInstanceOf(CommitResult.Applied.class);
    }

    @Test
    void required_X03_a_long_line_of_commits_that_fail_at_once_is_told_to_the_last_and_its_keys_are_free() {
        int waiting = 3_000;
        try (ScriptedEngine one = new ScriptedEngine(1, Duration.ofMinutes(1))) {
            one.etcd.next(new Fate.Held());
            for (int i = 0; i < waiting; i++) {
                one.etcd.next(new Fate.Refused(Failure.OVERLOADED));
            }
            CompletionStage<CommitResult> first = one.commit(put("k", "first"));
            List<CompletionStage<CommitResult>> line = new ArrayList<>();
            for (int i = 0; i < waiting; i++) {
                line.add(one.commit(put("k", "never")));
            }

            one.etcd.arrive();

            assertThat(answer(first)).isInstanceOf(CommitResult.Applied.class);
            line.forEach(fate -> assertThat(failure(fate)).isInstanceOf(OverloadedException.class));
            assertThat(answer(one.commit(put("k", "last")))).isInstanceOf(CommitResult.Applied.class);
            assertThat(one.value("k")).isEqualTo("last");
        }
    }

    @Test
    void a_closed_engine_leaves_no_slot_behind() {
        answer(scripted.commit(put("k", "v")));

        scripted.close();

        assertThat(scripted.etcd.keys()).noneMatch(key -> key.toUtf8().contains("/slot/"));
    }
}
